"""Reads the tables of metrics in docs/operate/observability.md."""

import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parents[2]


class Row:
    """One row: its series as (metric, selector), the kind, the labels to look by, the words, and the alarms."""

    def __init__(self, line):
        cells = [cell.strip() for cell in line.strip().strip("|").split(" | ")]
        if len(cells) not in (3, 5):
            raise SystemExit(f"docs/operate/observability.md: a row of metrics has {len(cells)} cells:\n{line}")
        self.series = re.findall(r"`(letsswitch_\w+)(?:\{([^}]*)\})?`", cells[0])
        kind, _, labels = cells[1].partition(" by ")
        self.kind, self.labels = kind, re.findall(r"`(\w+)`", labels)
        self.meaning = cells[2]
        self.alarms = re.findall(r"\[(\w+)\]\([\w/.]*runbook\.md#(\w+)\)", cells[4]) if len(cells) == 5 else None
        if not self.series or self.kind not in ("counter", "gauge", "histogram") or self.alarms == []:
            raise SystemExit(f"docs/operate/observability.md: a row has no metric, no kind or no alarm:\n{line}")

    @property
    def names(self):
        return [name for name, _ in self.series]


def section():
    text = (ROOT / "docs/operate/observability.md").read_text()
    return text.partition("\n## Metrics\n")[2].partition("\n## ")[0]


def rows():
    """All rows of both tables, those with alarms first."""
    found = [Row(line) for line in section().splitlines() if line.startswith("| `letsswitch_")]
    if len(found) < 40 or not all(row.series for row in found):
        raise SystemExit("docs/operate/observability.md: the tables of metrics cannot be read")
    return found
