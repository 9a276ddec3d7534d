"""A session from the registration to its end, with curl and the package `websockets` alone."""

import os
import subprocess
import sys

from service import Service

SUBJECT = "websocket"
SCRIPT = os.path.join(os.path.dirname(__file__), "follow.py")
STEPS = ["registered", "partnered", "opened", "status", "ale", "recovered", "closed", "completed"]
SETTINGS = {
    # A whole session in less than a minute.
    "SLOT_SECONDS": "20",
    "LEAD_SECONDS": "5",
    "LATE_SECONDS": "10",
    "NO_SHOW_SECONDS": "10",
    "MAX_DAYS_AHEAD": "1",
}


def check(report, program, clock_library, folder):
    place = os.path.join(folder, "following")
    os.mkdir(place, 0o711)
    service = Service(program, place, clock_library, SETTINGS)
    try:
        run = subprocess.run(
            [sys.executable, SCRIPT, service.url], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True,
            timeout=330)
    finally:
        service.stop()
    lines = run.stdout.splitlines()
    report.check(SUBJECT, "follows a session to its end", run.returncode == 0, run.returncode)
    for step, line in zip(STEPS, lines + [""] * len(STEPS)):
        word, _, text = line.partition(" ")
        report.check(SUBJECT, step, word == step, text.strip() or "nothing")
    says = dict(line.split(maxsplit=1) for line in lines)
    for step, text in ("opened", "with Ben (Learn ten words)"), ("status", "Ben: ready"), ("closed", "1000"),\
            ("completed", "1 ale sent, 2 received"):
        report.check(SUBJECT, f"{step} says so", says.get(step) == text)
