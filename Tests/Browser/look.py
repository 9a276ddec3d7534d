"""What holds of every screen in every state: axe finds nothing, nothing has to be scrolled sideways, nothing is run."""

import json
import os

import axe_playwright_python

from visitor import DESKTOP, PHONE

SUBJECT = "Screens"
TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
NARROW = {"width": 320, "height": 640}

# axe would fetch the style sheets again; and it is to be heard of all that is not as it should be.
RUN = "axe.run({ runOnly: %s, preload: false, resultTypes: ['violations'] }).then(({ violations }) =>" \
    " violations.flatMap(({ id, nodes }) =>" \
    " nodes.map(({ target, any }) => `${id}: ${target.join(' ')} (${any[0]?.message})`)))"
# What the bar at an edge lies over at the moment is reached by scrolling.
SCROLLED = "partially obscured"

# Text of 175 %, as in the settings of a browser.
LARGE = "28px"

WIDE = """() => {
  const page = document.documentElement;
  return Math.max(page.scrollWidth, document.body.scrollWidth) - page.clientWidth;
}"""

# Markup of other people that has become part of the page, or was run. The page has one script without a file.
FOREIGN = """() => {
  const own = 'script[src^="/page/"], head > script:first-of-type';
  const found = [...document.querySelectorAll('img, iframe, script')].filter((node) => !node.matches(own));
  return [globalThis.ran, ...found.map((node) => node.outerHTML.slice(0, 80))].filter(Boolean);
}"""


class Looker:
    def __init__(self, report, modes=(("light", PHONE), ("dark", DESKTOP)), large=(NARROW, PHONE)):
        self.report = report
        self.modes = modes
        self.large = large
        path = os.path.join(os.path.dirname(axe_playwright_python.__file__), "axe.min.js")
        with open(path) as file:
            self._axe = file.read()

    def __call__(self, name, visitor, subject=SUBJECT):
        """Looks at what is shown, in each mode; one line for each state."""
        page = visitor.page
        devtools = visitor.context.new_cdp_session(page)
        if visitor.has_scripts:
            evaluate(devtools, self._axe)
        wrong = []
        for scheme, size in self.modes:
            page.set_viewport_size(size)
            page.emulate_media(color_scheme=scheme)
            # axe waits for what does not come without scripts.
            found = evaluate(devtools, RUN % json.dumps(TAGS)) if visitor.has_scripts else []
            found = [one for one in found if SCROLLED not in one][:5]
            wrong += [f"axe, {scheme}, {size['width']} px: {one}" for one in found]
            wrong += wide(page, size)
        page.set_viewport_size(NARROW)
        wrong += wide(page, NARROW)
        wrong += self._enlarged(page)
        wrong += [f"foreign: {one}" for one in page.evaluate(FOREIGN)]
        if visitor.dialogs:
            wrong.append(f"a dialog: {visitor.dialogs}")
        devtools.detach()
        self.report.check(subject, name, not wrong, "; ".join(wrong))


    def _enlarged(self, page):
        """What is too wide, or is not to be reached, where the text is large."""
        wrong = []
        if self.large:
            page.evaluate("(size) => { document.documentElement.style.fontSize = size; }", LARGE)
            for size in self.large:
                page.set_viewport_size(size)
                wrong += [f"large text: {one}" for one in wide(page, size)]
            page.evaluate("document.documentElement.style.fontSize = ''")
        return wrong


def wide(page, size):
    pixels = page.evaluate(WIDE)
    return [f"{pixels} px too wide at {size['width']} px"] if pixels > 0 else []


def evaluate(devtools, expression):
    """Not by the page's own means, which the content security policy would have a word in."""
    answer = devtools.send("Runtime.evaluate", {
        "expression": expression, "awaitPromise": True, "returnByValue": True})
    if "exceptionDetails" in answer:
        raise RuntimeError(answer["exceptionDetails"]["exception"].get("description", answer["exceptionDetails"]))
    return answer["result"].get("value")


class Camera:
    """Takes a picture of each state, light and dark, on a phone and on a desk."""

    def __init__(self, folder):
        self.folder = folder
        self.count = 0
        os.makedirs(folder, exist_ok=True)

    def __call__(self, name, visitor):
        page = visitor.page
        for size in (PHONE, DESKTOP):
            page.set_viewport_size(size)
            for scheme in ("light", "dark"):
                page.emulate_media(color_scheme=scheme)
                page.wait_for_timeout(100)
                path = os.path.join(self.folder, f"{name.replace(' ', '-')}-{scheme}-{size['width']}.png")
                page.screenshot(path=path)
                self.count += 1
