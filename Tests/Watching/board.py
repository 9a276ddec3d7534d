"""Makes the board of Grafana from the tables of metrics in docs/operate/observability.md."""

import json

from table import rows

COLUMNS = 3
HEIGHT = 7
HERE = 'instance=~"$instance"'


def plain(words):
    return words.replace("`", "")


def unit(name, kind):
    base = name.removesuffix("_total")
    per_second = kind == "counter"
    if base.endswith("_timestamp_seconds"):
        return "dateTimeAsIso"
    if base.endswith("_seconds") or base.endswith("_seconds_maximum"):
        return "percentunit" if per_second else "s"
    if base.endswith("_bytes"):
        return "Bps" if per_second else "bytes"
    return "cps" if per_second else "short"


def expressions(name, selector, kind, labels):
    """The expressions of a metric, each with its legend."""
    inside = ",".join(part for part in (selector, HERE) if part)
    by = ", ".join(labels) if labels else "instance"
    legend = " ".join("{{%s}}" % label for label in labels or ["instance"])
    if kind == "counter":
        return [(f"sum by ({by}) (rate({name}{{{inside}}}[$__rate_interval]))", legend)]
    if kind == "gauge":
        scale = " * 1000" if name.endswith("_timestamp_seconds") else ""
        return [(f"max by ({by}) ({name}{{{inside}}}){scale}", legend)]
    buckets = ", ".join(labels + ["le"])
    share = " ".join("{{%s}}" % label for label in labels)
    return [
        (f"histogram_quantile({quantile}, sum by ({buckets}) (rate({name}_bucket{{{inside}}}[$__rate_interval])))",
         f"{share} {words}".strip())
        for quantile, words in ((0.5, "half"), (0.99, "99 %"))
    ]


def panels(row):
    for name, selector in row.series:
        targets = [
            {"refId": chr(ord("A") + index), "expr": expression, "legendFormat": legend, "datasource": SOURCE}
            for index, (expression, legend) in enumerate(expressions(name, selector, row.kind, row.labels))
        ]
        title = name.removeprefix("letsswitch_") + (f" {selector}" if selector else "")
        alarms = "".join(f" Alarm: {alarm}." for alarm, _ in row.alarms or [])
        yield {
            "type": "timeseries", "title": title, "description": plain(row.meaning) + "." + alarms,
            "datasource": SOURCE, "targets": targets,
            "fieldConfig": {"defaults": {"unit": unit(name, row.kind)}, "overrides": []},
            "options": {"legend": {"showLegend": True, "displayMode": "list", "placement": "bottom"}},
        }


SOURCE = {"type": "prometheus", "uid": "${source}"}


def placed():
    """All panels with their places: alarms first, then what else there is."""
    everything = rows()
    parts = [
        ("Worth an alarm", [row for row in everything if row.alarms]),
        ("To plan by", [row for row in everything if not row.alarms]),
    ]
    y, number, all_panels, seen = 0, 1, [], set()
    for title, part in parts:
        all_panels.append(
            {"type": "row", "title": title, "id": number, "collapsed": False, "panels": [],
             "gridPos": {"x": 0, "y": y, "w": 24, "h": 1}})
        number, y, column = number + 1, y + 1, 0
        for panel in (panel for row in part for panel in panels(row)):
            if panel["title"] in seen:
                continue
            seen.add(panel["title"])
            width = 24 // COLUMNS
            place = {"x": column * width, "y": y, "w": width, "h": HEIGHT}
            all_panels.append({**panel, "id": number, "gridPos": place})
            number, column = number + 1, (column + 1) % COLUMNS
            if column == 0:
                y += HEIGHT
        y += HEIGHT if column else 0
    return all_panels


def board():
    """The text of ops/grafana/letsswitch.json."""
    variables = [
        {"name": "source", "type": "datasource", "query": "prometheus", "label": "Prometheus"},
        {"name": "instance", "type": "query", "label": "Server", "datasource": SOURCE, "multi": True,
         "includeAll": True, "allValue": ".*", "refresh": 2,
         "query": {"query": "label_values(letsswitch_build_info, instance)", "refId": "instance"}},
    ]
    return json.dumps(
        {
            "title": "Let's Switch", "uid": "letsswitch", "schemaVersion": 36, "version": 1, "editable": True,
            "time": {"from": "now-6h", "to": "now"}, "refresh": "30s", "tags": ["letsswitch"],
            "templating": {"list": variables}, "annotations": {"list": []}, "panels": placed(),
        }, indent=1, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    print(board(), end="")
