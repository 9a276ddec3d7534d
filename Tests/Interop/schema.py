"""The calls, as schemathesis makes them from the description: with data that it allows, and with data that it does not."""

import os
import re
import subprocess
import sys

SUBJECT = "schema"
# The same data each time; another number finds other data.
SEED = "1"
EXAMPLES = "20"


def check(report, service):
    folder = os.path.dirname(os.path.abspath(__file__))
    program = os.path.join(os.path.dirname(sys.executable), "st")
    settings = os.path.join(folder, "schemathesis.toml")
    run = subprocess.run(
        [program, "--config-file", settings, "run", f"{service.url}/openapi.json", "--seed", SEED,
            "--max-examples", EXAMPLES, "--continue-on-failure", "--request-timeout", "30", "--no-color"],
        env=os.environ | {"SCHEMATHESIS_HOOKS": "schema_hooks", "PYTHONPATH": folder, "LETSSWITCH_URL": service.url},
        cwd=service.folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    cases = re.search(r"(\d+) generated", run.stdout)
    seen = f"{cases[1]} calls" if cases else ""
    if not report.check(SUBJECT, "schemathesis finds nothing", run.returncode == 0 and cases, seen):
        print(run.stdout, file=sys.stderr)
