"""The server under test: a process with a database of its own, a clock that can be put forward, and people."""

import datetime
import glob
import json
import os
import shutil
import signal
import subprocess
import threading
import time
import urllib.error
import urllib.parse
import urllib.request

SLOT_SECONDS = 86_400
SECONDS_TO_START = 60
# One address makes hundreds of accounts here.
with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "../unlimited.env")) as file:
    UNLIMITED = dict(line.split("=") for line in file.read().split())


class Database:
    """A PostgreSQL of its own, reached by a Unix socket only, whose clock can be put forward: a function goes before the
    built-in one. It refuses to run as root, and runs as its own user there."""

    CLOCK = """
        CREATE TABLE put_forward (seconds double precision NOT NULL);
        INSERT INTO put_forward VALUES (0);
        CREATE FUNCTION public.clock_timestamp() RETURNS timestamptz LANGUAGE sql VOLATILE AS
            'SELECT pg_catalog.clock_timestamp() + make_interval(secs => seconds) FROM public.put_forward';
        ALTER DATABASE postgres SET search_path = public, pg_catalog;
        """

    def __init__(self, folder, missing_zones=()):
        self.programs = max(glob.glob("/usr/lib/postgresql/*/bin"), key=lambda path: int(path.split("/")[-2]))
        owner = "postgres" if os.geteuid() == 0 else None
        place = os.path.join(folder, "postgres")
        os.mkdir(place, 0o755)
        if owner:
            shutil.chown(place, owner)
        data = os.path.join(place, "data")
        subprocess.run(
            [f"{self.programs}/initdb", "-D", data, "-U", "letsswitch", "-A", "trust", "-E", "UTF8", "--no-sync"],
            user=owner, check=True, stdout=subprocess.DEVNULL, cwd="/")
        self.url = f"postgresql://letsswitch@/postgres?host={place}"
        command = [f"{self.programs}/postgres", "-D", data, "-k", place, "-c", "listen_addresses=", "-c", "timezone=UTC"]
        if missing_zones:
            command, owner = self._without(missing_zones, command, place, owner), None
        self.process = subprocess.Popen(
            command, user=owner, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd="/")
        end = time.monotonic() + SECONDS_TO_START
        ready = [f"{self.programs}/pg_isready", "-q", "-d", self.url]
        while subprocess.run(ready, timeout=30).returncode != 0:
            if time.monotonic() > end:
                raise TimeoutError("PostgreSQL does not start.")
            time.sleep(0.1)
        self.run(self.CLOCK)

    def _without(self, zones, command, place, owner):
        """The command with zone files of its own, in which these are missing. That takes root."""
        own = os.path.join(place, "zoneinfo")
        shutil.copytree("/usr/share/zoneinfo", own)
        for zone in zones:
            os.remove(os.path.join(own, zone))
        mount = 'mount --bind "$1" /usr/share/zoneinfo && shift && exec "$@"'
        return ["unshare", "--mount", "sh", "-c", mount, "mount", own,
                "setpriv", f"--reuid={owner}", f"--regid={owner}", "--clear-groups", *command]

    def run(self, sql):
        """Returns a line for each row of the answer, with | between the columns."""
        return subprocess.run(
            [f"{self.programs}/psql", "-X", "-q", "-A", "-t", "-v", "ON_ERROR_STOP=1", "-c", sql, self.url], check=True,
            stdout=subprocess.PIPE, text=True, timeout=30).stdout

    def stop(self):
        """At once, without sessions to wait for."""
        self.process.send_signal(signal.SIGINT)
        self.process.wait(60)


class Service:
    """Slots as long as a day, whose rooms open a day before and take people to their end: people who register for
    today's or for tomorrow's is told at once."""

    def __init__(self, program, folder, clock_library, settings, forward=0, missing_zones=()):
        self.program = program
        self.folder = folder
        self.clock = os.path.join(folder, "clock")
        # The clock of the database is the one that counts; the server's own follows it.
        self.database = Database(folder, missing_zones)
        self.put_forward(forward)
        self.environment = {
            "PATH": os.environ["PATH"],
            "LD_PRELOAD": clock_library,
            "FAKETIME_TIMESTAMP_FILE": self.clock,
            "FAKETIME_CACHE_DURATION": "1",
            "FAKETIME_DONT_FAKE_MONOTONIC": "1",
            "DATABASE_URL": self.database.url,
            "HOST": "127.0.0.1",
            "PORT": "0",
            "DATA_DIR": os.path.join(folder, "data"),
            "SLOT_SECONDS": str(SLOT_SECONDS),
            "LEAD_SECONDS": str(SLOT_SECONDS),
            "LATE_SECONDS": str(SLOT_SECONDS),
            # No member enters a room, and none is to be moved for it.
            "NO_SHOW_SECONDS": str(SLOT_SECONDS),
        } | UNLIMITED | settings
        self.log = []
        self.url = None
        try:
            self.start()
        except Exception:
            self.database.stop()
            raise

    def start(self):
        """Also after `end` and `kill`: the address stays as it was."""
        is_ready = threading.Event()
        self.process = subprocess.Popen(
            [self.program], env=self.environment, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE, text=True)
        threading.Thread(target=self._read, args=(self.process, is_ready), daemon=True).start()
        is_ready.wait(SECONDS_TO_START)
        if self.process.poll() is not None or self.url is None:
            self.end()
            raise RuntimeError("The server did not become ready:\n" + "".join(self.log))
        port = str(urllib.parse.urlsplit(self.url).port)
        if self.environment["PORT"] == "0":
            # The file of rooms is named after PORT, and the next process looks for it under the port of this one.
            data = self.environment["DATA_DIR"]
            os.rename(os.path.join(data, "rooms-0"), os.path.join(data, f"rooms-{port}"))
        self.environment["PORT"] = port

    def _read(self, process, is_ready):
        for line in process.stderr:
            self.log.append(line)
            for word in line.split():
                if " ready " in line and word.startswith("url="):
                    self.url = word[len("url="):]
                    is_ready.set()
        is_ready.set()

    def end(self):
        """Lets the server drain; the database stays."""
        self.process.send_signal(signal.SIGTERM)
        try:
            return self.process.wait(35)
        except subprocess.TimeoutExpired:
            return self.kill()

    def kill(self):
        self.process.kill()
        return self.process.wait()

    def stop(self):
        try:
            return self.end()
        finally:
            self.database.stop()

    def put_forward(self, seconds):
        """From the machine's own time on. Both see it within a second, and the server asks for it every ten."""
        self.forward = seconds
        with open(self.clock + ".new", "w") as file:
            file.write(f"{seconds:+}\n")
        os.replace(self.clock + ".new", self.clock)
        self.database.run(f"UPDATE put_forward SET seconds = {int(seconds)}")

    def call(self, method, path, body=None, token=None):
        """The answer, as JSON; None where it has no body."""
        request = urllib.request.Request(self.url + path, method=method)
        if token:
            request.add_header("Authorization", f"Bearer {token}")
        if body is not None:
            request.add_header("Content-Type", "application/json")
            request.data = json.dumps(body).encode()
        try:
            with urllib.request.urlopen(request, timeout=30) as answer:
                content = answer.read()
        except urllib.error.HTTPError as error:
            raise RuntimeError(f"{method} {path}: {error.code} {error.read().decode()}") from error
        return json.loads(content) if content else None



class Person:
    """A person with an account."""

    def __init__(self, service, name="Ann"):
        self.service = service
        self.token = service.call("POST", "/v1/users", {"name": name})["token"]

    def call(self, method, path, body=None):
        return self.service.call(method, path, body, self.token)

    def add(self, **endpoint):
        return self.call("POST", "/v1/endpoints", endpoint)

    def endpoint(self, made):
        return self.call("GET", f"/v1/endpoints/{made['id']}")

    def test(self, made):
        return self.call("POST", f"/v1/endpoints/{made['id']}/test")

    def enter_match(self, starts_at=None, task="Write"):
        """Registers for today's slot, or that one; answers the registration."""
        body = {"task": task, "slots": [instant(starts_at or tomorrow() - SLOT_SECONDS)]}
        return self.call("POST", "/v1/registrations", body)["registrations"][0]


def tomorrow():
    """When its slot starts, in seconds since 1970: not before a minute from now."""
    left = SLOT_SECONDS - time.time() % SLOT_SECONDS
    if left < 60:
        time.sleep(left)
    return (int(time.time()) // SLOT_SECONDS + 1) * SLOT_SECONDS


def instant(seconds):
    return datetime.datetime.fromtimestamp(seconds, datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")


def until(what, body, limit=30):
    """The first answer of `body` that is true; the other side is another process, so it is asked again and again."""
    end = time.monotonic() + limit
    while time.monotonic() < end:
        if answer := body():
            return answer
        time.sleep(0.05)
    raise TimeoutError(f"{what} did not happen in {limit} s")
