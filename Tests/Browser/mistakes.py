"""Mistakes in the page, one after the other. The suite has to find each, by the check that is meant to.

The server's own files are given to the browser with one text replaced. It has no worker then, which would give it the
files that it has kept.
"""

import re

import desk
import look
import meeting
import moving
import tour
from report import Report

SUBJECT = "Mistakes"


class Heard(Report):
    """Keeps what is wrong, in place of printing it."""

    def __init__(self):
        super().__init__()
        self.wrong = []

    def check(self, subject, what, is_so, detail=""):
        if not is_so:
            self.wrong.append(f"{what}: {detail}")
        return is_so


# What is wrong, in which file, the text that is right, what it is replaced by, who looks, and what has to be said.
MISTAKES = [
    ("a name is read as markup", "dom.js", "el('bdi.said', { dir: 'auto' }, text);",
     "((node) => { node.innerHTML = text; return node; })(el('bdi.said', { dir: 'auto' }));",
     "room", r"foreign: <img src=\"?x"),
    ("a token is kept", "app.js", "  enter(answer.user, true);",
     "  enter(answer.user, true);\n  localStorage.setItem('kept', token);",
     "first", r"storage is free of tokens"),
    ("a token is kept where few look", "app.js", "  enter(answer.user, true);",
     "  enter(answer.user, true);\n"
     "  const base = indexedDB.open('kept', 1);\n"
     "  base.onupgradeneeded = () => base.result.createObjectStore('kept').put(token, 1);",
     "first", r"storage is free of tokens"),
    ("a field has no label", "dom.js", "el('label', { for: control.id }, label)", "el('span', label)",
     "first", r"axe.*label"),
    ("grey on grey", "page.css", ".hint { color: var(--soft);", ".hint { color: #aaa;",
     "first", r"axe.*color-contrast"),
    ("long words do not wrap", "page.css", ".said { overflow-wrap: anywhere; }", ".said { white-space: nowrap; }",
     "room", r"px too wide at 320 px"),
    ("large text does not wrap", "page.css", "  display: flex; flex-wrap: wrap; align-items: center; gap: 0 .5rem;",
     "  display: flex; align-items: center; gap: 0 .5rem;",
     "first", r"large text: \d+ px too wide at 320 px"),
    ("a style within an element", "welcome.js", "el('h1', t('welcome'))",
     "el('h1', { style: 'color: red' }, t('welcome'))",
     "first", r"content security policy has no reports"),
    ("an error on the console", "day.js", "async function dayOfAccount(app, date, signal) {",
     "async function dayOfAccount(app, date, signal) {\n  setTimeout(() => undefined.day);",
     "first", r"console is free of errors.*TypeError"),
    ("another host is asked", "day.js", "async function dayOfAccount(app, date, signal) {",
     "async function dayOfAccount(app, date, signal) {\n  fetch('http://127.0.0.1:1/').catch(() => {});",
     "first", r"content security policy has no reports"),
    ("a move leads nowhere", "connection.js",
     "case 'moved': if (message.id && message.socketUrl) this.#destination = message;", "case 'moved': break;",
     "moving", r"one room did not happen"),
    ("a move is not said", "room.js", "return app.notify(t('moved'));", "return undefined;",
     "moving", r"a word of the move did not happen"),
    ("a move leaves the page where it was", "room.js", "app.go(`/room/${state.room}`, true);", "",
     "moving", r"one room did not happen"),
    ("an ale that was taken is sent again", "connection.js", "    this.#ales = others;\n", "",
     "network", r"1 ale waits|counts them once|seen once"),
    ("an ale that waits is forgotten", "connection.js", "for (const ale of this.#ales) ale.isSent = false;\n",
     "this.#ales = [];\n", "network", r"did not happen|seen once"),
    ("an ale that was missed is not asked for", "connection.js", "{ merge: 1, ...this.#position }", "{ merge: 1 }",
     "network", r"did not happen|seen once"),
    ("an ale that was missed is told twice", "connection.js", "    this.#parts.onAle({",
     "    if (seq <= this.#recoveredUntil) this.#parts.onAle({ from, seq, count });\n    this.#parts.onAle({",
     "network", r"missed is seen once"),
    ("a network that is lost is not told", "room.js", "phase === 'reconnecting' && t(`why-${reason}`)", "null",
     "network", r"word of the lost network"),
    ("a viewer is shown what others may do", "app.js",
     "Boolean(app.operator) && includes(app.operator.role, least)", "Boolean(least)",
     "desk roles", r"a viewer is shown no act|neither settings nor"),
    ("a key is taken from a text field", "keys.js", "return !target.closest?.(", "return true || target.closest?.(",
     "desk keys", r"are letters in a text field"),
    ("a whole token goes into an address", "format.js", "text.trim().slice(0, 8)", "text.trim()",
     "desk search", r"whole token is in no address"),
    ("a name is read as markup at the desk", "dom.js", "el('bdi.said', { dir: 'auto' }, text);",
     "((node) => { node.innerHTML = text; return node; })(el('bdi.said', { dir: 'auto' }));",
     "desk search", r"foreign: <img|inline event handler"),
    ("the figures are said to be live where they are not", "live.js",
     "failure ? 'away' : 'polling'", "failure ? 'away' : 'live'",
     "desk live", r"asked for where the stream is away"),
    ("a room that is closed can be closed again", "rooms.js", "app.may('admin') && !one.closedAt", "app.may('admin')",
     "desk close", r"without another act"),
]


def check(suite, playwright, report):
    for name, file, right, wrong, part, found in MISTAKES:
        heard = Heard()
        replaced = []

        def plant(context, file=file, right=right, wrong=wrong):
            def give(route):
                text = route.fetch().text()
                replaced.append(right in text)
                route.fulfill(body=text.replace(right, wrong), content_type=TYPES[file.rsplit(".")[-1]])

            context.route(f"**/page/*/{file}", give)

        with make_stage(suite, playwright, part, plant) as stage:
            try:
                PARTS[part](stage, heard)
                stage.check_quiet(heard)
            except Exception as error:  # Where a check cannot go on, it has found something too.
                heard.wrong.append(f"{error}".split("\n")[0])
        if not (replaced and all(replaced)):
            report.check(SUBJECT, name, False, f"{file} has no {right!r}")
            continue
        said = next((one for one in heard.wrong if re.search(found, one)), None)
        report.check(SUBJECT, name, said, (said or f"not found: {heard.wrong}")[:150])


def make_stage(suite, playwright, part, plant):
    if part.startswith("desk"):
        return desk.Stage(suite, playwright.chromium.launch(executable_path=suite.chromium), tour.HOSTILE, plant)
    words, no_show = (tour.PLAIN, moving.NO_SHOW) if part == "moving" else (tour.HOSTILE, 1800)
    return suite.stage(
        playwright, "mistakes", words, 2, service_workers="block", mistake=plant, no_show=no_show)


TYPES = {"js": "text/javascript", "css": "text/css"}


def first(stage, report):
    looker = look.Looker(report)
    visitor = stage.visitor()
    visitor.go("/")
    looker("welcome", visitor)
    visitor.page.get_by_role("textbox").first.fill("Ann")
    visitor.page.get_by_role("button", name="Begin").click()
    visitor.page.locator("main.day .composer").wait_for()
    looker("day", visitor)


def room_of_two(stage):
    mine = stage.register(stage.ann, 8)[0]
    room = stage.room(stage.ann, mine)
    stage.join(room, 8)
    visitors = [stage.visitor(person) for person in stage.people]
    for visitor in visitors:
        visitor.go(f"/room/{room}")
    for visitor in visitors:
        visitor.page.locator(".person:not(.you).present").wait_for()
    return visitors


def room(stage, report):
    ann, _ = room_of_two(stage)
    look.Looker(report)("room", ann)


def network(stage, report):
    ann, ben = room_of_two(stage)
    meeting.lose_network(report, SUBJECT, ann, ben)
    meeting.kill_server(report, SUBJECT, stage.service, ann, ben)


def desk_roles(stage, report):
    stage.gather()
    desk.roles(stage, report, stage.operator("vera"))


def desk_search(stage, report):
    sam = stage.operator("sam", "/desk/people")
    desk.searched(stage, report, sam)
    look.Looker(report, large=())("people", sam)


def desk_close(stage, report):
    stage.gather()
    stage.operator("ada")
    desk.closed(stage, report)


PARTS = {
    "first": first, "room": room, "network": network, "moving": moving.move,
    "desk roles": desk_roles, "desk search": desk_search, "desk close": desk_close,
    "desk keys": desk.sign_in_by_keyboard,
    "desk live": lambda stage, report: desk.streamed(report, stage.operator("vera")),
}
