"""What browsers, clocks and networks do to a page now and then, each of which people have met.

A clock that is a day wrong, a zone that the server or the browser does not know by that name, a tab that is open over midnight, a person who goes back while a screen loads, storage that
the browser has cleared, a page without https, and a room whose socket does not answer.
"""

import os

import below
import cookies
import meeting
import plain
import tour
from visitor import DESKTOP

SUBJECT = "Edges"
DAY = 86_400
NO_CLIPBOARD = "Object.defineProperty(navigator, 'clipboard', { value: undefined });"
# The first stream is half-open: it opens, and nothing comes. The wait of 40 seconds for that passes in one.
SILENT_STREAM = """{
  globalThis.streams = [];
  globalThis.EventSource = class extends EventSource {
    constructor(url) { super(url); streams.push(url); }
    addEventListener(...more) { if (streams.length > 1) super.addEventListener(...more); }
  };
  const wait = setTimeout;
  globalThis.setTimeout = (f, ms, ...more) => wait(f, ms === 40_000 && streams.length < 2 ? 1_000 : ms, ...more);
}"""
# A page on a slow network: the modules of other screens are not loaded before they are needed.
NO_MODULES_AHEAD = """{
  const wait = setTimeout;
  globalThis.setTimeout = (f, ms, ...more) => ms === 2_000 ? 0 : wait(f, ms, ...more);
}"""
# A browser that is told by pushes.
SUBSCRIBED = """
  if (globalThis.PushManager) PushManager.prototype.getSubscription = async () => ({
    endpoint: 'https://push.example/1', unsubscribe: async () => { localStorage.setItem('test.unsubscribed', 'yes'); },
  });
"""
# Debian 13 does not have it, and Chromium knows no other name of that zone.
OLD_NAME = "Asia/Calcutta"
# A zone that no other name stands for.
LONE_ZONE = "Antarctica/Troll"
SILENT_SOCKET = "globalThis.WebSocket = class { close() {} send() {} };"


def check(suite, playwright, report):
    with suite.stage(playwright, "edges", tour.PLAIN, 2) as stage:
        plain.check(suite, playwright, stage, report)
        for part in go_back, forget, copy, compare_zones, keep_drafts, finish_presses, wait_for_socket,\
                hear_again, sign_out, come_back, keep_code, pass_midnight:
            part(stage, report)
            for visitor in list(stage.visitors):
                stage.leave(visitor)
        stage.check_quiet(report)
        cookies.check(suite, playwright, stage, report)
    below.check(suite, playwright, report)
    if os.geteuid() != 0:
        return
    with suite.stage(playwright, "zones", tour.PLAIN, 2, missing_zones=[OLD_NAME, LONE_ZONE]) as stage:
        for part in sign_up_by_old_name, ask_for_zone:
            part(stage, report)
            for visitor in list(stage.visitors):
                stage.leave(visitor)
        stage.check_quiet(report)


def sign_up(stage, script="", **options):
    visitor = stage.visitor(size=DESKTOP, **options)
    visitor.context.add_init_script(script)
    visitor.go("/")
    visitor.page.get_by_role("textbox", name="Your name").fill("Asha")
    return visitor


def zone_of(visitor):
    return visitor.context.request.get("/v1/me").json()["user"]["timeZone"]


def sign_up_by_old_name(stage, report):
    asha = sign_up(stage, timezone_id="Asia/Kolkata")
    page = asha.page
    own = page.evaluate("Intl.DateTimeFormat().resolvedOptions().timeZone")
    page.get_by_role("button", name="Begin").click()
    page.locator("main.day .composer").wait_for()
    report.check(SUBJECT, "a browser's name of a zone that PostgreSQL does not have is taken and kept",
                 own == OLD_NAME == zone_of(asha), f"{own}, {zone_of(asha)}")
    report.check(SUBJECT, "and the day has its times", page.locator(".zones").count() == 0
                 and page.locator("main.day time", has_text="18:30").count() == 1, page.locator("main.day").inner_text()[:300])
    asha.go("/me")
    zones = page.get_by_label("Time zone").locator("option").all_inner_texts()
    report.check(SUBJECT, "the list of zones is the server's, and the account's own",
                 zones[0] == OLD_NAME and "Asia/Kolkata" in zones and zones.count(OLD_NAME) == 1, zones[:5])


def ask_for_zone(stage, report):
    asha = sign_up(stage, timezone_id=LONE_ZONE)
    page = asha.page
    with tour.expected(asha):
        page.get_by_role("button", name="Begin").click()
        question = page.locator("dialog")
        question.wait_for()
    question.get_by_label("Time zone").select_option("Asia/Tokyo")
    question.get_by_role("button", name="Save").click()
    page.locator("main.day .composer").wait_for()
    report.check(SUBJECT, "a person whose zone the server does not know is asked for one", zone_of(asha) == "Asia/Tokyo",
                 zone_of(asha))
    identifier = asha.context.request.get("/v1/me").json()["user"]["id"]
    stage.service.database.run(f"UPDATE users SET time_zone = 'Mars/Crater' WHERE id = '{identifier}'")
    # The events' connection ends with the server.
    with tour.expected(asha):
        stage.service.end()
        stage.service.start()
        page.goto("/day")
        page.get_by_role("heading", level=1, name="Time zone").wait_for()
    page.get_by_label("Time zone").select_option("Europe/Berlin")
    page.get_by_role("button", name="Save").click()
    page.locator("main.day .composer").wait_for()
    report.check(SUBJECT, "and so is one whose zone it knows no more", zone_of(asha) == "Europe/Berlin", zone_of(asha))


def go_back(stage, report):
    ann = stage.visitor(stage.ann, size=DESKTOP)
    page = ann.page
    ann.go("/day")
    held = []
    page.route("**/v1/stats", lambda route: held.append(route))
    page.get_by_role("link", name="Me", exact=True).click()
    meeting.wait_for("the screen that loads", lambda: held, page)
    page.go_back()
    page.wait_for_url("**/day")
    ann.settle()
    with tour.expected(ann):
        for route in held:
            route.continue_()
        page.unroute("**/v1/stats")
        page.wait_for_timeout(500)
    is_day = page.locator("main.day .composer").count() == 1
    report.check(SUBJECT, "going back while a screen loads shows the screen of the address", is_day, page.url)
    page.evaluate("document.querySelectorAll('details').forEach((node) => { node.open = true; }); scrollTo(0, 400)")
    before = page.evaluate("scrollY")
    page.evaluate("document.querySelector('#places a[href=\"/me\"]').click()")
    page.locator("main.me").wait_for()
    page.go_back()
    page.locator("main.day .composer").wait_for()
    after = page.evaluate("scrollY")
    report.check(SUBJECT, "and coming back finds the place", 0 < after <= before, f"{before}, {after}")


def forget(stage, report):
    ann = stage.visitor(stage.ann)
    page, made = ann.page, []
    page.on("request", lambda request: made.append(request.url) if request.method == "POST" else None)
    ann.go("/day")
    page.evaluate("localStorage.clear(); sessionStorage.clear()")
    # `sign_in` has a script that says on each page that there is a session.
    fresh = ann.context.new_page()
    fresh.add_init_script("localStorage.clear()")
    fresh.on("request", lambda request: made.append(request.url) if request.method == "POST" else None)
    held = []
    fresh.route("**/v1/me", lambda route: held.append(route))
    fresh.goto("/")
    name = fresh.get_by_role("textbox", name="Your name")
    name.fill("Ann")
    fresh.get_by_role("button", name="Begin").click()
    for route in held:
        route.continue_()
    fresh.locator("main.day .composer").wait_for()
    accounts = [url for url in made if url.endswith("/v1/users")]
    report.check(SUBJECT, "a browser that has forgotten the account, and not the session, makes no second one",
                 not accounts, accounts)
    fresh.close()


def copy(stage, report):
    ann = stage.visitor(stage.ann, size=DESKTOP)
    page = ann.page
    ann.context.add_init_script(NO_CLIPBOARD)
    [made] = stage.register(stage.ann, 12)
    ann.go(f"/registration/{made}")
    page.get_by_role("button", name="Invite").click()
    address = page.locator(".handed input").input_value()
    page.locator(".handed").get_by_role("button", name="Copy").click()
    page.locator(".handed").get_by_role("button", name="Selected").wait_for()
    selected = page.evaluate("document.querySelector('.handed input').value.slice(...(({ selectionStart, selectionEnd }) =>"
                             " [selectionStart, selectionEnd])(document.querySelector('.handed input')))")
    report.check(SUBJECT, "without a clipboard Copy selects the text", selected == address, selected)
    stage.ann.call("DELETE", f"/v1/registrations/{made}")


def compare_zones(stage, report):
    ann = stage.visitor(stage.ann, size=DESKTOP, timezone_id="Asia/Tokyo")
    page = ann.page
    ann.go("/day")
    line = page.locator(".zones")
    words = line.inner_text()
    report.check(SUBJECT, "an account in another zone than the browser is told both times",
                 "UTC: 0:00 there is 9:00 here" in words, words)
    line.get_by_role("button").click()
    line.wait_for(state="detached")
    zone = stage.ann.call("GET", "/v1/me")["user"]["timeZone"]
    report.check(SUBJECT, "and takes the browser's zone by a button", zone == "Asia/Tokyo", zone)
    stage.ann.call("PATCH", "/v1/me", {"timeZone": "UTC"})


def keep_drafts(stage, report):
    ann = stage.visitor(stage.ann)
    page = ann.page
    ann.go(f"/day/{stage.at(24)[:10]}")
    task = page.get_by_role("textbox", name="What will you do?")
    task.fill("Read")
    page.get_by_role("link", name="Me", exact=True).click()
    page.locator("main.me").wait_for()
    page.go_back()
    report.check(SUBJECT, "a draft stays", task.input_value() == "Read", task.input_value())
    page.get_by_role("checkbox").first.check()
    page.get_by_role("button", name="Register for").click()
    ann.heading("You are in")
    ann.go(f"/day/{stage.at(24)[:10]}")
    report.check(SUBJECT, "and is gone when it was registered", task.input_value() == "", task.input_value())


def finish_presses(stage, report):
    """Three times, every day, by one press."""
    ann = stage.visitor(stage.ann)
    page = ann.page

    def press():
        ann.go(f"/day/{stage.at(48)[:10]}")
        page.get_by_role("textbox", name="What will you do?").fill("Stretch")
        page.evaluate("document.querySelectorAll('main details').forEach((node) => { node.open = true; })")
        page.get_by_label("How often?").select_option("DAILY")
        for index in range(3):
            page.get_by_role("checkbox", name="Be the first").nth(index).check()
        page.get_by_role("button", name="Register for 3 times").click()
        page.locator(".composer .problem").wait_for()
        return page.locator(".composer .problem").inner_text()

    def count():
        return len(stage.ann.call("GET", "/v1/routines")["routines"])

    asked = []

    def lose(route):
        asked.append(route.request.headers["idempotency-key"])
        if len(asked) == 1:
            return route.continue_()
        # The server does it, and the page does not hear of it.
        route.fetch()
        return route.abort()

    with tour.expected(ann):
        page.route("**/v1/routines", lose)
        says = press()
        page.unroute("**/v1/routines")
        report.check(SUBJECT, "a press that is half done says how far it is", "1 of 3 are registered" in says, says)
        page.reload()
        page.get_by_text("Registered for 3 times").first.wait_for()
    report.check(SUBJECT, "and is finished when the page is loaded again, once", count() == 3, count())
    task = page.get_by_role("textbox", name="What will you do?").input_value()
    report.check(SUBJECT, "and its draft is gone", task == "", task)
    for routine in stage.ann.call("GET", "/v1/routines")["routines"]:
        stage.ann.call("DELETE", f"/v1/routines/{routine['id']}")

    asked.clear()

    def refuse(route):
        asked.append(route.request.url)
        if len(asked) < 3:
            return route.continue_()
        return route.fulfill(status=409, json={"detail": "That is enough."}, content_type="application/problem+json")

    with tour.expected(ann):
        page.route("**/v1/routines", refuse)
        says = press()
        page.unroute("**/v1/routines")
    report.check(SUBJECT, "a press of which a part is refused says so",
                 says == "That is enough. Nothing was registered.", says)
    report.check(SUBJECT, "and leaves no part behind", count() == 0, count())


def wait_for_socket(stage, report):
    [mine], [other] = (stage.register(person, 8.5) for person in stage.people)
    room = stage.room(stage.ann, mine)
    assert stage.room(stage.others[0], other) == room
    ann = stage.visitor(stage.ann)
    ann.context.add_init_script(SILENT_SOCKET)
    ann.go(f"/room/{room}")
    people = ann.page.locator(".people").inner_text()
    alone = ann.page.locator(".alone").is_visible()
    report.check(SUBJECT, "a partner is named before the room's socket answers", "Ben" in people and not alone, people)


def hear_again(stage, report):
    ann = stage.visitor(stage.ann)
    page = ann.page
    ann.context.add_init_script(SILENT_STREAM)
    ann.go("/day")
    streams = lambda: page.evaluate("streams")
    meeting.wait_for("another stream", lambda: len(streams()) > 1, page, limit=60)
    report.check(SUBJECT, "a stream of events that is silent is given up, and another one is made",
                 all("heartbeat=event" in url for url in streams()), streams())
    # The first one of the next page is silent, too; this one asks the server itself.
    beat = page.evaluate("""() => new Promise((resolve) => {
      new EventSource('/v1/events?heartbeat=event').addEventListener('heartbeat', ({ data }) => resolve(data));
      setTimeout(resolve, 60_000, 'nothing came');
    })""")
    report.check(SUBJECT, "and the server's heartbeat is heard", beat == "{}", beat)


def sign_out(stage, report):
    ann = stage.visitor(stage.ann)
    page = ann.page
    ann.context.add_init_script(SUBSCRIBED)
    ann.go("/day")
    page.evaluate("navigator.serviceWorker.register('/worker.js').then(() => navigator.serviceWorker.ready).then(() => true)")
    ann.go("/me")
    page.evaluate("document.querySelectorAll('details').forEach((node) => { node.open = true; })")
    page.get_by_role("button", name="Sign out").click()
    page.wait_for_url("**/welcome")
    ended = page.evaluate("localStorage.getItem('test.unsubscribed')")
    report.check(SUBJECT, "signing out ends the pushes of the browser", ended == "yes", ended)


def come_back(stage, report):
    for has_module in True, False:
        ann = stage.visitor(stage.ann)
        if not has_module:
            ann.context.add_init_script(NO_MODULES_AHEAD)
        ann.go("/me" if has_module else "/day")
        page = ann.page
        if has_module:
            page.get_by_role("link", name="Day", exact=True).click()
            page.locator("main.day").wait_for()
        failed = page.get_by_role("heading", level=1, name="That did not work")
        with tour.expected(ann):
            stage.service.end()
            page.get_by_role("link", name="Me", exact=True).click()
            failed.wait_for(timeout=60_000)
            words = page.locator("main .problem").inner_text()
            stage.service.start()
            page.locator("main.me details").first.wait_for(timeout=60_000)
        screen = "a screen" if has_module else "a screen whose module was not loaded"
        report.check(SUBJECT, f"{screen} says that the server cannot be reached", "cannot be reached" in words, words)
        report.check(SUBJECT, f"{screen} shows by itself once the server is back", failed.count() == 0)
        stage.leave(ann)


def keep_code(stage, report):
    asha = sign_up(stage, NO_MODULES_AHEAD)
    page = asha.page
    page.get_by_role("button", name="Begin").click()
    code = page.locator(".secret code")
    shown = code.inner_text()
    with tour.expected(asha):
        stage.service.end()
        page.get_by_role("link", name="Me", exact=True).click()
        page.locator("main .problem", has_text="cannot be reached").wait_for(timeout=60_000)
        stage.service.start()
        page.locator("main.me details").first.wait_for(timeout=60_000)
    report.check(SUBJECT, "a recovery code that is shown once stays while a page comes back",
                 code.count() == 1 and code.inner_text() == shown, code.count())
    stage.leave(asha)


def pass_midnight(stage, report):
    ann = stage.visitor(stage.ann)
    # The device is a day behind.
    ann.context.add_init_script(f"putForward = {(stage.service.forward - DAY) * 1000}")
    page = ann.page
    ann.go("/day")
    heading = page.locator("h1")
    # The chosen zone is UTC.
    day = int(stage.date[8:])
    words = heading.inner_text()
    report.check(SUBJECT, "today is the server's, where the device is a day behind",
                 "Today" in words and f" {day} " in f" {words} ", words)
    with tour.expected(ann):
        stage.jump(24 + 1 / 60)
        page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
        meeting.wait_for("the next day", lambda: heading.inner_text() != words, page, limit=60)
    later = heading.inner_text()
    report.check(SUBJECT, "a tab that is open over midnight shows the new day", "Today" in later, later)
