"""Checks the rules of Prometheus and the board of Grafana: script/dev/watching says what."""

import concurrent.futures
import json
import pathlib
import re
import subprocess
import sys
import tempfile

import board
import notifying
import server
from table import ROOT, rows

RULES = ROOT / "ops/prometheus"
BOARD = ROOT / "ops/grafana/letsswitch.json"
METRICS = "docs/operate/observability.md"
RUNBOOK = "docs/operate/runbook.md"
LINES_OF_RUNBOOK = 700
problems = []


def check(is_true, problem):
    if not is_true:
        problems.append(problem)


def promtool(*arguments, stdin=None):
    return subprocess.run(
        [sys.argv[2], *map(str, arguments)], capture_output=True, text=True, input=stdin, check=False)


def alerts():
    return re.findall(r"- alert: (\w+)", (RULES / "alerts.yml").read_text())


def check_rules():
    result = promtool("check", "rules", RULES / "recording.yml", RULES / "alerts.yml")
    check(result.returncode == 0, result.stdout + result.stderr)
    result = promtool("check", "config", RULES / "prometheus.yml")
    check(result.returncode == 0, result.stdout + result.stderr)


def rules():
    """The alerts: severity, expression and duration by name, as the runbook states them."""
    found = {}
    for block in re.split(r"(?m)^      - alert: ", (RULES / "alerts.yml").read_text())[1:]:
        name = block.split(maxsplit=1)[0]
        expression = re.search(r"(?s)\n        expr: (?:>\n)?(.+?)\n        \w", block)[1]
        duration = re.search(r"\n        for: (\w+)", block)
        severity = re.search(r"\n        labels: \{severity: (page|ticket|none)\}", block)
        check(severity, f"{name} needs the severity page, ticket or none")
        found[name] = (
            severity[1] if severity else None, " ".join(expression.split()), duration[1] if duration else None)
    return found


def check_documents():
    """Each alert is in the table of metrics, links to its chapter in the runbook, and the chapter agrees with it."""
    named = re.findall(r"\[(\w+)\]\(runbook\.md#(\w+)\)", (ROOT / METRICS).read_text())
    for name, anchor in named:
        check(anchor == name.lower(), f"{METRICS}: the link of {name} leads to #{anchor}")
    check(len(alerts()) == len(set(alerts())), "an alert is there twice")
    # Alerts that notify no person only inhibit others.
    known = [name for name, (severity, _, _) in rules().items() if severity != "none"]
    chapters = check_runbook()
    for name in sorted(set(known) | set(chapters) | {name for name, _ in named}):
        check(name in known, f"{name} is no alert of ops/prometheus/alerts.yml")
        check(name in chapters, f"{RUNBOOK} has no chapter {name}")
        check(name in {name for name, _ in named}, f"{METRICS} does not name {name}")
    for rule in (RULES / "alerts.yml").read_text().split("- alert: ")[1:]:
        name = re.match(r"\w+", rule)[0]
        chapter = re.search(rf"runbook_url: {re.escape(RUNBOOK)}#(\w+)\n", rule)
        is_own = chapter and chapter[1] in ([name.lower()] if name in known else [other.lower() for other in known])
        check(is_own, f"{name} does not link to its chapter of {RUNBOOK}")
        check(re.search(r"summary: \S", rule), f"{name} has no summary")
        check(re.search(r"description: '.*\{\{ \$value", rule), f"{name} has no description with the value")


def check_runbook():
    """Each chapter has all parts in order, and the severity, threshold and duration of its alert. Returns the names."""
    text = (ROOT / RUNBOOK).read_text()
    lines = text.count("\n")
    check(lines <= LINES_OF_RUNBOOK, f"{RUNBOOK} has {lines} lines, more than {LINES_OF_RUNBOOK}")
    sources = "".join(file.read_text() for file in sorted((ROOT / "Sources").rglob("*.swift")))
    for phrase in re.findall(r"--grep '([^']+)'", text):
        for part in phrase.split("|"):
            check("[" in part or part in sources, f"{RUNBOOK}: no log line has the words {part}")
    expected = rules()
    names = []
    for chapter in text.split("\n## ")[1:]:
        name, _, body = chapter.partition("\n")
        names.append(name)
        parts = re.findall(r"(?m)^- \*\*(\w+):\*\*", body)
        check(parts == ["Severity", "Impact", "Check", "Fix", "Verify"], f"{RUNBOOK}: {name} has the parts {parts}")
        for engine in ("# Compose", "# systemd"):
            check(re.search(rf"(?m)^  \S.*  {engine}$", body), f"{RUNBOOK}: {name} has no command for {engine[2:]}")
        stated = re.search(r"(?m)^- \*\*Severity:\*\* (\w+)\. \*\*Threshold:\*\* `([^`]+)`(?: for (\w+))?$", body)
        check(stated, f"{RUNBOOK}: {name} does not state its severity and threshold")
        if stated and name in expected:
            # A long threshold takes two lines.
            own = tuple(part and " ".join(part.split()) for part in stated.groups())
            check(own == expected[name], f"{RUNBOOK}: {name} states {own}, not {expected[name]}")
    return names


def run_tests(folder):
    """Runs the tests of the rules in a folder; returns which of the alerts had a test that failed."""
    files = sorted((folder / "tests").glob("*.yml"))
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        results = list(pool.map(lambda file: promtool("test", "rules", file), files))
    output = "".join(result.stdout + result.stderr for result in results)
    failed = set(re.findall(r'alertname=\\?"(\w+)', output))
    return output, failed, all(result.returncode == 0 for result in results)


def check_tests():
    output, _, passed = run_tests(RULES)
    check(passed, output)
    if not passed:
        return
    # A test that passes whatever the rules say proves nothing. So each alert is made to fire never, and then at any
    # value: each time some test of it has to fail.
    rules = (RULES / "alerts.yml").read_text()
    never = re.sub(r"(?m)^( +)expr: (?:>\n(?:\1 +.*\n)+|.*\n)", r"\1expr: vector(0) > 1\n", rules)
    always = re.sub(r" > 3 \* max_over_time", " > -1e9 * max_over_time", rules)
    always = re.sub(r" > 2 \* 86400| > 64 \* 2\^20| > \d+(?:\.\d+)?(?: \* 0\.001)?", " > -1e9", always)
    always = always.replace(" == 0", " >= 0").replace("> (sum by", "> -1e9 * (sum by")
    for words, changed in (("never fires", never), ("fires at any value", always)):
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            (folder / "tests").mkdir()
            for file in RULES.glob("tests/*.yml"):
                (folder / "tests" / file.name).write_text(file.read_text())
            (folder / "recording.yml").write_text((RULES / "recording.yml").read_text())
            (folder / "alerts.yml").write_text(changed)
            syntax = promtool("check", "rules", folder / "alerts.yml")
            check(syntax.returncode == 0, f"the rules that were changed cannot be read: {syntax.stderr}")
            _, failed, _ = run_tests(folder)
        for alert in alerts():
            check(alert in failed, f"no test notices that {alert} {words}")


def check_page(page):
    """The page of a real server is what Prometheus wants, and has what the table, the rules and the board name."""
    result = promtool("check", "metrics", stdin=page)
    check(result.returncode == 0, "promtool check metrics: " + result.stdout + result.stderr)
    types = dict(re.findall(r"(?m)^# TYPE (\w+) (\w+)$", page))
    documented = {}
    for row in rows():
        for name in row.names:
            check(documented.setdefault(name, row.kind) == row.kind, f"{METRICS}: {name} has two kinds")
            check(types.get(name) == row.kind, f"{METRICS}: {name} is {types.get(name)}, not {row.kind}")
            for sample in re.findall(rf"(?m)^{name}(?:_bucket)?\{{(.*)\}} ", page)[:1]:
                for label in row.labels:
                    check(f'{label}="' in sample, f"{METRICS}: {name} has no label {label}")
    for name in types:
        check(name in documented, f"{METRICS} does not name {name}")
    rules = "".join((RULES / name).read_text() for name in ("recording.yml", "alerts.yml"))
    check_names("ops/prometheus", rules, types)
    check_names("ops/grafana", BOARD.read_text(), types)
    check_names(RUNBOOK, (ROOT / RUNBOOK).read_text(), types)


def check_names(where, text, types):
    for name in sorted(set(re.findall(r"letsswitch_\w+", text))):
        base = re.sub(r"_(bucket|sum|count)$", "", name)
        known = name in types or types.get(base) == "histogram"
        check(known, f"{where} names {name}, which a server does not have")


def check_board():
    check(BOARD.read_text() == board.board(), "ops/grafana/letsswitch.json: run script/dev/watching board")
    expressions = [
        target["expr"] for panel in json.loads(BOARD.read_text())["panels"] for target in panel.get("targets", [])
    ]
    check(len(expressions) > 60, "the board has too few panels")
    lines = ["groups:", "  - name: board", "    rules:"]
    for number, expression in enumerate(expressions):
        expression = expression.replace("$__rate_interval", "5m").replace("$instance", ".*")
        lines += [f"      - record: board:{number}", f"        expr: {json.dumps(expression)}"]
    with tempfile.NamedTemporaryFile("w", suffix=".yml") as file:
        file.write("\n".join(lines) + "\n")
        file.flush()
        result = promtool("check", "rules", "--lint=none", file.name)
    check(result.returncode == 0, "the board: " + result.stdout + result.stderr)


def main():
    with concurrent.futures.ThreadPoolExecutor(1) as pool:
        # The server starts while the rules are tested.
        page = pool.submit(server.page, sys.argv[1])
        check_rules()
        check_documents()
        check_board()
        check_tests()
        severities = {name: severity for name, (severity, _, _) in rules().items()}
        notifying.check_notifying(check, *sys.argv[3:5], severities)
        check_page(page.result())
    for problem in problems:
        print(problem.strip(), file=sys.stderr)
    if problems:
        raise SystemExit(1)
    print(f"{len(alerts())} alerts, {sum(len(row.series) for row in rows())} series: all is well")


main()
