"""Calendars, read by the package `icalendar` and by libical."""

import ctypes
import ctypes.util
import datetime
import urllib.error
import urllib.request

import icalendar

from service import SLOT_SECONDS, Person, tomorrow

SUBJECT = "calendar"
# It has everything that has a meaning in a calendar, and is long enough to be folded in the middle of characters.
TASK = "Read; write, \\ and say “語” " + "ü🍺" * 40


def check(report, service):
    person = Person(service)
    made = person.call("POST", "/v1/me/calendars")
    report.check(SUBJECT, "its address is for calendar programs", made["webcal"].startswith("webcal://"))
    kept = person.enter_match(tomorrow() + SLOT_SECONDS, TASK)
    dropped = person.enter_match(tomorrow() + 2 * SLOT_SECONDS, "Nothing")
    # A program that never had the event needs no cancellation.
    read(made["url"])
    person.call("DELETE", f"/v1/registrations/{dropped['id']}")
    body, tag = read(made["url"])
    calendar = report.holds(SUBJECT, "icalendar reads it", lambda: icalendar.Calendar.from_ical(body))
    events = {str(event["UID"]): event for event in calendar.walk("VEVENT")}
    report.check(SUBJECT, "the registrations are its events", set(events) == {kept["id"], dropped["id"]})
    event = events[kept["id"]]
    report.check(SUBJECT, "the task is as it was given", str(event["SUMMARY"]) == TASK)
    starts = datetime.datetime.fromisoformat(kept["slot"]["startsAt"])
    report.check(SUBJECT, "it starts when the slot does", event["DTSTART"].dt == starts, event["DTSTART"].dt)
    alarms = event.walk("VALARM")
    report.check(
        SUBJECT, "an alarm comes one minute before",
        len(alarms) == 1 and alarms[0]["TRIGGER"].dt == datetime.timedelta(minutes=-1))
    report.check(SUBJECT, "a cancelled one says so", events[dropped["id"]]["STATUS"] == "CANCELLED")
    report.check(
        SUBJECT, "it says how often to read it",
        calendar["REFRESH-INTERVAL"].dt == datetime.timedelta(minutes=15))
    report.check(SUBJECT, "icalendar finds no errors", not any(part.errors for part in calendar.walk()))
    libical(report, body)
    report.check(SUBJECT, "it is not sent again unchanged", status(made["url"], {"If-None-Match": tag}) == 304)
    changed = person.call("PATCH", f"/v1/registrations/{kept['id']}", {"task": "Read"})
    event = icalendar.Calendar.from_ical(read(made["url"])[0]).walk("VEVENT")[0]
    report.check(
        SUBJECT, "a change raises its sequence", event["SEQUENCE"] >= 1 and str(event["SUMMARY"]) == changed["task"])
    person.call("DELETE", f"/v1/me/calendars/{made['id']}")
    report.check(SUBJECT, "its address ends when it is taken back", status(made["url"]) == 404)


def libical(report, body):
    library = ctypes.CDLL("libical.so.3")
    library.icalparser_parse_string.restype = ctypes.c_void_p
    library.icalparser_parse_string.argtypes = [ctypes.c_char_p]
    for function in "icalcomponent_count_errors", "icalrestriction_check":
        getattr(library, function).argtypes = [ctypes.c_void_p]
    library.icalcomponent_count_components.argtypes = [ctypes.c_void_p, ctypes.c_int]
    component = library.icalparser_parse_string(body)
    report.check(SUBJECT, "libical reads it", component is not None)
    # ICAL_VEVENT_COMPONENT of libical's enumeration.
    events = library.icalcomponent_count_components(component, 4)
    report.check(SUBJECT, "libical finds its events", events == 2, events)
    errors = library.icalcomponent_count_errors(component)
    report.check(SUBJECT, "libical finds no errors", errors == 0, errors)
    report.check(SUBJECT, "libical finds it complete", library.icalrestriction_check(component) == 1)
    broken = library.icalparser_parse_string(body.replace(b"DTSTART:", b"DTSTART:x"))
    report.check(
        SUBJECT, "libical would find an error", library.icalcomponent_count_errors(broken) > 0)


def read(url):
    """The bytes, and the entity tag."""
    with urllib.request.urlopen(url, timeout=30) as answer:
        return answer.read(), answer.headers["ETag"]


def status(url, headers={}):
    try:
        with urllib.request.urlopen(urllib.request.Request(url, headers=headers), timeout=30) as answer:
            return answer.status
    except urllib.error.HTTPError as error:
        return error.code
