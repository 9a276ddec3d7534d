"""Uses the page as people do, in Chromium: python3 Tests/Browser PROGRAM CLOCK-LIBRARY CHROMIUM [PART…]

PROGRAM is the server, CLOCK-LIBRARY libfaketime. The packages are in `requirements.txt`. Prints what was checked; the
exit code is 1 where something is not as it should be. `script/dev/browser` names the parts.
"""

import os
import shutil
import sys
import tempfile
import threading
import traceback

sys.path.insert(1, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../Interop"))

from playwright.sync_api import sync_playwright

import desk
import edges
import look
import mistakes
import moving
import signups
import speed
import story
import tongues
import tour
import update
from certificate import certificate
from receiver import Receiver
from report import Report, say


class Suite:
    """What every part has: programs, a folder, and what answers for other services."""

    def __init__(self, program, clock, chromium, folder):
        self.program, self.clock, self.chromium, self.folder = program, clock, chromium, folder
        identity = certificate(folder)
        self.receiver = Receiver(*identity)
        self.settings = {
            "ALLOW_PRIVATE_WEBHOOKS": "true", "WEBHOOKS_PER_SECOND": "0", "SSL_CERT_FILE": identity[0],
            "VAPID_SUBJECT": "mailto:operator@example.org",
        }

    def place(self, name):
        """A new folder."""
        path = tempfile.mkdtemp(prefix=f"{name}-", dir=self.folder)
        os.chmod(path, 0o711)
        return path

    def stage(self, playwright, name, words, people, **options):
        browser = playwright.chromium.launch(executable_path=self.chromium)
        return tour.Stage(self, browser, name, words, people, **options)

    def run(self, name):
        """A part that cannot go on has failed; the others go on."""
        report = Report()
        try:
            with sync_playwright() as playwright:
                PARTS[name](self, playwright, report)
        except Exception as error:
            say(traceback.format_exc())
            report.check(name.capitalize(), "goes on to its end", False,
                         f"{type(error).__name__}: {error}".split("\n")[0])
        return report


def look_at_screens(suite, playwright, report):
    with suite.stage(playwright, "screens", tour.HOSTILE, 4) as stage:
        tour.tour(stage, look.Looker(report))
        stage.check_quiet(report)


def take_pictures(suite, playwright, report):
    camera = look.Camera(os.environ.get("PICTURES", ".build/pictures"))
    with suite.stage(playwright, "pictures", tour.PLAIN, 2) as stage:
        tour.tour(stage, camera)
    desk.take_pictures(suite, playwright, camera)
    report.check("Pictures", f"of every screen and state are in {camera.folder}", camera.count > 100, camera.count)


PARTS = {
    "story": story.check, "screens": look_at_screens, "tongues": tongues.check, "speed": speed.check,
    "moving": moving.check, "edges": edges.check, "desk": desk.check, "mistakes": mistakes.check, "pictures": take_pictures,
    "update": update.check, "signups": signups.check,
}
USUAL = ["story", "screens", "moving", "edges", "tongues", "speed", "desk", "update", "signups"]
QUICK = ["story", "screens", "moving", "edges", "update", "signups"]


def run(suite, names):
    """Parts of the quick run go on at the same time: most of the time they wait for a slot."""
    if names != ["quick"]:
        return [suite.run(name) for name in names or USUAL]
    reports = []
    threads = [threading.Thread(target=lambda name=name: reports.append(suite.run(name))) for name in QUICK]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return reports


def main():
    if len(sys.argv) < 4 or not set(sys.argv[4:]) <= set(PARTS) | {"quick"}:
        sys.exit(__doc__)
    folder = tempfile.mkdtemp(prefix="letsswitch-browser-")
    # PostgreSQL's own user has to pass through where this runs as root.
    os.chmod(folder, 0o711)
    try:
        suite = Suite(*sys.argv[1:4], folder)
        total = Report()
        for report in run(suite, sys.argv[4:]):
            total.passed += report.passed
            total.failed += report.failed
        suite.receiver.close()
        return total.end()
    finally:
        shutil.rmtree(folder, ignore_errors=True)


sys.exit(main())
