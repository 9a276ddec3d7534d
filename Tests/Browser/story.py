"""Two people who have never been here meet: Ann with a phone, Ben at a desk without a mouse."""

import json
import re
import time

import meeting
import push
from service import Service
from tour import expected, show_failure
from visitor import DESKTOP, PHONE, Keyboard, Visitor

SUBJECT = "Story"
SLOT, LEAD = 120, 30
# When the story begins, in seconds of a slot: there are 70 s to register until the room of the next one opens.
BEGIN = 20
# Ms for each letter: 60 words a minute on glass would be a fast thumb.
TYPING = 200

ASKED = """globalThis.asked = 0; const own = Notification.requestPermission.bind(Notification);
Notification.requestPermission = () => { asked += 1; return own(); };"""


# Keeps what the clock of the room says, one after the other.
COUNT = """() => {
  const clock = document.querySelector('[role=timer]');
  globalThis.counted = [];
  new MutationObserver(() => counted.push(clock.textContent)).observe(clock, { childList: true });
}"""


def check(suite, playwright, report):
    first, second = (playwright.chromium.launch(executable_path=suite.chromium, args=ARGUMENTS) for _ in range(2))
    # The server begins a little earlier.
    service = Service(suite.program, suite.place("story"), suite.clock, suite.settings | {
        "SLOT_SECONDS": str(SLOT), "LEAD_SECONDS": str(LEAD), "LATE_SECONDS": str(LEAD), "PING_SECONDS": "5"},
        forward=int((BEGIN - 8 - time.time()) % SLOT))
    visitors = []
    try:
        while not BEGIN <= (time.time() + service.forward) % SLOT < BEGIN + 10:
            time.sleep(0.1)
        subscription = push.Subscription(suite.receiver, "/push/ann")
        ann = Visitor(first, service, PHONE, service.forward)
        ben = Visitor(second, service, DESKTOP, service.forward)
        visitors = [ann, ben]
        ann.context.grant_permissions(["notifications"], origin=service.url)
        for script in (ASKED, subscription.stand_in()):
            ann.context.add_init_script(script)
        tell(report, service, ann, ben, subscription)
        for who, visitor in ("Ann", ann), ("Ben", ben):
            visitor.check_quiet(report, SUBJECT, who)
    except Exception:
        show_failure(service, visitors)
        raise
    finally:
        service.stop()
        first.close()
        second.close()


# Each window is looked at.
ARGUMENTS = ["--disable-background-timer-throttling", "--disable-renderer-backgrounding"]


def tell(report, service, ann, ben, subscription):
    sign_up_by_thumb(report, ann)
    ask_to_be_told(report, ann)
    keyboard = Keyboard(ben)
    company = ann.page.locator(".company")
    alone = company.inner_text()
    sign_up_by_keyboard(report, ben, keyboard)
    meeting.wait_for("a word of Ben", lambda: company.inner_text() != alone, ann.page)
    report.check(SUBJECT, "Ann is told that a partner has come", True, company.inner_text())
    lobby(report, ann, ben, keyboard, subscription)
    times = session(report, ann, ben, keyboard)
    meeting.told(report, times)
    meeting.lose_network(report, "Network", ann, ben)
    wait_for_counts(service, ann, ben)
    meeting.kill_server(report, "Network", service, ann, ben)
    ended(report, ann, ben, keyboard)


def fits(report, ann, where):
    wide = ann.page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
    report.check(SUBJECT, f"phone: {where} needs no sideways scrolling", wide <= 0, wide if wide > 0 else "")


def sign_up_by_thumb(report, ann):
    page = ann.page
    begun, taps = time.monotonic(), 0

    def tap(target):
        nonlocal taps
        taps += 1
        target.tap()

    page.goto("/")
    name = page.get_by_role("textbox", name="Your name")
    tap(name)
    name.press_sequentially("Ann", delay=TYPING)
    fits(report, ann, "Welcome")
    tap(page.get_by_role("button", name="Begin"))
    task = page.get_by_role("textbox", name="What will you do?")
    tap(task)
    task.press_sequentially("Write the report", delay=TYPING)
    fits(report, ann, "Day")
    tap(page.get_by_role("button", name=re.compile("^Register for")))
    ann.heading("You are in")
    took = time.monotonic() - begun
    report.check(SUBJECT, "from opening the page to being registered: at most four taps", taps <= 4, taps)
    report.check(SUBJECT, "and less than 30 s, at five letters a second", took < 30, f"{took:.1f} s")
    fits(report, ann, "Registered")
    code = page.get_by_role("region", name="Your recovery code").locator("code").inner_text()
    report.check(SUBJECT, "the recovery code is shown", code in ann.secrets)
    page.get_by_role("button", name="I have saved it").tap()
    report.check(SUBJECT, "and is gone when it was kept", code not in page.content())


def ask_to_be_told(report, ann):
    button = ann.page.get_by_role("button", name="Notify me when it opens")
    button.wait_for()
    before = ann.page.evaluate("asked")
    button.tap()
    ann.page.get_by_text("This browser notifies you").wait_for()
    after = ann.page.evaluate("asked")
    report.check(SUBJECT, "permission to push is asked for after the tap only", (before, after) == (0, 1))


def sign_up_by_keyboard(report, ben, keyboard):
    page = ben.page
    page.goto("/")
    ben.settle()
    keyboard.type(page.get_by_role("textbox", name="Your name"), "Ben")
    page.keyboard.press("Enter")
    page.get_by_role("button", name=re.compile("^Register for")).wait_for()
    keyboard.type(page.get_by_role("textbox", name="What will you do?"), "Read the report")
    page.keyboard.press("Enter")
    ben.heading("You are in")
    report.check(SUBJECT, "Ben has registered without a mouse", True)
    keyboard.press(page.get_by_role("button", name="I have saved it"))


def lobby(report, ann, ben, keyboard, subscription):
    [text] = subscription.messages()
    message = json.loads(text)
    body = message.get("notification", message)
    report.check(SUBJECT, "the push is decrypted by Ann's keys, and names Ben and his task",
                 all(word in body["body"] for word in ("Ben", "Read the report")), body["body"])
    report.check(SUBJECT, "it is a Declarative Web Push", message.get("web_push") == 8030)
    for visitor in (ann, ben):
        visitor.page.wait_for_url("**/room/*")
    report.check(SUBJECT, "both pages go to the room by themselves", True)
    room = ann.page.url.removeprefix(ann.service.url)
    shown = push.deliver(ann, text)
    is_shown = len(shown) == 1 and shown[0]["title"] and "Ben" in shown[0]["body"]
    report.check(SUBJECT, "the worker shows it", is_shown, shown and shown[0]["title"])
    path = shown and shown[0]["data"]["path"]
    report.check(SUBJECT, "and leads to the room", path == room, path)
    # What a tap on it does: another page, at that address.
    old = ann.page
    ann.open_page()
    old.close()
    ann.go(path)
    ann.heading("Your room is open")
    fits(report, ann, "Lobby")
    card = ann.page.get_by_role("listitem").filter(has_text="Ben")
    report.check(SUBJECT, "Ann sees Ben's task", "Read the report" in card.inner_text())
    ann.page.get_by_role("button", name="I am ready").tap()
    ben.page.get_by_role("listitem").filter(has_text="Ann").filter(has_text="ready").wait_for()
    report.check(SUBJECT, "Ben sees that Ann is ready", True)
    keyboard.press(ben.page.get_by_role("button", name="Getting ready"), "Space")
    card.filter(has_text="getting ready").wait_for()
    report.check(SUBJECT, "Ann sees that Ben is getting ready", True)
    ann.page.locator(".ale").tap()
    ben.page.locator(".tally").filter(has_text="1 received").wait_for()
    report.check(SUBJECT, "an ale from the lobby arrives there", True)
    ann.page.evaluate(COUNT)


def session(report, ann, ben, keyboard):
    for visitor in (ann, ben):
        visitor.page.get_by_role("heading", level=1, name="Work well").wait_for(timeout=60_000)
    fits(report, ann, "Room")
    size = ann.page.get_by_role("button", name=re.compile("^Ale!")).bounding_box()
    report.check(SUBJECT, "the ale button is at least 64 px", min(size["width"], size["height"]) >= 64,
                 f"{size['width']:.0f} × {size['height']:.0f}")
    for visitor in (ann, ben):
        visitor.page.locator("[role=timer]").filter(has_text=":").wait_for()
    timers = [seconds(visitor.page.locator("[role=timer]").inner_text()) for visitor in (ann, ben)]
    left = SLOT - (time.time() + ann.service.forward) % SLOT
    report.check(SUBJECT, "both count down by the server's clock", all(abs(one - left) < 2.5 for one in timers),
                 f"{timers} of {left:.0f} s")
    counted = ann.page.evaluate("counted")
    last = [text for text in counted if text in ("5", "4", "3", "2", "1", "Start!")]
    # A browser that is busy may skip one.
    is_so = last[-1:] == ["Start!"] and len(last) > 1 and last[:-1] == sorted(set(last[:-1]), reverse=True)
    report.check(SUBJECT, "the last five seconds are counted down to the start", is_so, last)
    button = ann.page.locator(".ale")
    times = meeting.cheer(report, SUBJECT, ann, ben, button.tap, 25, "by thumb")
    # Anywhere, by space; then on the button itself, by Enter.
    times += meeting.cheer(report, SUBJECT, ben, ann, lambda: ben.page.keyboard.press("Space"), 1, "by space")
    keyboard.to(ben.page.get_by_role("button", name=re.compile("^Ale!")))
    times += meeting.cheer(report, SUBJECT, ben, ann, lambda: ben.page.keyboard.press("Enter"), 25, "by Enter")
    return times


def seconds(text):
    minutes, rest = text.split(":")
    return int(minutes) * 60 + int(rest)


def wait_for_counts(service, *visitors):
    """Waits until the counts that both pages show are stored: a crash costs those of the last five seconds."""
    seen = {"{}|{}".format(*meeting.tally(visitor.page)) for visitor in visitors}
    stored = lambda: seen <= set(service.database.run("SELECT ales_sent, ales_received FROM members").split())
    meeting.wait_for("the storing of the counts", stored, visitors[0].page)


def ended(report, ann, ben, keyboard):
    sent, got = meeting.tally(ann.page)
    for visitor in (ann, ben):
        visitor.page.get_by_role("heading", level=1, name="Well done").wait_for(timeout=120_000)
    report.check(SUBJECT, "the session ends by itself", True)
    fits(report, ann, "End")
    counted = ann.page.locator(".tally:not(:empty)")
    counted.wait_for()
    # The ale just before the crash may have been taken, and not have been counted.
    now_sent, now_got = meeting.tally(ann.page)
    are_so = now_got == got and sent - 1 <= now_sent <= sent
    report.check(SUBJECT, "the ales are those that were seen, but for the one before the crash", are_so,
                 f"{counted.inner_text()} ({sent} and {got} seen)")
    page = ann.page
    page.get_by_text("Done", exact=True).tap()
    page.get_by_role("textbox", name="A note").fill("Two pages")
    # The room may close between what was read and what is saved: then the page is told so, and saves again.
    with expected(ann), expected(ben):
        page.get_by_role("button", name="Save").tap()
        page.get_by_text("Saved.").first.wait_for()
        keyboard.to(ben.page.get_by_role("radio").first)
        ben.page.keyboard.press("ArrowDown")
        keyboard.press(ben.page.get_by_role("button", name="Save"))
        ben.page.get_by_text("Saved.").first.wait_for()
    ben.page.reload()
    ben.settle()
    card = ben.page.get_by_role("listitem").filter(has_text="Ann")
    report.check(SUBJECT, "Ben sees Ann's outcome and note", all(word in card.inner_text() for word in (
        "Done", "Two pages")), " ".join(card.inner_text().split()))
    is_kept = ben.page.get_by_role("radio", name="Partly").is_checked()
    report.check(SUBJECT, "Ben's own outcome is kept", is_kept)
    keyboard.press(ben.page.get_by_role("button", name="Favorite: Ann"), "Space")
    ben.page.get_by_text("You are more likely to meet again").wait_for()
    keyboard.press(ben.page.get_by_role("button", name="Again tomorrow"))
    ben.heading("You are in")
    report.check(SUBJECT, "Ben's whole story needed no mouse, and the focus was always to be seen",
                 not keyboard.unseen, keyboard.unseen[:3] or "")
