"""The messages of a room's socket, checked by `jsonschema` against the schemas that the server describes."""

import json
import urllib.request

from jsonschema import Draft202012Validator
from websockets.sync.client import connect

from service import Person, until

SUBJECT = "frames"
VERSION_2 = "letsswitch.v2"


class Frames:
    """Every message that was heard, and what is wrong with any of them."""

    def __init__(self, url):
        with urllib.request.urlopen(f"{url}/openapi.json", timeout=30) as answer:
            components = json.loads(answer.read())["components"]
        self.schemas = {
            version: Draft202012Validator(
                {"$ref": f"#/components/schemas/{name}", "components": components},
                format_checker=Draft202012Validator.FORMAT_CHECKER)
            for version, name in [(1, "SocketServerMessageV1"), (2, "SocketServerMessage")]}
        self.types = set()
        self.count = 0
        self.wrong = []

    def faults(self, message, version=2):
        return [error.message for error in self.schemas[version].iter_errors(message)]

    def hear(self, socket, kind):
        """The next message of that type; those before it are checked as well."""
        version = 2 if socket.subprotocol == VERSION_2 else 1
        while True:
            message = json.loads(socket.recv(timeout=30))
            self.count += 1
            self.types.add(message["type"])
            self.wrong += [f"{fault} in {message}" for fault in self.faults(message, version)]
            if message["type"] == kind:
                return message


def check(report, service):
    report.holds(SUBJECT, "two people meet in a room", lambda: meet(report, service))


def meet(report, service):
    frames = Frames(service.url)
    people = [Person(service, name) for name in ("Ada", "Bea")]
    registrations = [person.enter_match() for person in people]
    urls = [until("the room", lambda person=person: address(person)) for person in people]

    def enter(url, options="", versions=(VERSION_2,)):
        return connect(url + options, subprotocols=list(versions) or None)

    with enter(urls[0], "&merge=1&ping=30") as ada, enter(urls[1]) as bea, enter(urls[0], versions=()) as old:
        hello = frames.hear(ada, "handshake")
        report.check(SUBJECT, "the server pings as it was asked", hello["pingSeconds"] == 30, hello["pingSeconds"])
        frames.hear(bea, "handshake")
        frames.hear(old, "handshake")
        for status in ("getting-ready", "ready", None):
            ada.send(json.dumps({"type": "status", "status": status}))
            report.check(SUBJECT, f"status {status} is told", frames.hear(bea, "status")["status"] == status)
        for text in ('{"type":"status","status":"busy"}', '{"type":"dance"}', '{"type":"ale","id":"x"}'):
            ada.send(text)
            frames.hear(ada, "error")
        people[0].call("PATCH", f"/v1/registrations/{registrations[0]['id']}", {"checkIn": "Ready"})
        frames.hear(bea, "checkIn")
        people[0].call("PATCH", f"/v1/registrations/{registrations[0]['id']}", {"outcome": "done", "note": "All"})
        frames.hear(bea, "outcome")
        bea.send(json.dumps({"type": "ale", "messageId": "m"}))
        frames.hear(bea, "ack")
        ale = frames.hear(ada, "aleResponse")
        frames.hear(old, "aleResponse")
        # Reads what a member does after the ale, and that the other one is gone.
        ada.close()
        old.close()
        frames.hear(bea, "presence")
    # A person who comes to this slot afterwards finds no other.
    for person in people:
        person.call("DELETE", "/v1/me")
    report.check(
        SUBJECT, f"{frames.count} messages are as /openapi.json says", not frames.wrong,
        "; ".join(frames.wrong[:3]) or ", ".join(sorted(frames.types)))
    short = {name: value for name, value in ale.items() if name != "seq"}
    found = [frames.faults(short), frames.faults({"type": "ale"})]
    report.check(SUBJECT, "a missing member and an unknown type are found", all(found), str(found))
    report.check(SUBJECT, "a new member is allowed", not frames.faults(ale | {"mood": "glad"}))


def address(person):
    """The socket's URL, once two are in the room."""
    rooms = person.call("GET", "/v1/rooms")["rooms"]
    return rooms[0]["socketUrl"] if rooms and len(rooms[0]["members"]) == 2 else None
