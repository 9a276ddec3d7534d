"""What two people see of each other in a room: ales, and a network that goes away."""

import re
import statistics
import time

LONG = 30

# Says when a key or a finger has pressed the button, and when the frame is drawn that shows an ale of the other.
WATCH = """() => {
  globalThis.pressed = [];
  globalThis.seen = [];
  const now = () => performance.timeOrigin + performance.now();
  const cheers = document.querySelector('.cheers');
  if (cheers.isWatched) return;
  cheers.isWatched = true;
  document.querySelector('.ale').addEventListener('click', () => pressed.push(now()), true);
  new MutationObserver((changes) => {
    const count = changes.flatMap(({ addedNodes }) => [...addedNodes])
      .filter((node) => node.classList?.contains('theirs')).length;
    if (!count) return;
    // A task that follows the callbacks of a frame runs after it was drawn.
    requestAnimationFrame(() => setTimeout(() => { for (let index = 0; index < count; index += 1) seen.push(now()); }));
  }).observe(cheers, { childList: true });
}"""


def tally(page):
    """The ales sent and received, as the page says it."""
    text = page.locator(".tally").inner_text()
    return tuple(int(number) for number in re.findall(r"\d+", text)) or (0, 0)


def seen(page):
    return page.evaluate("seen.length")


def wait_for(what, body, *pages, limit=LONG):
    """Asks again and again; the pages go on meanwhile."""
    end = time.monotonic() + limit
    while time.monotonic() < end:
        if answer := body():
            return answer
        pages[0].wait_for_timeout(20)
    raise TimeoutError(f"{what} did not happen in {limit} s")


def is_open(visitor):
    return visitor.page.locator(".stay:not(.away)").count() == 1 and visitor.page.locator(".people .present").count()


def cheer(report, subject, sender, receiver, press, count, whose):
    """Sends ales, each when the one before has been seen; returns the ms from the press to the partner's screen."""
    page, other = sender.page, receiver.page
    for one in (page, other):
        wait_for("the end of earlier ales", lambda shown=one: shown.locator(".cheer").count() == 0, one)
        one.evaluate(WATCH)
    sent, before = tally(page)[0], tally(other)[1]
    for index in range(count):
        press()
        # The page shows at most 20 at once, each for 1.8 s.
        page.wait_for_timeout(120)
        wait_for(f"ale {index + 1}", lambda n=index: seen(other) > n, other)
    is_so = wait_for("the tally", lambda: tally(page)[0] == sent + count and tally(other)[1] == before + count, page)
    report.check(subject, f"{count} ales {whose} are seen, each once", is_so and seen(other) == count)
    return [seen - pressed for pressed, seen in zip(page.evaluate("pressed"), other.evaluate("seen"))]


def told(report, times):
    """Prints the figures; they are those of this machine, and nothing is asserted of them."""
    times = sorted(times)
    worst = times[int(len(times) * 0.95) - 1]
    report.check("Speed", f"ale button to the partner's screen, {len(times)} ales", len(times) >= 50,
                 f"p50 {statistics.median(times):.1f} ms, p95 {worst:.1f} ms")


def lose_network(report, subject, ann, ben):
    """Ann's network goes away and comes back. What both send meanwhile arrives once."""
    ann.page.evaluate(WATCH)
    ben.page.evaluate(WATCH)
    sent, got = tally(ann.page)[0], tally(ben.page)[1]
    ann.is_network_away = True
    ann.context.set_offline(True)
    trouble = ann.page.locator(".stay .trouble p")
    said = wait_for("a word of the lost network", lambda: trouble.count() and trouble.inner_text(), ann.page)
    report.check(subject, "offline: the room says so", re.search(r"lost|silent|reached", said), said)
    ann.page.locator(".ale").click()
    wait = ann.page.get_by_text("1 ale waits")
    wait.wait_for()
    report.check(subject, "offline: an ale waits, and the room says so", True)
    ben.page.locator(".ale").click()
    wait_for("Ben's ale", lambda: "1 ale sent" in ben.page.locator(".tally").inner_text()
             or tally(ben.page)[0] > 0, ben.page)
    report.check(subject, "offline: nothing arrives", seen(ben.page) == 0 and seen(ann.page) == 0)
    ann.context.set_offline(False)
    wait_for("the connection", lambda: is_open(ann), ann.page)
    wait_for("the ale", lambda: seen(ben.page) and seen(ann.page), ben.page)
    # Whatever else would come has a second to do so.
    ben.page.wait_for_timeout(1000)
    report.check(subject, "back: the ale that waited is seen once", seen(ben.page) == 1 and
                 tally(ben.page)[1] == got + 1 and tally(ann.page)[0] == sent + 1, f"{seen(ben.page)} seen")
    report.check(subject, "back: the ale that was missed is seen once", seen(ann.page) == 1, f"{seen(ann.page)} seen")
    ann.is_network_away = False


def kill_server(report, subject, service, ann, ben):
    """The server dies without a word, and another one begins."""
    ann.page.evaluate(WATCH)
    ben.page.evaluate(WATCH)
    sent, got = tally(ann.page)[0], tally(ben.page)[1]
    ann.is_network_away = ben.is_network_away = True
    # This one may or may not have been taken, and its acknowledgement be lost.
    ann.page.locator(".ale").click()
    service.kill()
    for one in (ann, ben):
        one.page.locator(".stay.away .trouble p").wait_for()
    report.check(subject, "SIGKILL: both rooms say that they are away", True,
                 ann.page.locator(".stay .trouble p").inner_text())
    for _ in range(2):
        ann.page.locator(".ale").click()
    ben.page.locator(".ale").click()
    ann.page.get_by_text("wait").first.wait_for()
    begun = time.monotonic()
    service.start()
    restarted = time.monotonic()
    for one in (ann, ben):
        wait_for("the connection", lambda who=one: is_open(who), one.page, limit=60)
    report.check(subject, "SIGKILL: both come back by themselves", True,
                 f"{time.monotonic() - restarted:.1f} s after a start of {restarted - begun:.1f} s")
    for one in (ann, ben):
        text = one.page.locator(".stay .trouble").inner_text()
        report.check(subject, "SIGKILL: the room goes on from where it was", not re.search("lost", text), text)
    wait_for("the ales", lambda: seen(ben.page) >= 3 and seen(ann.page) >= 1, ben.page)
    ben.page.wait_for_timeout(1000)
    report.check(subject, "SIGKILL: three ales sent while away are seen once each", seen(ben.page) == 3 and
                 tally(ben.page)[1] == got + 3, f"{seen(ben.page)} seen")
    report.check(subject, "SIGKILL: the partner's ale is seen once", seen(ann.page) == 1, f"{seen(ann.page)} seen")
    report.check(subject, "SIGKILL: the sender counts them once", wait_for(
        "the acknowledgements", lambda: tally(ann.page)[0] >= sent + 3, ann.page) and tally(ann.page)[0] == sent + 3)
    ann.is_network_away = ben.is_network_away = False
