"""Routines, whose days `dateutil` computes too, also across changes of the clocks."""

import datetime
import os
import random
from zoneinfo import ZoneInfo

from dateutil.rrule import rrulestr

from service import Person, Service

SUBJECT = "routine"
ZONES = ["UTC", "Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Asia/Kolkata"]
SEED = 20270328
RANDOM_RULES = 200
ROUTINES_OF_ONE = 20
UTC = datetime.timezone.utc
DAYS = ["MO", "TU", "WE", "TH", "FR", "SA", "SU"]
SETTINGS = {
    # The shortest grid on which every time of these zones is.
    "SLOT_SECONDS": "1800",
    "LEAD_SECONDS": "60",
    "LATE_SECONDS": "300",
    "NO_SHOW_SECONDS": "120",
    "MAX_DAYS_AHEAD": "1",
}


def check(report, program, clock_library, folder):
    place = os.path.join(folder, "routines")
    os.mkdir(place, 0o711)
    service = Service(program, place, clock_library, SETTINGS)
    try:
        rules(report, service)
        clocks(report, service)
    finally:
        service.stop()


def rules(report, service):
    """Random rules, from days past and ahead."""
    choice = random.Random(SEED)
    people = People(service)
    differing, compared = [], 0
    for _ in range(RANDOM_RULES):
        zone = choice.choice(ZONES)
        start = datetime.date.today() + datetime.timedelta(days=choice.randint(-360, 360))
        time = datetime.time(choice.randint(0, 23), choice.choice([0, 30]))
        rule = random_rule(choice, start)
        out = [start + datetime.timedelta(days=choice.randint(0, 60)) for _ in range(choice.choice([0, 0, 5]))]
        found = people.routine(rule, start, time, zone, sorted(set(out)))
        compared += len(found or [])
        expected = expand(rule, start, time, zone, 10)
        if found is None:
            # A rule without a day ahead is refused.
            found = []
        shown = [(date, starts) for date, starts, _ in found]
        if shown != expected:
            differing.append((rule, start, time, zone, shown[:2], expected[:2]))
        if any((state == "skipped") != (datetime.date.fromisoformat(date) in out) for date, _, state in found):
            differing.append((rule, start, "exdates", out))
    report.check(
        SUBJECT, f"{RANDOM_RULES} random rules (seed {SEED}) have the days of dateutil", not differing,
        differing[:2] or f"{compared} days")


def clocks(report, service):
    """Daily rules across each change of the clocks in the year ahead, at all half hours of that night."""
    people = People(service)
    for zone in ZONES[1:4]:
        differing, changes = [], transitions(zone)
        for day in changes:
            start = day - datetime.timedelta(days=2)
            for half in range(10):
                time = datetime.time(half // 2, 30 * (half % 2))
                found = people.routine("FREQ=DAILY;COUNT=5", start, time, zone, [])
                shown = [(date, starts) for date, starts, _ in found or []]
                expected = expand("FREQ=DAILY;COUNT=5", start, time, zone, 10)
                if shown != expected:
                    differing.append((start, time, shown, expected))
        report.check(
            SUBJECT, f"its days are dateutil's where the clocks of {zone} change", changes and not differing,
            differing[:1] or ", ".join(str(day) for day in changes))


class People:
    """Accounts that make routines, each as many as it may have."""

    def __init__(self, service):
        self.service = service
        self.left = 0

    def routine(self, rule, start, time, zone, exdates):
        """Date, start and state of the next days; None if the rule has none."""
        if self.left == 0:
            self.person, self.left = Person(self.service), ROUTINES_OF_ONE
        body = {
            "task": "Write", "rrule": rule, "localTime": time.isoformat("minutes"), "timeZone": zone,
            "startDate": start.isoformat(), "exdates": [date.isoformat() for date in exdates],
        }
        try:
            made = self.person.call("POST", "/v1/routines", body)
        except RuntimeError as error:
            if "422" in str(error) and "no day" in str(error):
                return None
            raise
        self.left -= 1
        return [
            (day["date"], datetime.datetime.fromisoformat(day["startsAt"]), day["state"]) for day in made["next"]]


def random_rule(choice, start):
    parts = [f"FREQ={choice.choice(['DAILY', 'WEEKLY'])}"]
    if choice.random() < 0.6:
        parts.append(f"INTERVAL={choice.randint(1, 12)}")
    if choice.random() < 0.6:
        parts.append("BYDAY=" + ",".join(choice.sample(DAYS, choice.randint(1, 5))))
    end = choice.random()
    if end < 0.35:
        parts.append(f"COUNT={choice.randint(1, 300)}")
    elif end < 0.7:
        last = start + datetime.timedelta(days=choice.randint(0, 500))
        parts.append(f"UNTIL={last:%Y%m%d}")
    if choice.random() < 0.3:
        parts.append(f"WKST={choice.choice(DAYS)}")
    choice.shuffle(parts)
    return ";".join(parts)


def expand(rule, start, time, zone, count):
    """The next days by dateutil. Of a local time that comes twice the first counts; one that does not exist is read
    with the offset before the gap: both are `fold=0` (PEP 495)."""
    parts = [part + "T235959" if part.startswith("UNTIL=") else part for part in rule.split(";")]
    now = datetime.datetime.now(UTC)
    found = []
    for local in rrulestr(";".join(parts), dtstart=datetime.datetime.combine(start, time)):
        instant = local.replace(tzinfo=ZoneInfo(zone)).astimezone(UTC)
        if instant > now:
            found.append((local.date().isoformat(), instant))
        if len(found) == count or local.year > 2200:
            break
    return found


def transitions(zone):
    """The days of the year ahead on which the offset changes."""
    rules = ZoneInfo(zone)
    days = [datetime.date.today() + datetime.timedelta(days=ahead) for ahead in range(5, 360)]
    noon = datetime.time(12)
    offsets = [rules.utcoffset(datetime.datetime.combine(day, noon)) for day in days]
    return [day for day, before, after in zip(days[1:], offsets, offsets[1:]) if before != after]
