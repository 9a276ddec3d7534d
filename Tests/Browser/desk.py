"""The operators' page: what each role sees and does, an abuse case, forged requests, and every screen.

Vera is a viewer, Sam a supporter with one-time codes, and Ada an admin. Four people have registered for the next
slot, and are matched a minute before: Ann has Ben for a partner, whichever of the others that is, and Cal has Dan. They
are called and do what people write who are hostile.
"""

import base64
import hashlib
import hmac
import json
import os
import re
import socket
import struct
import subprocess
import threading
import time
import urllib.error
import urllib.request
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from playwright.sync_api import expect

import look
import meeting
import tour
from service import Person, Service, instant, until
from visitor import DESKTOP, PHONE, Keyboard, Visitor

SUBJECT = "Desk"
PLAIN = tour.Words(["Ann", "Ben", "Cal", "Dan"], tour.PLAIN.tasks, tour.PLAIN.tag, tour.PLAIN.note)
# The room opens so many seconds before the slot, and people register so many seconds before that.
SLOT, LEAD, REGISTERING = 1800, 60, 50
PASSWORD = "correct horse battery staple"
REPORT = 'He said things. <img src=x onerror="ran=1">'
REASON = "Rude to others in a room"


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


def one_time_code(secret, now):
    """RFC 6238, with SHA-1 and steps of 30 s."""
    key = base64.b32decode(secret + "=" * (-len(secret) % 8))
    digest = hmac.new(key, struct.pack(">Q", int(now) // 30), hashlib.sha1).digest()
    start = digest[-1] & 15
    return f"{(struct.unpack('>I', digest[start:start + 4])[0] & 0x7fffffff) % 1_000_000:06}"


class Listener:
    """The address of the desk, as visitors ask for it."""

    def __init__(self, port):
        self.url = f"http://127.0.0.1:{port}"


class Stage:
    """A server with a desk, a browser, four people and three operators."""

    def __init__(self, suite, browser, words, mistake=None):
        self.browser, self.words, self.mistake = browser, words, mistake
        # The next slot whose room is not open yet. Where libfaketime puts the clock forward by many hours, the
        # sleeps of the server do not end.
        self.start = (int(time.time() + LEAD + REGISTERING) // SLOT + 1) * SLOT
        self.listener = Listener(free_port())
        self.visitors, self.secrets = {}, {}
        self.service = Service(suite.program, suite.place("desk"), suite.clock, suite.settings | {
            "SLOT_SECONDS": str(SLOT), "LEAD_SECONDS": str(LEAD), "LATE_SECONDS": "1800", "NO_SHOW_SECONDS": "5",
            "ROOM_SIZE": "2", "ADMIN_PORT": self.listener.url.rsplit(":", 1)[1]},
            forward=int(self.start - LEAD - REGISTERING - time.time()))
        try:
            self.meet()
            for name, role in ("vera", "viewer"), ("sam", "support"), ("ada", "admin"):
                self.add_operator(suite, name, role)
        except Exception:
            self.service.stop()
            raise

    @property
    def now(self):
        return time.time() + self.service.forward

    def add_operator(self, suite, name, role):
        path = os.path.join(self.service.folder, "password")
        with open(path, "w") as file:
            file.write(PASSWORD + "\n")
        os.chmod(path, 0o600)
        code = ["--code"] if name == "sam" else []
        # The database's clock counts; and with libfaketime the program sees no arguments.
        own = {key: value for key, value in self.service.environment.items() if key != "LD_PRELOAD"}
        made = subprocess.run(
            [suite.program, "operator", "add", name, "--role", role, "--password-file", path, *code],
            env=own, capture_output=True, text=True, timeout=60)
        assert made.returncode == 0, made.stderr
        if code:
            self.secrets[name] = re.search(r"shown once: ([A-Z2-7]+)", made.stdout)[1]

    def code(self, name):
        return one_time_code(self.secrets[name], self.now)

    def visitor(self, name, service, size=DESKTOP, **options):
        # A mistake is one of the desk's.
        mistake = self.mistake if service is self.listener else None
        visitor = Visitor(self.browser, service, size, self.service.forward, mistake, **options)
        self.visitors[name] = visitor
        return visitor

    def person(self, name, person):
        visitor = self.visitor(name, self.service, PHONE)
        visitor.sign_in(person.token)
        return visitor

    def operator(self, name, address="/desk/now"):
        """Signs in by the page."""
        visitor = self.visitor(f"{name} at {address}" if name in self.visitors else name, self.listener)
        visitor.secrets.add(PASSWORD)
        visitor.go(address)
        page = visitor.page
        page.get_by_label("Name").fill(name)
        page.get_by_label("Password").fill(PASSWORD)
        if name in self.secrets:
            page.get_by_label("Code").fill(self.code(name))
        page.get_by_role("button", name="Sign in").click()
        page.locator("#places a").first.wait_for()
        visitor.settle()
        return visitor

    @property
    def slot(self):
        return instant(self.start)

    def meet(self):
        """All register, and have a room when it opens; then they are in the order of their names."""
        names, tasks = self.words.names[:4], self.words.tasks
        people = [Person(self.service, name) for name in names]
        mine = [person.call("POST", "/v1/registrations", {
            "task": tasks[index % len(tasks)], "slots": [self.slot], "tag": self.words.tag})["registrations"][0]["id"]
            for index, person in enumerate(people)]
        rooms = [self.room(person, one) for person, one in zip(people, mine)]
        ben = next(index for index in (1, 2, 3) if rooms[index] == rooms[0])
        order = [0, ben, *(index for index in (1, 2, 3) if index != ben)]
        self.people, self.names, self.registrations, self.rooms = (
            [one[index] for index in order] for one in (people, names, mine, rooms))
        assert self.rooms[1] != self.rooms[2] == self.rooms[3], rooms
        self.ids = [person.call("GET", "/v1/me")["user"]["id"] for person in self.people]
        self.ann, self.ben, self.cal, self.dan = self.people

    @staticmethod
    def room(person, registration):
        return until("the room", lambda: person.call("GET", f"/v1/registrations/{registration}").get("roomId"), 90)

    def gather(self):
        """Ann, Ben and Cal are in their rooms."""
        names = {}
        for name, person, room in zip(("Ann", "Ben", "Cal"), self.people, self.rooms):
            names[name] = self.person(name, person)
            names[name].go(f"/room/{room}")
            names[name].page.locator(".stay:not(.away)").wait_for()
        return names["Ann"], names["Ben"], names["Cal"]

    def check_quiet(self, report):
        for name, visitor in self.visitors.items():
            visitor.check_quiet(report, SUBJECT, name)

    def __enter__(self):
        return self

    def __exit__(self, kind, *_):
        if kind:
            tour.show_failure(self.service, self.visitors.values())
        self.browser.close()
        self.service.stop()


def check(suite, playwright, report):
    browser = playwright.chromium.launch(executable_path=suite.chromium)
    with Stage(suite, browser, tour.HOSTILE) as stage:
        story(stage, report)
        screens(stage, look.Looker(report, large=()))
        inside(stage, report)
        closed(stage, report)
        forged(stage, report)
        locked_out(stage, report)
        stage.check_quiet(report)


def take_pictures(suite, playwright, camera):
    browser = playwright.chromium.launch(executable_path=suite.chromium)
    with Stage(suite, browser, PLAIN) as stage:
        stage.gather()
        report_ben(stage)
        screens(stage, camera)


def report_ben(stage):
    stage.ann.call("POST", "/v1/blocks", {"registrationId": stage.registrations[1], "report": REPORT})


def story(stage, report):
    ann, ben, cal = stage.gather()
    sam = sign_in_by_keyboard(stage, report)
    vera = stage.operator("vera")
    ada = stage.operator("ada", "/desk/announcements")
    roles(stage, report, vera)
    streamed(report, vera)
    announced(report, ada, ann, cal)
    report_ben(stage)
    sam.page.locator(".tiles .worse").get_by_text("new report").wait_for()
    report.check(SUBJECT, "a new report is seen on the screen Now without a reload", True)
    # Now Cal is alone, as Ann will be.
    stage.dan.call("DELETE", f"/v1/registrations/{stage.registrations[3]}")
    # The calls of a suspended person are refused from then on.
    with tour.expected(ben):
        suspended(stage, report, sam)
        consequences(stage, report, ann, ben)
    searched(stage, report, sam)
    audited(stage, report, ada)


def sign_in_by_keyboard(stage, report):
    sam = stage.visitor("sam", stage.listener)
    sam.secrets |= {PASSWORD, stage.secrets["sam"]}
    sam.go("/desk/now")
    page, keyboard = sam.page, Keyboard(sam)
    keyboard.type(page.get_by_label("Name"), "sam")
    keyboard.type(page.get_by_label("Password"), PASSWORD)
    with tour.expected(sam):
        page.keyboard.press("Enter")
        page.get_by_role("alert").wait_for()
    said = page.get_by_role("alert").inner_text()
    report.check(SUBJECT, "a password without the code does not sign in", "not right" in said, said)
    keyboard.type(page.get_by_label("Code"), stage.code("sam"))
    page.keyboard.press("Enter")
    page.locator("#places a").first.wait_for()
    page.locator(".state.live").wait_for()
    report.check(SUBJECT, "Sam signs in by the keyboard, with a one-time code, and sees figures by the stream", True)
    for keys, heading in ("gs", "Slots"), ("gp", "People"), ("gr", "Reports"), ("gd", "Deliveries"), ("gn", "Now"):
        for key in keys:
            page.keyboard.press(key)
        sam.heading(heading)
    page.keyboard.press("/")
    sam.heading("People")
    page.keyboard.press("/")
    is_search = page.evaluate("document.activeElement.type") == "search"
    page.keyboard.type("gs?")
    written = page.evaluate("document.querySelector('input[type=search]')?.value")
    report.check(SUBJECT, "keys lead to places and to the search, and are letters in a text field",
                 is_search and written == "gs?" and page.url.endswith("/desk/people"), written)
    page.keyboard.press("Tab")
    page.keyboard.press("?")
    page.get_by_role("dialog").get_by_text("Use these keys").wait_for()
    page.get_by_role("checkbox").uncheck()
    page.keyboard.press("Escape")
    for key in "gs":
        page.keyboard.press(key)
    page.wait_for_timeout(300)
    is_off = page.url.endswith("/desk/people")
    page.get_by_role("button", name="Keys").click()
    page.get_by_role("checkbox").check()
    page.keyboard.press("Escape")
    report.check(SUBJECT, "keys can be switched off", is_off)
    report.check(SUBJECT, "the focus was always to be seen", not keyboard.unseen, keyboard.unseen[:3] or "")
    page.keyboard.press("g")
    page.keyboard.press("n")
    page.locator(".state.live").wait_for()
    return sam


def roles(stage, report, vera):
    page = vera.page
    places = page.locator("#places a").all_inner_texts()
    report.check(SUBJECT, "a viewer's navigation has neither settings nor the audit log",
                 "People" in places and not {"Settings", "Audit"} & set(places), ", ".join(places))
    acts = []
    for address in (f"people/{stage.ids[1]}", f"rooms/{stage.rooms[0]}", "announcements", "servers",
                    f"slots/{stage.slot}"):
        vera.go(f"/desk/{address}")
        acts += page.locator("main button").all_inner_texts()
    report.check(SUBJECT, "a viewer is shown no act", not acts, acts or "")
    vera.go("/desk/audit")
    vera.heading("Your role does not see this")
    report.check(SUBJECT, "a viewer is told that the audit log takes a greater role", True)
    with tour.expected(vera):
        status = page.evaluate(
            "id => fetch(`/admin/v1/people/${id}/suspend`, { method: 'POST', body: '{\"reason\": \"x\"}',"
            " headers: { 'Content-Type': 'application/json' } }).then(({ status }) => status)", stage.ids[1])
    report.check(SUBJECT, "and the server refuses what the page does not show", status == 403, status)


def searched(stage, report, sam):
    page = sam.page
    sam.go("/desk/people")
    field = page.get_by_label("Name, id or token")
    field.fill(stage.ben.token)
    page.get_by_role("button", name="Search").click()
    page.wait_for_url("**/desk/people?query=*")
    sam.settle()
    found = page.locator("tbody tr")
    report.check(SUBJECT, "a person is found by a token, and the whole token is in no address",
                 found.count() == 1 and stage.ids[1] in found.inner_text() and stage.ben.token not in page.url,
                 page.url.split("/desk/")[1])
    sam.go("/desk/people")
    field.fill(stage.names[1][:6])
    page.keyboard.press("Enter")
    page.wait_for_url("**/desk/people?query=*")
    sam.settle()
    report.check(SUBJECT, "and by the beginning of the name", stage.ids[1] in page.locator("table").inner_text())


def streamed(report, vera):
    """What the screen Now says of itself where the stream is away, and where nothing answers."""
    page = vera.page
    page.route("**/admin/v1/live", lambda route: route.fulfill(status=503, body=""))
    with tour.expected(vera):
        vera.go("/desk/now")
        page.locator(".tiles").wait_for()
        report.check(SUBJECT, "figures are asked for where the stream is away, and the screen says so",
                     page.locator(".state.polling").count() == 1, page.locator(".state").inner_text())
        page.route("**/admin/v1/now", lambda route: route.abort())
        page.locator(".state.away").wait_for()
        report.check(SUBJECT, "and are said to be old where nothing answers", True, page.locator(".state").inner_text())
    page.unroute("**/admin/v1/live")
    page.unroute("**/admin/v1/now")


# Notes when the words are on the screen, by the clock that all pages of this machine share.
WATCH = """(text) => {
  globalThis.shownAt = null;
  new MutationObserver(() => {
    if (!shownAt && document.querySelector('.announcement')?.textContent.includes(text)) {
      requestAnimationFrame(() => { shownAt = performance.timeOrigin + performance.now(); });
    }
  }).observe(document.getElementById('notices'), { childList: true, subtree: true });
}"""


def announced(report, ada, *people):
    text = "We restart the service at noon. <b>Sorry!</b>"
    for visitor in people:
        visitor.page.evaluate(WATCH, text)
    page = ada.page
    page.get_by_label("To", exact=True).select_option("everybody")
    page.get_by_label("Text").fill(text)
    page.get_by_role("button", name="Announce").click()
    dialog = page.get_by_role("dialog")
    is_told = text in dialog.inner_text() and "all people" in dialog.inner_text()
    report.check(SUBJECT, "before an announcement the page says who will read which words", is_told)
    page.evaluate("""document.querySelector('dialog .main').addEventListener('click', () => {
      globalThis.pressedAt = performance.timeOrigin + performance.now(); }, true)""")
    dialog.get_by_role("button", name="Announce").click()
    page.locator(".notice").get_by_text("Announced").wait_for()
    pressed = page.evaluate("pressedAt")
    times = []
    for visitor in people:
        page = visitor.page
        times.append(meeting.wait_for("the announcement", lambda one=page: one.evaluate("shownAt"), page) - pressed)
    report.check(SUBJECT, "two people see the announcement within a second", max(times) < 1000,
                 ", ".join(f"{one:.0f} ms" for one in times))
    said = people[0].page.locator(".announcement").inner_text()
    report.check(SUBJECT, "as text", "<b>Sorry!</b>" in said, said.replace("\n", " "))


def suspended(stage, report, sam):
    page = sam.page
    page.keyboard.press("g")
    page.keyboard.press("r")
    sam.heading("Reports")
    page.get_by_role("link", name=re.compile("^Report ")).first.click()
    sam.heading(re.compile("^Report "))
    is_hidden = REPORT not in page.content() and REPORT not in page.locator("main").inner_text()
    page.get_by_role("button", name="Show the report").click()
    page.locator("blockquote").wait_for()
    said = page.locator("blockquote").inner_text()
    report.check(SUBJECT, "the words of a report are hidden until they are asked for, and are text then",
                 is_hidden and said == REPORT, said)
    page.get_by_role("button", name="Take", exact=True).click()
    page.get_by_role("dialog").get_by_role("button", name="Take", exact=True).click()
    page.locator(".facts").get_by_text("taken", exact=True).wait_for()
    page.get_by_role("button", name="Suspend").click()
    dialog = page.get_by_role("dialog")
    said = dialog.inner_text()
    name = stage.names[1]
    report.check(SUBJECT, "the dialog names who is suspended, and what will happen",
                 visible(name) in visible(said) and "partners are matched again" in said)
    with tour.expected(sam):
        dialog.get_by_role("button", name="Suspend").click()
        dialog.get_by_role("alert").wait_for()
    report.check(SUBJECT, "a fault is said at its field, and nothing was done",
                 dialog.locator("[aria-invalid=true]").get_attribute("name") == "reason",
                 dialog.get_by_role("alert").inner_text())
    dialog.get_by_label("Reason").fill(REASON)
    dialog.get_by_role("button", name="Suspend").click()
    page.locator(".facts").get_by_text("suspended").wait_for()
    report.check(SUBJECT, "the report is closed by the suspension",
                 page.locator(".facts .badge").first.inner_text() == "closed")


def visible(text):
    return "".join(text.split())


def consequences(stage, report, ann, ben):
    begun = time.monotonic()
    people = ann.page.locator(".person:not(.you)")
    meeting.wait_for("a new partner", lambda: visible(stage.names[2]) in visible(" ".join(people.all_inner_texts())),
                     ann.page, limit=100)
    report.check(SUBJECT, "the partner is matched again, and sees who has come", True,
                 f"{time.monotonic() - begun:.1f} s after the act was seen")
    ben.page.locator(".trouble p").first.wait_for()
    report.check(SUBJECT, "the room of a suspended person closes", True, ben.page.locator(".trouble").inner_text())
    ben.page.goto("/day")
    ben.page.get_by_text(REASON).first.wait_for()
    report.check(SUBJECT, "a suspended person reads the reason and the date",
                 re.search(r"until \d{4}-\d\d-\d\d", ben.page.locator("main").inner_text()),
                 ben.page.locator(".problem").first.inner_text())


def audited(stage, report, ada):
    page = ada.page
    ada.go("/desk/audit")
    said = page.locator("table").inner_text()
    wanted = ["person.suspend", "report.reveal", "report.take", "announcement.make", "session.begin"]
    report.check(SUBJECT, "the audit log has what was done", all(one in said for one in wanted),
                 [one for one in wanted if one not in said] or "")
    page.get_by_role("button", name="Verify the chain").click()
    page.locator("#verified").wait_for()
    report.check(SUBJECT, "and its chain is whole", "is whole" in page.locator("#verified").inner_text(),
                 page.locator("#verified").inner_text())
    page.get_by_text("Filters").click()
    page.get_by_label("Operator", exact=True).fill("sam")
    page.get_by_label("Action").fill("person.suspend")
    page.get_by_role("button", name="Show").click()
    page.wait_for_url("**/desk/audit?*action=person.suspend*")
    ada.settle()
    rows = page.locator("tbody tr")
    report.check(SUBJECT, "and is filtered by its address", rows.count() == 1 and "sam" in rows.inner_text(),
                 rows.count())
    page.get_by_text("Export").click()
    with page.expect_download() as download:
        page.get_by_role("button", name="Download").click()
    with open(download.value.path()) as file:
        entries = [json.loads(line) for line in file]
    report.check(SUBJECT, "and is exported", entries and entries[0]["id"] == 1, f"{len(entries)} entries")
    rows.get_by_role("link", name=re.compile("^person:")).click()
    page.get_by_role("button", name="Lift the suspension").wait_for()
    report.check(SUBJECT, "an entry leads to its subject", True)


def screens(stage, look):
    """Every screen in every state, as an admin sees it; `look` is called with the name of each, and the visitor."""
    ben = stage.ids[1]
    ada = stage.visitors.get("ada") or stage.operator("ada")
    page = ada.page
    guest = stage.visitor("guest", stage.listener)
    guest.go("/desk/people")
    look("desk sign-in", guest)
    guest.page.get_by_label("Name").fill("nobody")
    guest.page.get_by_label("Password").fill("nothing at all")
    with tour.expected(guest):
        guest.page.keyboard.press("Enter")
        guest.page.get_by_role("alert").wait_for()
        look("desk sign-in refused", guest)
    key = stage.slot
    for name, address, wait in (
            ("now", "now", ".tiles"), ("slots", "slots", "table"), ("slot", f"slots/{key}", "table"),
            ("rooms", "rooms", "table"), ("room", f"rooms/{stage.rooms[0]}", ".timeline"),
            ("people", "people", "table"), ("people nobody", "people?query=zzzz", ".empty"),
            ("person", f"people/{ben}", ".facts"), ("person registrations", f"people/{ben}/registrations", "table"),
            ("person audit", f"people/{ben}/audit", "h1"), ("reports", "reports?state=closed", "h1"),
            ("reports new", "reports", "h1"), ("report", "reports/1", ".facts"), ("announce", "announcements", "form"),
            ("announce to one", f"announcements?person={ben}", "form"),
            ("deliveries", "deliveries?state=failed", "h1"), ("deliveries waiting", "deliveries", "h1"),
            ("hosts", "deliveries/hosts", "h1"), ("endpoints", "deliveries/endpoints", "h1"),
            ("servers", "servers", "table"), ("settings", "settings", "table"), ("audit", "audit", "table"),
            ("me", "me", "table")):
        ada.go(f"/desk/{address}")
        page.locator(wait).first.wait_for()
        tour.unfold(page)
        page.wait_for_timeout(300)
        while count := page.locator(".reveal > button").count():
            page.locator(".reveal > button").first.click()
            expect(page.locator(".reveal > button")).to_have_count(count - 1)
        look(f"desk {name}", ada)
    dialogs(stage, look, ada, ben)
    ada.go(f"/desk/rooms/{stage.rooms[0]}")
    page.get_by_role("button", name="Close the room").click()
    page.get_by_role("dialog").wait_for()
    look("desk dialog close the room", ada)
    page.get_by_role("button", name="Go back").click()
    page.get_by_role("dialog").wait_for(state="detached")
    page.set_viewport_size({"width": 360, "height": 740})
    ada.go("/desk/now")
    page.locator(".tiles").wait_for()
    page.get_by_role("button", name="Menu").click()
    look("desk menu", ada)
    with tour.expected(ada):
        ada.go("/desk/nowhere")
        look("desk lost", ada)
        ada.go("/desk/rooms/00000000-0000-4000-8000-000000000000")
        look("desk no such room", ada)
        ada.go("/desk/now")
        page.locator(".state.live").wait_for()
        page.get_by_role("button", name="Pause").click()
        page.locator(".state.paused").wait_for()
        look("desk paused", ada)
        ada.context.set_offline(True)
        page.locator(".notice").get_by_text("You are offline").wait_for()
        page.keyboard.press("g")
        page.keyboard.press("s")
        ada.heading("You are offline")
        look("desk offline", ada)
        ada.context.set_offline(False)
        ada.heading("Slots")
        look("desk online", ada)
    vera = stage.visitors.get("vera") or stage.operator("vera")
    vera.go("/desk/settings")
    look("desk forbidden", vera)
    vera.go(f"/desk/people/{ben}")
    look("desk person for a viewer", vera)
    none = stage.visitor("no JavaScript", stage.listener, java_script_enabled=False)
    none.page.goto("/desk/people")
    none.page.locator("noscript strong").wait_for()
    look("desk no JavaScript", none)
    none.close()
    del stage.visitors["no JavaScript"]


def dialogs(stage, look, ada, ben):
    page = ada.page
    ada.go(f"/desk/people/{ben}")
    for name in page.locator("main > div > .actions > button").all_inner_texts():
        page.locator("main > div > .actions").get_by_role("button", name=name, exact=True).click()
        page.get_by_role("dialog").wait_for()
        look(f"desk dialog {name.lower()}", ada)
        page.get_by_role("button", name="Go back").click()
        page.get_by_role("dialog").wait_for(state="detached")
    page.get_by_role("button", name="Make a recovery code").click()
    page.get_by_role("dialog").get_by_label("Reason").fill("A lost phone")
    page.get_by_role("dialog").get_by_role("button", name="Make a recovery code").click()
    page.get_by_role("button", name="I have saved it").wait_for()
    page.get_by_role("dialog").get_by_role("textbox", name=re.compile("^Recovery code of ")).wait_for()
    look("desk recovery code", ada)
    page.get_by_role("button", name="I have saved it").click()
    ada.go("/desk/me")
    page.get_by_role("button", name="Make a token").click()
    page.get_by_role("dialog").get_by_label("Name").fill(stage.names[1][:32])
    look("desk dialog token", ada)
    page.get_by_role("button", name="Make it").click()
    page.get_by_role("button", name="I have saved it").wait_for()
    look("desk token", ada)
    page.get_by_role("button", name="I have saved it").click()
    page.get_by_role("button", name="End", exact=True).wait_for()
    look("desk me with a token", ada)
    page.keyboard.press("?")
    page.get_by_role("dialog").wait_for()
    look("desk keys", ada)
    page.keyboard.press("Escape")


def closed(stage, report):
    """A room is closed by hand: its members are told, and it stays closed."""
    ada, cal = stage.visitors["ada"], stage.visitors["Cal"]
    room = cal.page.evaluate("location.pathname.split('/').pop()")
    ada.page.set_viewport_size(DESKTOP)
    ada.go(f"/desk/rooms/{room}")
    page = ada.page
    page.get_by_role("button", name="Close the room").click()
    dialog = page.get_by_role("dialog")
    said = dialog.inner_text()
    report.check(SUBJECT, "before a room is closed the page says what happens", "All members leave it" in said, said)
    with tour.expected(cal):
        dialog.get_by_role("button", name="Close the room").click()
        page.locator(".notice").get_by_text("The room is closed").wait_for()
        cal.page.locator(".stay").wait_for(state="detached")
    report.check(SUBJECT, "its members are told that it is over", True,
                 cal.page.locator("main").inner_text().replace("\n", " ")[:100])
    heading = cal.page.locator("h1").first.inner_text()
    report.check(SUBJECT, "and that an operator closed the room", heading == "An operator closed this room", heading)
    cal.go("/day")
    cal.page.locator(".slot.closed", has_text="An operator closed your room.").first.wait_for(state="attached")
    said = cal.page.locator(".slot.open").count()
    report.check(SUBJECT, "the day says so too, and calls nothing open", said == 0, said)
    report.check(SUBJECT, "and what happened has it, without another act",
                 "The room was closed" in page.locator(".timeline").inner_text()
                 and page.get_by_role("button", name="Close the room").count() == 0)


def inside(stage, report):
    """The port of operators tells scripts about the server, without a name or a secret."""
    def ask(base, path):
        try:
            with urllib.request.urlopen(f"{base}{path}", timeout=30) as answer:
                return answer.status, answer.read().decode()
        except urllib.error.HTTPError as error:
            return error.code, error.read().decode()

    (status, said), (found, debug) = ask(stage.listener.url, "/readyz?verbose"), ask(stage.listener.url, "/debug")
    parts = {part["name"]: part["isWell"] for part in json.loads(said)["parts"]}
    report.check(SUBJECT, "the port of operators tells the state of each part", status == 200 and all(parts.values())
                 and {"database", "listen connection", "scheduler", "lease", "clock"} <= set(parts), parts)
    counts = json.loads(debug)["counts"]
    report.check(SUBJECT, "and counts of what is inside", found == 200 and counts["rooms"] >= 2, counts)
    secrets = [*stage.ids, *stage.names, *(person.token for person in stage.people)]
    report.check(SUBJECT, "without any name, id or token", not any(one in said + debug for one in secrets))
    public = [ask(stage.service.url, path) for path in ("/debug", "/readyz?verbose")]
    report.check(SUBJECT, "the public port tells neither", public[0][0] == 404 and public[1] == (200, "ready\n"),
                 [one for one, _ in public])


class Foreign:
    """A page of an attacker, which tries to act in the operator's name."""

    PAGE = """<!DOCTYPE html><title>Nice</title><script>
    const address = %r;
    const send = (type) => fetch(address, { method: 'POST', credentials: 'include', mode: 'no-cors',
      headers: { 'Content-Type': type }, body: '{"reason": "forged", "until": null}' }).catch((error) => error);
    globalThis.sent = Promise.all([send('text/plain'), send('application/json')]).then(() => true);
    </script><form method="post" action=%r enctype="text/plain"><input name='{"reason": "forged", "x' value='": 1}'>
    </form>"""

    def __init__(self, address):
        page = (self.PAGE % (address, address)).encode()

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self):
                self.send_response(200)
                self.send_header("Content-Type", "text/html")
                self.end_headers()
                self.wfile.write(page)

            def log_message(self, *_):
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.url = f"http://127.0.0.1:{self.server.server_port}/"


def forged(stage, report):
    """What a cookie alone does not do."""
    sam = stage.visitors["sam"]
    cal = stage.ids[2]
    address = f"{stage.listener.url}/admin/v1/people/{cal}/suspend"
    answer = sam.context.request.post(address, data={"reason": "forged"})
    report.check(SUBJECT, "a change by the cookie without Sec-Fetch-Site is refused",
                 (answer.status, answer.json()["type"].rsplit("/")[-1]) == (403, "cross-site"), answer.status)
    foreign = Foreign(address)
    page = sam.context.new_page()
    page.goto(foreign.url)
    page.evaluate("sent")
    with page.expect_response(address) as refused:
        page.evaluate("document.forms[0].submit()")
    # A port is no part of a site: the browser sends the cookie along, and says where the request comes from. Without the
    # cookie the answer is 401.
    status = refused.value.status
    # The browser may have dropped the bytes of a document that it shows.
    page.locator("pre").wait_for()
    kind = json.loads(page.locator("pre").inner_text())["type"].rsplit("/")[-1]
    report.check(SUBJECT, "a page of another origin has the cookie sent along", status != 401, status)
    report.check(SUBJECT, "and is refused, by script and by form", (status, kind) == (403, "cross-site"), kind)
    page.close()
    foreign.server.shutdown()
    sam.foreign.clear()
    sam.go(f"/desk/people/{cal}")
    sam.page.locator(".facts").get_by_text("active").wait_for()
    report.check(SUBJECT, "no person was suspended by it", True)
    cookie = next(one for one in sam.context.cookies() if one["name"] == "letsswitch-desk")
    report.check(SUBJECT, "the cookie is HttpOnly and SameSite=Strict, and ends within 12 hours",
                 cookie["httpOnly"] and cookie["sameSite"] == "Strict"
                 and cookie["expires"] - time.time() < 12 * tour.HOUR + 60)


def locked_out(stage, report):
    """A client that guesses passwords waits, and then the address is locked out for a quarter of an hour."""
    def attempt(name):
        request = urllib.request.Request(f"{stage.listener.url}/admin/v1/session", method="POST", data=json.dumps({
            "name": name, "password": "a guess of many"}).encode(), headers={"Content-Type": "application/json"})
        try:
            with urllib.request.urlopen(request, timeout=30) as answer:
                return answer.status
        except urllib.error.HTTPError as error:
            return error.code

    guest = stage.visitor("guesser", stage.listener)
    statuses = [attempt(f"name-{count}") for count in range(25)]
    report.check(SUBJECT, "an address is locked out by twenty wrong passwords", statuses.count(401) <= 20
                 and statuses[-1] == 429, f"{statuses.count(401)} times 401, then {statuses[-1]}")
    guest.go("/desk/now")
    page = guest.page
    page.get_by_label("Name").fill("zoe")
    page.get_by_label("Password").fill(PASSWORD)
    with tour.expected(guest):
        page.keyboard.press("Enter")
        page.get_by_role("alert").wait_for()
    report.check(SUBJECT, "and the page says for how long", "Try again in" in page.get_by_role("alert").inner_text(),
                 page.get_by_role("alert").inner_text())
    guest.secrets.add(PASSWORD)
    page.get_by_label("Name").fill("ada")
    page.get_by_label("Password").fill(PASSWORD)
    page.keyboard.press("Enter")
    page.locator("#places a").first.wait_for()
    report.check(SUBJECT, "but an operator who has signed in from there before comes in", True)
    vera = stage.visitors["vera"]
    vera.page.set_viewport_size(DESKTOP)
    vera.go("/desk/slots")
    vera.heading("Slots")
    report.check(SUBJECT, "signed-in operators work on", True)
    vera.page.get_by_role("link", name="vera").click()
    vera.page.get_by_role("button", name="Sign out").click()
    vera.heading("The desk")
    vera.page.go_back()
    vera.heading("The desk")
    report.check(SUBJECT, "after signing out, going back shows nothing", vera.page.locator("table").count() == 0)
