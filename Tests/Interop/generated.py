"""A client in Python that openapi-python-client generates from the description, and a day of a person who uses it."""

import base64
import datetime
import importlib
import json
import os
import re
import socket
import subprocess
import sys
import tempfile
import urllib.parse
import urllib.request

import icalendar

from service import instant, tomorrow, until, SLOT_SECONDS

SUBJECT = "generated"
PACKAGE = "letsswitch_client"


def check(report, service):
    folder = tempfile.mkdtemp(dir=service.folder)
    report.holds(SUBJECT, "openapi-python-client understands every call", lambda: generate(service, folder))
    sys.path.insert(0, folder)
    report.holds(SUBJECT, "a day with the generated client goes as it should", lambda: Day(report, service).run())


def generate(service, folder):
    settings = os.path.join(folder, "settings.yml")
    with open(settings, "w") as file:
        # Nothing is formatted afterwards. YAML is read as text.
        file.write("post_hooks: []\ncontent_type_overrides:\n  application/yaml: text/plain\n")
    program = os.path.join(os.path.dirname(sys.executable), "openapi-python-client")
    run = subprocess.run(
        [program, "generate", "--url", f"{service.url}/openapi.json", "--meta", "none", "--config", settings,
            "--output-path", os.path.join(folder, PACKAGE), "--fail-on-warning"],
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if run.returncode != 0:
        raise RuntimeError(run.stdout)


class Day:
    """Two people sign up, meet, and one of them leaves for good."""

    def __init__(self, report, service):
        self.report, self.service = report, service
        self.module = importlib.import_module(PACKAGE)
        self.models = importlib.import_module(f"{PACKAGE}.models")
        with urllib.request.urlopen(f"{service.url}/openapi.json", timeout=30) as answer:
            paths = json.load(answer)["paths"]
        # Each module is called like the operation's id in snake case, in a folder for its tag.
        self.tags = {
            re.sub(r"(?<=[a-z])([A-Z])", r"_\1", call["operationId"]).lower(): call["tags"][0].lower()
            for calls in paths.values() for call in calls.values()}

    def check(self, what, is_so, detail=""):
        self.report.check(SUBJECT, what, is_so, detail)

    def call(self, name, *arguments, client=None, status=200, **others):
        """What the generated function of that name gives; it has to answer with that status."""
        function = importlib.import_module(f"{PACKAGE}.api.{self.tags[name]}.{name}")
        answer = function.sync_detailed(*arguments, client=client or self.client, **others)
        if answer.status_code != status:
            raise RuntimeError(f"{name}: {answer.status_code} {answer.content[:500]}")
        return answer.parsed

    def sign_up(self, name):
        anonymous = self.module.Client(base_url=self.service.url)
        made = self.call("sign_up", client=anonymous, status=201, body=self.models.NewUser(name=name))
        return self.module.AuthenticatedClient(base_url=self.service.url, token=made.token)

    def register(self, client, starts_at):
        body = self.models.NewRegistrationAtInstants(
            task="Write", slots=[datetime.datetime.fromisoformat(instant(starts_at))])
        return self.call("register", client=client, status=201, body=body).registrations[0]

    def run(self):
        self.client = self.sign_up("Ann")
        self.check("signs up", self.call("read_account").user.name == "Ann")
        self.make_routine()
        self.subscribe()
        self.meet()
        self.say_how_it_went()
        self.export()
        self.read_later_answers()
        for client in self.other, self.client:
            self.call("delete_account", client=client, status=204)
        refused = self.call("read_account", status=401)
        self.check("deletes the account", isinstance(refused, self.models.GeneralProblem), refused.title)

    def make_routine(self):
        begin = datetime.date.fromisoformat(instant(tomorrow() + SLOT_SECONDS)[:10])
        rule = self.models.NewRoutine(
            task="Read", rrule="FREQ=DAILY;COUNT=3", local_time="00:00", time_zone="UTC", start_date=begin)
        made = self.call("make_routine", status=201, body=rule)
        registrations = self.call("list_registrations").registrations
        self.planned = [one.id for one in registrations if one.task == "Read"]
        self.check("makes a routine", len(self.planned) == 3 and made.rrule == "FREQ=DAILY;COUNT=3")

    def subscribe(self):
        made = self.call("add_calendar", status=201)
        with urllib.request.urlopen(made.url, timeout=30) as answer:
            events = icalendar.Calendar.from_ical(answer.read()).walk("VEVENT")
        seen = {str(event["UID"]) for event in events}
        self.check("subscribes a calendar", seen == {str(id) for id in self.planned})

    def meet(self):
        self.other = self.sign_up("Ben")
        mine, theirs = (
            self.register(person, tomorrow() - SLOT_SECONDS) for person in (self.client, self.other))
        self.registration = mine.id

        def room():
            rooms = self.call("list_rooms").rooms
            return next((one for one in rooms if len(one.members) == 2), None)

        met = until("The meeting", room)
        names = sorted(member.name for member in met.members)
        ids = {member.id for member in met.members}
        self.check("meets a partner", names == ["Ann", "Ben"] and ids == {mine.id, theirs.id}, ", ".join(names))
        line = enter(met.socket_url)

        def present():
            members = self.call("read_room", met.id).members
            return next((one.present for one in members if one.you), False)

        self.check("is there", until("The entering", present))
        line.close()
        self.room = met.id

    def say_how_it_went(self):
        outcome = self.models.SessionOutcome("partly")
        said = self.call(
            "change_registration", self.registration,
            body=self.models.RegistrationPatch(outcome=outcome, note="The end is missing."))
        self.check("sets an outcome", said.outcome == outcome and said.note == "The end is missing.")

    def export(self):
        export = self.call("export_account")
        rooms = [room.room_id for room in export.rooms]
        ids = {registration.id for registration in export.registrations}
        notes = [words.note for words in export.session_words]
        self.check(
            "exports what there is",
            export.account.name == "Ann" and rooms == [self.room] and ids == {self.registration, *self.planned}
            and len(export.routines) == 1 and notes == ["The end is missing."])
        text = urllib.request.Request(
            f"{self.service.url}/v1/me/export", headers={"Authorization": f"Bearer {self.client.token}"})
        with urllib.request.urlopen(text, timeout=30) as answer:
            self.check("exports nothing of others", b"Ben" not in answer.read())


    def read_later_answers(self):
        """Answers as a later server may give them: each object has one more member, and states and types are new."""
        for path, model in (
                ("/v1/registrations", "RegistrationList"), ("/v1/slots", "SlotList"), ("/v1/rooms", "RoomList"),
                ("/v1/notifications", "NotificationList"), ("/v1/routines", "RoutineList")):
            request = urllib.request.Request(
                self.service.url + path, headers={"Authorization": f"Bearer {self.client.token}"})
            with urllib.request.urlopen(request, timeout=30) as answer:
                changed = later(json.load(answer))
            read = getattr(self.models, model).from_dict(changed)
            kept = count(read.to_dict())
            self.check(f"reads a later {model}", 0 < kept == count(changed), f"{kept} additions")
        summary = {
            "registrationId": str(self.registration), "roomId": str(self.room), "startsAt": "2027-03-01T09:00:00Z",
            "alesSent": 3, "alesReceived": 2, "partners": []}
        completed = {"id": 1, "type": "session.completed", "createdAt": "2027-03-01T09:30:00Z", "data": summary}
        read = self.models.NotificationList.from_dict({"notifications": [completed]}).notifications[0]
        self.check("keeps all members of session.completed", read.data.ales_sent == 3, type(read.data).__name__)


def count(value):
    """The number of additions of `later` in a value."""
    if isinstance(value, list):
        return sum(map(count, value))
    if isinstance(value, dict):
        return sum(count(member) + (name == "later") for name, member in value.items())
    return int(value == "later")


def later(value):
    if isinstance(value, list):
        return [later(element) for element in value]
    if not isinstance(value, dict):
        return value
    changed = {name: later(member) for name, member in value.items()}
    for name in "state", "type", "outcome", "adjusted":
        if isinstance(changed.get(name), str):
            changed[name] = "later"
    return changed | {"later": {"a": [1]}}


def enter(url):
    """A device in a room: a connection that has become a WebSocket."""
    place = urllib.parse.urlsplit(url)
    line = socket.create_connection((place.hostname, place.port), timeout=30)
    key = base64.b64encode(os.urandom(16)).decode()
    line.sendall(
        f"GET {place.path}?{place.query} HTTP/1.1\r\nHost: {place.netloc}\r\nConnection: Upgrade\r\n"
        f"Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: {key}\r\n\r\n".encode())
    answer = line.recv(4096)
    if not answer.startswith(b"HTTP/1.1 101"):
        raise RuntimeError(answer.decode(errors="replace"))
    return line
