"""Tabs of a page without https. Browsers have no Web Locks there, and six connections for all tabs of a host."""

import meeting
from visitor import LIMIT

SUBJECT = "Plain http"
NAME = "switch.test"
TABS = 7


def check(suite, playwright, stage, report):
    port = stage.service.environment["PORT"]
    browser = playwright.chromium.launch(
        executable_path=suite.chromium, args=[f"--host-resolver-rules=MAP {NAME} 127.0.0.1"])
    context = browser.new_context(locale="en-GB", base_url=f"http://{NAME}:{port}", service_workers="block")
    context.set_default_timeout(LIMIT)
    streams = {}

    def asked(request):
        if "/v1/events" in request.url:
            streams[request] = request.frame.page

    def live():
        """Chromium does not report how the streams of a closed tab end."""
        return {request for request, tab in streams.items() if not tab.is_closed()}

    context.on("request", asked)
    for end in "requestfinished", "requestfailed":
        context.on(end, lambda request: streams.pop(request, None))
    page = context.new_page()
    sign_in(page, stage.ann.token)
    report.check(SUBJECT, "the page has no Web Locks", page.evaluate("!isSecureContext && !navigator.locks"))
    tabs = [page]
    for _ in range(1, TABS):
        tabs.append(context.new_page())
        tabs[-1].goto("/day")
        tabs[-1].locator("main.day .composer").wait_for()
    meeting.wait_for("one stream", lambda: len(live()) == 1, page)
    report.check(SUBJECT, f"{TABS} tabs load, and one of them has the stream", len(live()) == 1, len(live()))
    [ahead] = stage.register(stage.ann, 20)
    page.goto(f"/registration/{ahead}")
    page.get_by_role("button", name="Invite").click()
    address = page.locator(".handed input").input_value()
    report.check(SUBJECT, "an invite has the address that the page has", address.startswith(f"http://{NAME}:{port}/invites/"),
                 address)
    [mine] = stage.register(stage.ann, 8)
    for tab in tabs:
        tab.get_by_text("Your room for 8:00 is open").first.wait_for()
    report.check(SUBJECT, "and all tabs hear of what comes", True)
    tabs.pop().close()
    meeting.wait_for("the stream of another tab", lambda: len(live()) == 1, page)
    report.check(SUBJECT, "and another tab has the stream when that one is closed", len(live()) == 1, len(live()))
    for made in ahead, mine:
        stage.ann.call("DELETE", f"/v1/registrations/{made}")
    browser.close()


def sign_in(page, token):
    page.goto("/")
    page.get_by_text("I have a token").click()
    page.get_by_label("Token, sign-in code or recovery code").fill(token)
    page.get_by_role("button", name="Sign in").click()
    page.locator("main.day .composer").wait_for()
