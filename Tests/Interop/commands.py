"""The same day as in `generated`, with the program `letsswitch`."""

import json
import os
import stat
import subprocess
import tempfile
import urllib.request

import icalendar

from service import SLOT_SECONDS, instant, tomorrow, until

SUBJECT = "letsswitch"


class Person:
    """A person with a home of their own, in which the program keeps the token."""

    def __init__(self, service, name):
        self.program = os.path.join(os.path.dirname(service.program), "letsswitch")
        self.home = tempfile.mkdtemp(dir=service.folder)
        self.environment = {
            "PATH": os.environ["PATH"], "HOME": self.home, "LETSSWITCH_URL": service.url, "TZ": "UTC"}
        self("signup", name, "--time-zone", "UTC")

    def __call__(self, *arguments):
        run = subprocess.run(
            [self.program, *arguments], env=self.environment, cwd=self.home, stdin=subprocess.DEVNULL,
            capture_output=True, text=True, timeout=60)
        if run.returncode != 0:
            raise RuntimeError(f"letsswitch {' '.join(arguments)}: {run.returncode} {run.stderr}")
        return run.stdout

    def json(self, *arguments):
        return json.loads(self(*arguments, "--json"))


def check(report, service):
    report.holds(SUBJECT, "a day with the commands goes as it should", lambda: day(report, service))


def day(report, service):
    ann, ben = Person(service, "Ann"), Person(service, "Ben")
    report.check(SUBJECT, "signs up", "Ann" in ann("whoami"))
    make_routine(report, ann)
    subscribe(report, ann)
    meet(report, ann, ben)
    ann("outcome", "partly", "--note", "The end is missing.")
    said = [one.get("outcome") for one in ann.json("registrations", "--all")["registrations"]]
    report.check(SUBJECT, "sets an outcome", said.count("partly") == 1, said)
    export(report, ann)
    for person in ann, ben:
        person("account", "delete", "--yes")
    refused = subprocess.run([ann.program, "whoami"], env=ann.environment, capture_output=True, timeout=60)
    report.check(SUBJECT, "deletes the account", refused.returncode == 3, refused.returncode)


def make_routine(report, ann):
    begin = instant(tomorrow() + SLOT_SECONDS)[:10]
    ann("routine", "add", "Write", "--every", "day", "--at", "00:00", "--count", "3", "--from", begin)
    planned = ann.json("registrations")["registrations"]
    report.check(SUBJECT, "makes a routine", [one["task"] for one in planned] == ["Write"] * 3, len(planned))


def subscribe(report, ann):
    planned = {one["id"] for one in ann.json("registrations")["registrations"]}
    address = ann("calendars", "add", "-q").strip()
    with urllib.request.urlopen(address.replace("webcal:", "http:", 1), timeout=30) as answer:
        events = icalendar.Calendar.from_ical(answer.read()).walk("VEVENT")
    report.check(SUBJECT, "subscribes a calendar", planned == {str(event["UID"]) for event in events})


def meet(report, ann, ben):
    for person in ann, ben:
        person("register", "Read", "--at", instant(tomorrow() - SLOT_SECONDS))

    def arrived():
        # The room opens a moment after the registration.
        return subprocess.run([ann.program, "ale"], env=ann.environment, capture_output=True, timeout=60).returncode == 0

    report.check(SUBJECT, "meets a partner, and sends an ale", until("The ale", arrived))


def export(report, ann):
    ann("export", "--output", "me.json")
    path = os.path.join(ann.home, "me.json")
    with open(path) as file:
        text = file.read()
    held = json.loads(text)
    tasks = sorted(registration["task"] for registration in held["registrations"])
    report.check(
        SUBJECT, "exports what there is, and nothing of others",
        held["account"]["name"] == "Ann" and tasks == ["Read"] + ["Write"] * 3 and "Ben" not in text
        and [words["outcome"] for words in held["sessionWords"]] == ["partly"] and len(held["routines"]) == 1)
    mode = stat.S_IMODE(os.stat(path).st_mode)
    report.check(SUBJECT, "the file is for its owner alone", mode == 0o600, oct(mode))
