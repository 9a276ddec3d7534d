"""An update, as browsers see it: a tab whose build is on no server any more loads the page again, once."""

import os
import subprocess
import urllib.request

import meeting
from service import Person, Service
from tour import show_failure
from visitor import Visitor

SUBJECT = "Update"
OTHER_BUILD = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../Interop/other_build.py")
BUILD = "document.querySelector('script[src]')?.getAttribute('src')?.split('/')[2]"


def check(suite, playwright, report):
    old = os.path.join(suite.place("build"), "letsswitch-server")
    subprocess.run([OTHER_BUILD, suite.program, old], check=True)
    browser = playwright.chromium.launch(executable_path=suite.chromium)
    service = Service(old, suite.place("update"), suite.clock, suite.settings)
    visitors = []

    def visit(person=None):
        # A service worker has all files of its build.
        visitor = Visitor(browser, service, service_workers="block")
        visitor.is_network_away = True
        visitors.append(visitor)
        if person:
            visitor.sign_in(person.token)
        return visitor

    try:
        ann = Person(service)
        tab = visit(ann)
        tab.context.route("**/me.js", lambda route: route.abort())
        tab.go("/day")
        other = visit(ann)
        other.go("/me")
        build = tab.page.evaluate(BUILD)
        shell = read_shell(service)
        service.end()
        service.program = suite.program
        service.start()
        tab.context.unroute("**/me.js")
        tab.page.locator("#places a[href='/me']").click()
        tab.page.wait_for_function(f"build => ({BUILD} ?? build) !== build", arg=build)
        new = tab.page.evaluate(BUILD)
        tab.page.locator("main.me h1").wait_for()
        report.check(SUBJECT, "an old tab loads the page of the new build, and shows the screen that was asked for",
                     tab.page.evaluate("location.pathname") == "/me", f"{build} → {new}")

        # The table of the language is asked for after the answer to what was saved.
        other.page.get_by_label("Language").select_option("de")
        other.page.locator("main.me form button.main").first.click()
        other.page.wait_for_function(f"build => ({BUILD} ?? build) !== build", arg=build)
        other.page.locator("main.me h1").wait_for()
        shown = other.page.locator("html").get_attribute("lang"), other.page.locator(".problem").count()
        report.check(SUBJECT, "an old tab that needs one more file for what was saved loads the page of the new build",
                     shown == ("de", 0), shown)

        fresh = visit()
        pages = serve(fresh, shell, times=1)
        fresh.go("/welcome")
        report.check(SUBJECT, "a fresh tab with the HTML of a build that is gone loads the page again",
                     fresh.page.evaluate(BUILD) == new and len(pages) == 2, f"{len(pages)} loads")

        stuck = visit()
        pages = serve(stuck, shell, times=1_000)
        stuck.page.goto("/welcome")
        # A load is in the list as soon as it is asked for, and the first document is there until it has an answer.
        meeting.wait_for("the second load", lambda: len(pages) == 2, stuck.page)
        stuck.page.wait_for_function(
            "() => document.readyState === 'complete' && document.documentElement.dataset.load === '2'")
        again = stuck.page.evaluate("reloadIfGone()")
        report.check(SUBJECT, "a tab that gets the old HTML once more stays as it is", again is False and len(pages) == 2,
                     f"{len(pages)} loads")
        for visitor in visitors:
            visitor.check_quiet(report, SUBJECT, "a tab")
    except Exception:
        show_failure(service, visitors)
        raise
    finally:
        service.stop()
        browser.close()


def read_shell(service):
    request = urllib.request.Request(service.url + "/welcome", headers={"Accept": "text/html"})
    with urllib.request.urlopen(request, timeout=30) as answer:
        return {"status": 200, "body": answer.read(), "headers": dict(answer.headers)}


def serve(visitor, shell, times):
    """Has so many loads of a screen end with that HTML, as from a cache, and its number; returns the loads."""
    pages = []
    headers = {name: value for name, value in shell["headers"].items() if name.lower() != "content-length"}

    def answer(route):
        pages.append(route.request.url)
        if len(pages) <= times:
            body = shell["body"].replace(b"<html ", b'<html data-load="%d" ' % len(pages), 1)
            route.fulfill(status=shell["status"], headers=headers, body=body)
        else:
            route.continue_()

    visitor.context.route("**/welcome", answer)
    return pages
