"""Every screen in every state, with people whose names and tasks are what people write.

It is ten past ten on a day after today. Rooms open half an hour before their slot, and may be entered until its end; so
there is a session at ten and a lobby for half past ten. What is over was brought about before, by a clock that was put
forward: Ann was in the room at eight, missed the one after it, and the service was down for the one at nine.
"""

import re
import time
from dataclasses import dataclass

from playwright.sync_api import expect

from report import say
from service import Person, Service, instant, until
from visitor import DESKTOP, PHONE, Visitor

HOUR = 3600
DAY = 24 * HOUR


@dataclass
class Words:
    """What the people are called, and what they do."""
    names: list
    tasks: list
    tag: str
    note: str
    # What a field refuses.
    refused: str = ""


PLAIN = Words(
    ["Ann", "Ben"], ["Write the report", "Read the draft of chapter two"], "writing",
    "Two pages, and a plan for the third.")

MARKUP = '<img src=x onerror="ran=1"><script>ran=1</script>'
HOSTILE = Words(
    [MARKUP, "\u202eمرحبا\u202c " + "🎉" * 50, "W" * 64, "\u2067\u202ea\u0301\u0301\u0301 {0} %s ${ran=1}"],
    ["🚀" * 200, 'שלום עולם "><svg onload=ran=1>' + " \u200b\ufeff\u202e x", "Donaudampfschifffahrt" * 9,
     "a" * 200],
    "W" * 32, ("n" * 150) + MARKUP, "A\u0007B")


class Stage:
    """A server, a browser, and people who have accounts. Ann is the first one."""

    def __init__(self, suite, browser, name, words, people, mistake=None, no_show=1800, missing_zones=(), **options):
        self.words, self.browser, self.mistake, self.options = words, browser, mistake, options
        morning = (int(time.time()) // DAY + 1) * DAY
        self.morning = morning
        self.service = Service(suite.program, suite.place(name), suite.clock, suite.settings | {
            "SLOT_SECONDS": "1800", "LEAD_SECONDS": "1800", "LATE_SECONDS": "1800", "NO_SHOW_SECONDS": str(no_show),
            "ROOM_SIZE": str(people), "ALES_PER_SECOND": "4"}, forward=self._until(8 + 5 / 60), missing_zones=missing_zones)
        self.visitors, self.seen = [], []
        try:
            self.people = [Person(self.service, name) for name in words.names[:people]]
            self.ann, self.others = self.people[0], self.people[1:]
        except Exception:
            self.service.stop()
            raise

    def _until(self, hour):
        return int(self.morning + hour * HOUR - time.time())

    def at(self, hour):
        return instant(self.morning + hour * HOUR)

    @property
    def date(self):
        return self.at(0)[:10]

    def jump(self, hour):
        """The server is down meanwhile."""
        self.service.end()
        self.service.put_forward(self._until(hour))
        self.service.start()

    def visitor(self, person=None, size=PHONE, **options):
        visitor = Visitor(self.browser, self.service, size, self.service.forward, self.mistake,
                          **self.options | options)
        self.visitors.append(visitor)
        if person:
            visitor.sign_in(person.token)
        return visitor

    def register(self, person, *hours, **more):
        task = self.words.tasks[self.people.index(person) % len(self.words.tasks)]
        made = person.call("POST", "/v1/registrations", {
            "task": task, "slots": [self.at(hour) for hour in hours], "tag": self.words.tag} | more)
        return [one["id"] for one in made["registrations"]]

    def room(self, person, registration):
        return until("the room", lambda: person.call("GET", f"/v1/registrations/{registration}").get("roomId"))

    def join(self, room, hour):
        """Those who come late at the same time would have a room of their own."""
        made = []
        for person in self.others:
            made += self.register(person, hour)
            assert self.room(person, made[-1]) == room, "A person came to another room"
        return made

    def past(self):
        """A session that all were in, one that Ann has missed, and one for which the service was down."""
        room = self.room(self.ann, self.register(self.ann, 8)[0])
        met = self.join(room, 8)
        self.missed, self.lapsed = self.register(self.ann, 8.5)[0], self.register(self.ann, 9)[0]
        for person in self.people[:2]:
            visitor = self.visitor(person)
            visitor.go(f"/room/{room}")
            visitor.page.locator(".people .present").first.wait_for()
            visitor.page.locator(".ale").click()
            visitor.page.locator(".tally").filter(has_text="1").wait_for()
        for visitor in list(self.visitors):
            self.leave(visitor)
        self.jump(8.6)
        self.others[0].call("PATCH", f"/v1/registrations/{met[0]}", {"outcome": "done", "note": self.words.note[:200]})
        self.jump(10 + 10 / 60)
        self.met_room = room

    def leave(self, visitor):
        """What holds of a profile is looked at before it goes."""
        self.seen.append((visitor.errors, visitor.reports, visitor.foreign, visitor.leaked()))
        self.visitors.remove(visitor)
        visitor.close()

    def check_quiet(self, report):
        for visitor in list(self.visitors):
            self.leave(visitor)
        for index, what in enumerate((
                "the console is free of errors", "the content security policy has no reports",
                "nothing is asked of other hosts", "storage is free of tokens")):
            found = [one for seen in self.seen for one in seen[index]]
            report.check("Screens", f"{len(self.seen)} profiles: {what}", not found, found[:5] or "")

    def __enter__(self):
        return self

    def __exit__(self, kind, *_):
        if kind:
            show_failure(self.service, self.visitors)
        self.browser.close()
        self.service.stop()


def show_failure(service, visitors):
    """What the server has said, and what each page shows."""
    say("".join(line for line in service.log if " info " not in line)[-4000:])
    for visitor in visitors:
        try:
            shown = visitor.page.locator("body").inner_text()
            say(f"{visitor.page.url}: {shown[:1500]}\n{visitor.errors[:5]}\n")
        except Exception as error:  # The page may have gone.
            say(str(error))


def tour(stage, look):
    """`look` is called at each state with its name and with who sees it."""
    signing_up(stage, look)
    stage.past()
    ann = stage.visitor(stage.ann)
    days(stage, ann, look)
    registered(stage, ann, look)
    invites(stage, ann, look)
    lobby(stage, ann, look)
    session(stage, ann, look)
    ends(stage, ann, look)
    me(stage, ann, look)
    trouble(stage, ann, look)


def signing_up(stage, look):
    nina = stage.visitor()
    page = nina.page
    nina.go("/")
    page.locator(".live").get_by_text("room").wait_for()
    look("welcome", nina)
    page.get_by_text("I have a token").click()
    look("welcome token", nina)
    name = page.get_by_role("textbox", name="Your name")
    name.fill(stage.words.refused)
    with expected(nina):
        page.get_by_role("button", name="Begin").click()
        page.get_by_role("alert").wait_for()
        look("welcome error", nina)
    name.fill(stage.words.names[0])
    made = []
    page.on("response", lambda answer: made.append(answer.url) if is_new_account(answer) else None)
    page.route("**/v1/me/session", lambda route: route.fulfill(status=500, body="No session."))
    with expected(nina), page.expect_response("**/v1/me/session"):
        page.get_by_role("button", name="Begin").click()
    page.unroute("**/v1/me/session")
    page.locator("form button[aria-busy=true]").wait_for(state="detached")
    page.get_by_role("button", name="Begin").click()
    page.locator("main.day .composer").wait_for()
    assert len(made) == 1, "a person who tries again after a sign-up has two accounts"
    look("day recovery code", nina)
    page.get_by_role("button", name="I have saved it").click()
    page.get_by_role("textbox", name="What will you do?").fill(stage.words.tasks[0])
    look("day first", nina)


def is_new_account(answer):
    return answer.request.method == "POST" and answer.url.endswith("/v1/users") and answer.status == 201


def unfold(page, where="main "):
    page.evaluate("(which) => document.querySelectorAll(which).forEach((node) => { node.open = true; })",
                  f"{where}details")


class expected:
    """The network, or the server, refuses meanwhile, which Chromium writes to the console."""

    def __init__(self, visitor):
        self.visitor = visitor

    def __enter__(self):
        self.visitor.is_network_away = True

    def __exit__(self, *_):
        self.visitor.page.wait_for_timeout(100)
        self.visitor.is_network_away = False


def days(stage, ann, look):
    """A day that has a row for each state."""
    page = ann.page
    ann.go("/day")
    look("day past", ann)
    stage.register(stage.ann, 12, 14)
    for person in stage.people:
        stage.register(person, 11.5)
    stage.register(stage.others[0], 12.5, 13.5, 15)
    # The rooms that are open; no other member is there yet.
    stage.now, stage.next = stage.register(stage.ann, 10)[0], stage.register(stage.ann, 10.5)[0]
    ann.go("/day")
    unfold(page, ".parts ")
    states = {name for item in page.locator("li.slot").all() for name in item.get_attribute("class").split()}
    missing = {"empty", "waiting", "registered", "partnered", "open", "attended", "missed", "lapsed", "closed"} - states
    assert not missing, f"The day has no row that is {missing}"
    look("day every state", ann)
    page.get_by_text("More options").click()
    page.locator("li.empty input").first.check()
    page.locator("li.waiting input").first.check()
    look("day choice", ann)
    task = page.get_by_role("textbox", name="What will you do?")
    task.fill("")
    page.locator(".composer [type=submit]").click()
    page.get_by_role("alert").wait_for()
    look("day error", ann)
    task.fill(stage.words.tasks[0])
    page.get_by_label("How often?").select_option(label="Every weekday")
    page.locator(".composer [type=submit]").click()
    page.locator(".notice").get_by_text("Registered for").wait_for()
    look("day routine made", ann)
    page.get_by_role("link", name="Next day").click()
    page.get_by_role("heading", level=1, name="Tomorrow").wait_for()
    ann.settle()
    look("day tomorrow", ann)


def registered(stage, ann, look):
    page = ann.page
    [mine] = stage.register(stage.ann, 16)
    ann.go(f"/registration/{mine}")
    page.locator(".tell").or_(page.get_by_text("Notifications are blocked")).first.wait_for()
    look("registered", ann)
    page.get_by_text("Change the task").click()
    look("registered change", ann)
    page.get_by_role("button", name="Invite a friend").click()
    link = page.get_by_role("textbox", name="Invite link")
    link.wait_for()
    look("registered invite", ann)
    stage.invite = re.sub(r"^https?://[^/]+", "", link.input_value())
    page.get_by_role("button", name="Cancel this session").click()
    page.get_by_role("dialog").wait_for()
    look("registered cancel", ann)
    page.get_by_role("button", name="Go back").click()
    [other] = stage.register(stage.ann, 17)
    stage.ann.call("DELETE", f"/v1/registrations/{other}")
    ann.go(f"/registration/{other}")
    look("registered cancelled", ann)
    together = next(one for one in stage.ann.call("GET", "/v1/registrations?limit=200")["registrations"]
                    if one["slot"]["startsAt"] == stage.at(11.5))
    ann.go(f"/registration/{together['id']}")
    page.locator(".company .mark.partnered").wait_for()
    look("registered partnered", ann)


def invites(stage, ann, look):
    guest = stage.visitor()
    guest.go(stage.invite)
    guest.page.get_by_role("textbox", name="Your name").wait_for()
    look("invite", guest)
    ben = stage.visitor(stage.others[0])
    ben.go(stage.invite)
    look("invite signed in", ben)
    ben.page.get_by_role("textbox", name="What will you do?").fill(stage.words.tasks[1])
    ben.page.get_by_role("button", name="I will be there").click()
    ben.page.wait_for_url("**/registration/*")
    guest.go(stage.invite)
    guest.page.get_by_text("can no longer be used").wait_for()
    look("invite over", guest)
    with expected(guest):
        guest.go("/invites/none")
        look("invite unknown", guest)
    for visitor in (guest, ben):
        stage.leave(visitor)


def lobby(stage, ann, look):
    page = ann.page
    room = stage.room(stage.ann, stage.next)
    ann.go(f"/room/{room}")
    page.locator(".alone").wait_for()
    look("lobby alone", ann)
    mine = stage.join(room, 10.5)
    for person, registration in zip(stage.others, mine):
        person.call("PATCH", f"/v1/registrations/{registration}", {"checkIn": stage.words.note[:200]})
    ben = stage.visitor(stage.others[0])
    ben.go(f"/room/{room}")
    ben.page.get_by_role("button", name="I am ready").click()
    page.get_by_role("button", name="Getting ready").click()
    page.locator(".person:not(.you)").filter(has_text="ready").first.wait_for()
    page.evaluate("scrollTo(0, 0)")
    look("lobby", ann)
    for text in ("Say how you start", "Why did we meet?"):
        page.get_by_text(text).click()
    page.locator(".why").wait_for()
    look("lobby why", ann)
    # A person who cancels elsewhere leaves the room.
    stage.others[0].call("DELETE", f"/v1/registrations/{mine[0]}")
    ben.page.locator(".trouble").get_by_text("You are not in this room any more").wait_for()
    look("room refused", ben)
    stage.leave(ben)


def session(stage, ann, look):
    page = ann.page
    room = stage.room(stage.ann, stage.now)
    ann.go(f"/room/{room}")
    page.locator(".stay.session:not(.away)").wait_for()
    look("room alone", ann)
    stage.join(room, 10)
    ben = stage.visitor(stage.others[0])
    ben.go(f"/room/{room}")
    ben.page.locator(".stay.session:not(.away)").wait_for()
    page.locator(".person:not(.you).present").wait_for()
    names = " ".join(page.locator(".people").inner_text().split())
    missing = [name for name in stage.words.names[:len(stage.people)] if " ".join(name.split()) not in names]
    assert not missing, f"The room does not show {missing} as it is"
    ben.page.locator(".ale").click()
    page.locator(".tally").get_by_text("1 received").wait_for()
    page.locator(".ale").click()
    ben.page.locator(".ale").click()
    look("room", ann)
    # At once, so that they are too fast on a slow machine too.
    page.locator(".ale").evaluate("(button) => { for (let index = 0; index < 20; index += 1) button.click(); }")
    page.locator(".trouble").get_by_text("too fast").wait_for()
    look("room too fast", ann)
    # The words go after each pause, also while ales still wait for the next one: the tally tells that all are sent.
    page.locator(".tally").get_by_text("21 ales sent").wait_for()
    page.locator(".stay.session:not(.away) .trouble:not(:has(p))").wait_for(state="attached")
    with expected(ann):
        ann.context.set_offline(True)
        page.locator(".stay.away").wait_for()
        page.locator(".ale").click()
        page.locator(".trouble").get_by_text("1 ale waits").wait_for()
        look("room offline", ann)
        ann.context.set_offline(False)
        page.locator(".stay:not(.away)").wait_for()
    stage.leave(ben)


def ends(stage, ann, look):
    page = ann.page
    ann.go(f"/room/{stage.met_room}")
    page.locator(".tally:not(:empty)").wait_for()
    look("end", ann)
    page.get_by_role("radio", name="Partly").check(force=True)
    page.get_by_role("textbox", name="A note").fill(stage.words.note[:200])
    page.get_by_role("button", name="Save").click()
    page.locator(".saved:not(:empty)").wait_for()
    page.get_by_role("button", name=re.compile("^Favorite")).first.click()
    page.locator("main").get_by_text("more likely to meet again").wait_for()
    page.get_by_text("Why did we meet?").click()
    page.locator(".why").wait_for()
    look("end saved", ann)
    page.get_by_role("button", name=re.compile("^Block")).first.click()
    page.get_by_role("dialog").wait_for()
    look("end block", ann)
    page.get_by_role("button", name="Go back").click()
    for state in ("missed", "lapsed"):
        registration = stage.ann.call("GET", f"/v1/registrations/{getattr(stage, state)}")
        assert registration["state"] == state, registration["state"]
        ann.go(f"/room/{registration['roomId']}" if registration["roomId"] else f"/registration/{registration['id']}")
        look(f"end {state}", ann)


def me(stage, ann, look):
    page = ann.page
    stage.ann.call("POST", "/v1/blocks", {"registrationId": partner(stage), "report": stage.words.note[:200]})
    stage.ann.call("POST", "/v1/me/tokens", {"name": stage.words.names[0][:32]})
    ann.go("/me")
    look("me", ann)
    unfold(page)
    page.locator("main").get_by_text("Skip the next").first.wait_for()
    page.wait_for_timeout(500)
    look("me all open", ann)
    page.get_by_role("textbox", name="Name of a new token").fill(stage.words.names[0][:32])
    page.get_by_role("button", name="Create a token").click()
    page.get_by_role("dialog").wait_for()
    look("me token", ann)
    page.get_by_role("dialog").get_by_role("button", name="I have saved it").click()
    page.get_by_role("button", name="Create an address").click()
    page.get_by_role("dialog").wait_for()
    look("me calendar", ann)
    page.get_by_role("dialog").get_by_role("button", name="I have saved it").click()
    page.get_by_role("button", name="Delete my account").click()
    page.get_by_role("dialog").wait_for()
    look("me delete", ann)
    page.get_by_role("button", name="Go back").click()


def partner(stage):
    room = stage.ann.call("GET", f"/v1/rooms/{stage.met_room}")
    return next(member["id"] for member in room["members"] if not member["you"])


def trouble(stage, ann, look):
    page = ann.page
    with expected(ann):
        ann.go("/room/00000000-0000-4000-8000-000000000000")
        look("nothing here", ann)
        ann.go("/day")
        ann.context.set_offline(True)
        page.get_by_text("You are offline").first.wait_for()
        look("offline", ann)
        page.get_by_role("link", name="Me", exact=True).click()
        page.get_by_role("heading", level=1, name="That did not work").wait_for(timeout=40_000)
        look("server away", ann)
        ann.context.set_offline(False)
    late = stage.visitor(service_workers="block")
    late.context.route("**/app.js", lambda route: route.abort())
    with expected(late):
        late.page.goto("/")
        late.page.get_by_text("Still nothing here?").wait_for()
        late.page.wait_for_function("getComputedStyle(document.querySelector('.late')).opacity === '1'"
                                    " && getComputedStyle(document.querySelector('.late')).visibility === 'visible'")
        look("old browser", late)
    stage.leave(late)
    none = stage.visitor(java_script_enabled=False)
    none.page.goto("/day")
    expect(none.page.locator("noscript strong")).to_be_visible()
    # It fades in.
    none.page.wait_for_timeout(800)
    assert "needs JavaScript" in none.page.locator("noscript strong").inner_text()
    look("no JavaScript", none)
    none.close()
    stage.visitors.remove(none)
