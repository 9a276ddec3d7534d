"""The page below a path of its host, as at https://example.org/switch: it asks for nothing above the path."""

import meeting
import tour
from visitor import DESKTOP

SUBJECT = "Below a path"


def check(suite, playwright, report):
    with suite.stage(playwright, "below", tour.PLAIN, 2) as stage:
        service = stage.service
        service.end()
        service.environment["PUBLIC_URL"] = f"http://127.0.0.1:{service.environment['PORT']}/switch"
        service.start()
        room = stage.room(stage.ann, stage.register(stage.ann, 8)[0])
        stage.join(room, 8)
        asked = []
        people = [stage.visitor(person, size=DESKTOP) for person in stage.people]
        for visitor in people:
            visitor.context.on("request", lambda request: asked.append(request.url))
            visitor.page.on("websocket", lambda socket: asked.append(socket.url.replace("ws:", "http:")))
            enter(visitor, room)
        ann, ben = people
        meeting.cheer(report, SUBJECT, ann, ben, ann.page.locator(".ale").click, 2, "below a path")
        go_elsewhere(ann, report)
        outside = [url for url in asked if not url.startswith(f"{service.url}/")]
        sockets = [url for url in asked if f"{service.url}/socket?" in url]
        report.check(SUBJECT, "nothing is asked for above the path", not outside, outside[:5] or f"{len(asked)} requests")
        report.check(SUBJECT, "events and sockets are below it", sockets and any("/switch/v1/events" in url for url in asked))
        go_offline(ann, report)
        stage.check_quiet(report)


def enter(visitor, room):
    """By the links of the page, from its start."""
    page, url = visitor.page, visitor.service.url
    visitor.go(f"{url}/")
    page.wait_for_url(f"{url}/day")
    page.locator(f"main a[href='/switch/room/{room}']").first.click()
    page.wait_for_url(f"{url}/room/{room}")
    page.locator(".stay:not(.away)").wait_for()


def go_elsewhere(ann, report):
    page, url = ann.page, ann.service.url
    page.get_by_role("link", name="Me", exact=True).click()
    page.wait_for_url(f"{url}/me")
    ann.settle()
    links = page.locator("a").evaluate_all("(links) => links.map((link) => link.getAttribute('href'))")
    outside = [link for link in links if link.startswith("/") and not link.startswith("/switch/")]
    report.check(SUBJECT, "all links of a screen are below the path", links and not outside, outside or links)
    page.go_back()
    page.wait_for_url(f"{url}/room/*")
    page.locator(".stay:not(.away)").wait_for()
    page.reload()
    page.locator(".stay:not(.away)").wait_for()
    report.check(SUBJECT, "going back and loading again show the screen of the address", True)
    cookies = {cookie["name"]: cookie["path"] for cookie in ann.context.cookies(f"{url}/")}
    report.check(SUBJECT, "the cookie is for the path", cookies == {"letsswitch": "/switch"}, cookies)
    above = ann.context.cookies(url.removesuffix("/switch"))
    report.check(SUBJECT, "and no other program at the host is sent it", not above, above)


def go_offline(ann, report):
    page, url = ann.page, ann.service.url
    scope = page.evaluate("navigator.serviceWorker.ready.then(({ scope }) => scope)")
    report.check(SUBJECT, "the worker is for the path", scope == f"{url}/", scope)
    names = page.evaluate("caches.keys()")
    report.check(SUBJECT, "and so is what it keeps", names and all(name.startswith("/switch/page/") for name in names), names)
    with tour.expected(ann):
        ann.is_network_away = True
        ann.context.set_offline(True)
        ann.go(f"{url}/welcome")
        report.check(SUBJECT, "the page is there without a network", page.locator("main h1").inner_text() != "")
        ann.context.set_offline(False)
        ann.is_network_away = False
