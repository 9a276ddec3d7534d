"""A person with a browser: a profile of its own, and an eye on all that the page must not do."""

import re

PHONE = {"width": 360, "height": 740}
DESKTOP = {"width": 1280, "height": 800}
LIMIT = 45_000

# Playwright's own words where it keeps workers away.
BLOCKED = "Service Worker registration blocked by Playwright"
# Chromium's messages about the network itself, which no page can keep away.
NETWORK = re.compile(r"net::ERR_|WebSocket connection to .* failed|Failed to load resource: .*status of \d+")

# The page's clock goes with the server's, which may be put forward. `seen` gets what must not happen.
CLOCK = """(() => {
  globalThis.putForward = %d;
  if (globalThis.ownDate) return;
  const Own = globalThis.ownDate = Date;
  globalThis.Date = class extends Own {
    constructor(...parts) { parts.length ? super(...parts) : super(Own.now() + putForward); }
    static now() { return Own.now() + putForward; }
  };
})()"""
REPORTS = """document.addEventListener('securitypolicyviolation', (event) =>
  cspReport(`${event.violatedDirective} ${event.blockedURI} ${event.sourceFile}:${event.lineNumber}`));"""

# Everything that a page can keep, as one text.
STORAGE = """async () => {
  const kept = [JSON.stringify(localStorage), JSON.stringify(sessionStorage), document.cookie];
  for (const { name } of await indexedDB.databases()) {
    const base = await new Promise((resolve, reject) => {
      const request = indexedDB.open(name);
      [request.onsuccess, request.onerror] = [() => resolve(request.result), reject];
    });
    for (const store of base.objectStoreNames) kept.push(name, JSON.stringify(await new Promise((resolve, reject) => {
      const request = base.transaction(store).objectStore(store).getAll();
      [request.onsuccess, request.onerror] = [() => resolve(request.result), reject];
    })));
    base.close();
  }
  for (const name of await caches.keys()) {
    const cache = await caches.open(name);
    for (const request of await cache.keys()) {
      kept.push(request.url);
      const answer = await cache.match(request);
      if (/text|json|javascript/.test(answer.headers.get('Content-Type'))) kept.push(await answer.text());
    }
  }
  return kept.join('\\n');
}"""


class Visitor:
    """A profile with one page. What it sees is kept: errors, reports of the policy, foreign requests, secrets."""

    def __init__(self, browser, service, size=DESKTOP, forward=0, mistake=None, **options):
        self.service = service
        self.errors, self.reports, self.foreign, self.dialogs, self.secrets = [], [], [], [], set()
        self.is_network_away = False
        self.has_scripts = options.get("java_script_enabled", True)
        is_phone = size["width"] < 600
        self.context = browser.new_context(**{
            "base_url": service.url, "viewport": size, "locale": "en-GB", "timezone_id": "UTC",
            "reduced_motion": "reduce", "has_touch": is_phone, "is_mobile": is_phone} | options)
        self.context.set_default_timeout(LIMIT)
        self.context.expose_function("cspReport", lambda text: self.reports.append(text))
        self.context.add_init_script(CLOCK % (forward * 1000))
        self.context.add_init_script(REPORTS)
        if mistake:
            mistake(self.context)
        self.context.on("request", self._asked)
        self.context.on("response", self._answered)
        self.page = None
        self.open_page()

    def open_page(self):
        self.page = self.context.new_page()
        self.page.on("console", self._said)
        self.page.on("pageerror", lambda error: self.errors.append(f"{error.name}: {error.message}"))
        self.page.on("dialog", self._asked_by_dialog)
        return self.page

    def _said(self, message):
        if message.type not in ("error", "warning") or message.text == BLOCKED:
            return
        # The page asks who is signed in, and no person is.
        if "status of 401" in message.text and message.location.get("url", "").endswith("/v1/me"):
            return
        if not (self.is_network_away and NETWORK.search(message.text)):
            self.errors.append(f"{message.text} ({message.location.get('url', '')})")

    def _asked_by_dialog(self, dialog):
        self.dialogs.append(dialog.message)
        dialog.dismiss()

    def _asked(self, request):
        own = self.service.url.split("://")[1]
        if not re.match(rf"(https?|wss?)://{re.escape(own)}/|data:|blob:", request.url):
            self.foreign.append(request.url)

    def _answered(self, response):
        """What the server tells once is looked for in all that is kept."""
        if response.request.method != "POST" or not re.search(r"/v1/(users|recover|sign-in|me/|tokens|people/)", response.url):
            return
        try:
            body = response.json()
        except Exception:  # An answer without a body, or of a page that has gone.
            return
        self.secrets |= {body[name] for name in ("token", "recoveryCode") if body.get(name)}

    def sign_in(self, token):
        """By the API, as the first screen does it; the page is told that there is a session."""
        answer = self.context.request.post("/v1/me/session", headers={"Authorization": f"Bearer {token}"})
        assert answer.ok, answer.text()
        self.secrets.add(token)
        self.context.add_init_script("localStorage.setItem('letsswitch.signedIn', 'yes')")

    def go(self, address):
        """Returns when the screen is there."""
        self.page.goto(address)
        self.settle()

    def settle(self):
        self.page.locator("main:not([aria-busy]) h1").wait_for()

    def heading(self, text):
        self.page.get_by_role("heading", level=1, name=text).wait_for()

    def kept(self):
        return self.page.evaluate(STORAGE)

    def leaked(self):
        """The secrets that are found in what the page keeps, and what looks like one."""
        kept = self.kept()
        found = [secret for secret in self.secrets if secret in kept]
        found += re.findall(r"ls[a-z]_[A-Za-z0-9_-]{16,}|[?&]token=[\w.-]{16,}", kept)
        return [one[:8] + "…" for one in found]

    def check_quiet(self, report, subject, who):
        """What holds of every profile at its end."""
        report.check(subject, f"{who}: the console is free of errors", not self.errors, self.errors[:3] or "")
        report.check(subject, f"{who}: the content security policy has no reports", not self.reports,
                     self.reports[:3] or "")
        report.check(subject, f"{who}: nothing is asked of other hosts", not self.foreign, self.foreign[:3] or "")
        leaked = self.leaked()
        report.check(subject, f"{who}: storage is free of tokens", not leaked,
                     leaked or f"{len(self.secrets)} secrets looked for")

    def close(self):
        self.context.close()


class Keyboard:
    """Uses a page as a person without a mouse does: nothing is found but by Tab, and nothing done but by keys."""

    def __init__(self, visitor):
        self.visitor = visitor
        self.page = visitor.page
        self.unseen = []

    def to(self, target, most=80):
        """Moves the focus there, and notes where it was not to be seen on the way."""
        for _ in range(most):
            if target.count() and target.first.evaluate("(node) => node === document.activeElement"):
                return
            self.page.keyboard.press("Tab")
            if what := self.page.evaluate(UNSEEN):
                self.unseen.append(what)
        raise AssertionError(f"{target} is not reached by {most} times Tab")

    def type(self, target, text):
        self.to(target)
        self.page.keyboard.press("Control+a")
        self.page.keyboard.type(text, delay=20)

    def press(self, target, key="Enter"):
        self.to(target)
        self.page.keyboard.press(key)


# The element with the focus, if nothing shows that it has it.
UNSEEN = """() => {
  const node = document.activeElement;
  if (!node || node === document.body) return null;
  const shows = (one) => {
    const style = getComputedStyle(one);
    return style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) > 0 || style.boxShadow !== 'none';
  };
  const near = [node, ...node.labels ?? [], node.nextElementSibling];
  return near.some((one) => one && shows(one)) ? null : node.outerHTML.slice(0, 100);
}"""
