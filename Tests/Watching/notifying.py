"""Gives a real Alertmanager, with the routes of ops/alertmanager, the alerts of a lost database. Notifications go to a
real webhook receiver and a real mail server."""

import http.server
import json
import os
import pathlib
import queue
import re
import socketserver
import subprocess
import tempfile
import threading
import time
import urllib.error
import urllib.request

from table import ROOT

FOLDER = ROOT / "ops/alertmanager"
SERVERS = ["server-1", "server-2", "server-3"]
PATIENCE = 60


class Hook(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        self.server.heard.put(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
        self.send_response(200)
        self.end_headers()

    def log_message(self, *arguments):
        pass


class Mail(socketserver.StreamRequestHandler):
    """As much of SMTP as a mail needs."""

    def handle(self):
        self.say("220 ready")
        while line := self.rfile.readline():
            verb = line[:4].upper()
            if verb == b"DATA":
                self.say("354 go on")
                text = b""
                while (line := self.rfile.readline()) not in (b".\r\n", b""):
                    text += line
                self.server.heard.put(text.decode())
            self.say("221 bye" if verb == b"QUIT" else "250 ok")

    def say(self, line):
        self.wfile.write(f"{line}\r\n".encode())


class Receiver:
    """A server in a thread, which keeps what it hears."""

    def __init__(self, kind, handler):
        self.server = kind(("127.0.0.1", 0), handler)
        self.heard = self.server.heard = queue.Queue()
        self.port = self.server.server_address[1]
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def next(self):
        return self.heard.get(timeout=PATIENCE)


def configuration(receivers, routes):
    """The receivers as an operator fills them in, after the routes."""
    return routes + re.sub(r"(?m)^    # ", "    ", receivers)


def targets():
    """The alerts that a lost database inhibits."""
    text = (FOLDER / "alertmanager.yml").read_text()
    rule = text.partition('alertname="DatabaseAway"')[2].partition("source_matchers")[0]
    return re.search(r'alertname=~"([\w|]+)"', rule)[1].split("|")


class Alertmanager:
    def __init__(self, program, text, folder):
        (folder / "alertmanager.yml").write_text(text)
        self.log = open(folder / "alertmanager.log", "w+")
        # Debian's program has its templates in /usr/share. If it was unpacked only, it gets its own folder there.
        share = pathlib.Path(program).parents[1] / "share"
        inside = [] if share == pathlib.Path("/usr/share") else [
            "unshare", *([] if os.geteuid() == 0 else ["--user", "--map-root-user"]), "--mount", "sh", "-euc",
            'mount --bind "$0" /usr/share; exec "$@"', share]
        self.process = subprocess.Popen(
            [*inside, program, f"--config.file={folder}/alertmanager.yml", f"--storage.path={folder}", "--cluster.listen-address=",
             "--web.listen-address=127.0.0.1:0"],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=self.log)
        end = time.monotonic() + PATIENCE
        while not (found := re.search(r'msg="Listening on" address=(\S+)', pathlib.Path(self.log.name).read_text())):
            if self.process.poll() is not None or time.monotonic() > end:
                raise SystemExit(f"Alertmanager did not start:\n{pathlib.Path(self.log.name).read_text()}")
            time.sleep(0.05)
        self.url = f"http://{found[1]}"

    def post(self, alerts):
        """Posts alerts, each a name, a severity and the labels besides, as Prometheus does."""
        body = [
            {"labels": {"alertname": name, "severity": severity, **labels},
             "annotations": {"summary": f"{name}.", "runbook_url": f"docs/operate/runbook.md#{name.lower()}"}}
            for name, severity, labels in alerts]
        request = urllib.request.Request(
            f"{self.url}/api/v2/alerts", json.dumps(body).encode(), {"Content-Type": "application/json"})
        with urllib.request.urlopen(request, timeout=PATIENCE):
            pass

    def stop(self):
        self.process.terminate()
        self.process.wait(PATIENCE)


def pages(alertmanager, severities, hook):
    """Loses a database, and then a server; returns the notifications by the webhook until that of the server."""
    everywhere = [{"instance": server} for server in SERVERS]
    alertmanager.post([("DatabaseAway", "none", {})])
    alertmanager.post([
        (name, severities[name], labels) for name in targets() + ["DatabaseGone"] for labels in everywhere])
    heard = [hook.next()]
    # The groups of the alerts before wait no longer than that of this one.
    alertmanager.post([("ServerDown", "page", {"instance": "server-1"})])
    while heard[-1]["groupLabels"] != {"alertname": "ServerDown"}:
        heard.append(hook.next())
    return heard


def check_notifying(check, program, amtool, severities):
    receivers, routes = (FOLDER / "receivers.yml").read_text(), (FOLDER / "alertmanager.yml").read_text()
    hook = Receiver(http.server.ThreadingHTTPServer, Hook)
    mail = Receiver(socketserver.ThreadingTCPServer, Mail)
    for name in targets():
        check(name in severities, f"ops/alertmanager/alertmanager.yml inhibits {name}, which is no alert")
    filled = configuration(receivers, routes)
    for words, text in (("as it is made", routes + receivers), ("filled in", filled)):
        with tempfile.NamedTemporaryFile("w", suffix=".yml") as file:
            file.write(text)
            file.flush()
            result = subprocess.run([amtool, "check-config", file.name], capture_output=True, text=True, check=False)
            check(result.returncode == 0, f"ops/alertmanager {words}: {result.stdout}{result.stderr}")
    # Its own receivers, and no long waits.
    filled = filled.replace("https://pager.example.org/letsswitch", f"http://127.0.0.1:{hook.port}/")
    filled = re.sub(r"smarthost: .*\n(?: +auth_.*\n)+", f"smarthost: 127.0.0.1:{mail.port}\n        require_tls: false\n", filled)
    filled = filled.replace("group_wait: 30s", "group_wait: 2s")
    without = re.sub(r"(?s)inhibit_rules:.*?(?=\n\S)", "", filled)
    check(without != filled and "inhibit_rules" not in without, "the inhibition could not be removed")

    with tempfile.TemporaryDirectory() as name:
        alertmanager = Alertmanager(program, filled, pathlib.Path(name))
        try:
            heard = pages(alertmanager, severities, hook)
            first = [(page["groupLabels"]["alertname"], len(page["alerts"])) for page in heard]
            check(first == [("DatabaseGone", 3), ("ServerDown", 1)], f"a lost database pages: {first}")
            alertmanager.post([("ClockOff", "ticket", {"instance": "server-2"})])
            text = mail.next().replace("=\r\n", "")
            check("ClockOff" in text and "runbook.md#clockoff" in text, f"the mail of a ticket: {text}")
        finally:
            alertmanager.stop()
    # The test would notice an inhibition that is missing.
    with tempfile.TemporaryDirectory() as name:
        alertmanager = Alertmanager(program, without, pathlib.Path(name))
        try:
            names = {page["groupLabels"]["alertname"] for page in pages(alertmanager, severities, hook)}
            check(len(names) > 4, f"without inhibition a lost database pages by {sorted(names)} only")
        finally:
            alertmanager.stop()
