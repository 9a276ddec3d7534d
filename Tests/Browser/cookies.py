"""Browsers that keep no session: no account is left behind that cannot be used."""

import json
import os

SUBJECT = "Cookies"
NAME = "switch.test"
BLOCKED = {"profile": {"default_content_setting_values": {"cookies": 2}}}


def check(suite, playwright, stage, report):
    blocked(suite, playwright, stage, report)
    dropped(suite, playwright, stage, report)
    plain(suite, playwright, stage, report)


def accounts(stage):
    return int(stage.service.database.run("SELECT count(*) FROM accounts"))


def press(page):
    """Presses "Begin" twice; returns what the page says."""
    name = page.get_by_role("textbox", name="Your name")
    name.fill("Cora")
    for _ in range(2):
        page.get_by_role("button", name="Begin").click()
        page.locator("form button[aria-busy=true]").wait_for(state="detached")
        page.get_by_role("alert").wait_for()
    return page.get_by_role("alert").inner_text()


def blocked(suite, playwright, stage, report):
    profile = suite.place("blocked")
    os.mkdir(os.path.join(profile, "Default"))
    with open(os.path.join(profile, "Default", "Preferences"), "w") as file:
        json.dump(BLOCKED, file)
    context = playwright.chromium.launch_persistent_context(
        profile, executable_path=suite.chromium, locale="en-GB", base_url=stage.service.url)
    before = accounts(stage)
    page = context.new_page()
    page.goto("/")
    says = press(page)
    report.check(SUBJECT, "a browser that refuses cookies is told so", "does not keep cookies" in says, says)
    page.get_by_text("I have a token").click()
    page.get_by_label("Token, sign-in code or recovery code").fill("0" * 25)
    page.get_by_role("button", name="Sign in").click()
    page.get_by_role("alert").nth(1).wait_for()
    says = page.get_by_role("alert").nth(1).inner_text()
    report.check(SUBJECT, "before its recovery code is used, too", "does not keep cookies" in says, says)
    report.check(SUBJECT, "and makes no account", accounts(stage) == before, accounts(stage) - before)
    context.close()


def dropped(suite, playwright, stage, report):
    """A proxy drops the cookie, which no browser can know before."""
    context = stage.browser.new_context(locale="en-GB", base_url=stage.service.url, service_workers="block")

    def drop(route):
        answer = route.fetch()
        headers = {name: value for name, value in answer.headers.items() if name != "set-cookie"}
        # `route.fetch` has kept the cookie for the browser.
        context.clear_cookies()
        route.fulfill(response=answer, headers=headers)

    context.route("**/v1/me/session", drop)
    before = accounts(stage)
    page = context.new_page()
    page.goto("/")
    says = press(page)
    report.check(SUBJECT, "a person whose session is not kept is told so", "does not keep cookies" in says, says)
    report.check(SUBJECT, "and no account is left behind", accounts(stage) == before, accounts(stage) - before)
    context.close()


def plain(suite, playwright, stage, report):
    """The page is opened over http, and the service is at https."""
    service = stage.service
    origin = f"https://{NAME}:{service.environment['PORT']}"
    service.end()
    service.environment["PUBLIC_URL"] = origin
    service.start()
    browser = playwright.chromium.launch(
        executable_path=suite.chromium, args=[f"--host-resolver-rules=MAP {NAME} 127.0.0.1"])
    before = accounts(stage)
    page = browser.new_page(locale="en-GB")
    page.goto(origin.replace("https:", "http:"))
    says = press(page)
    report.check(SUBJECT, "a page over http names the address over https", f"Open {origin} instead" in says, says)
    report.check(SUBJECT, "and makes no account", accounts(stage) == before, accounts(stage) - before)
    browser.close()
