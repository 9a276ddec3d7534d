"""Prints what clients get behind each shipped balancer while something happens to its servers or their database:
python3 Tests/Balancers PROGRAM [RECIPE…]

`script/dev/balancers` says what is printed.
"""

import collections
import datetime
import os
import shutil
import signal
import sys
import tempfile
import threading
import time

from comparison import REFERENCE, Comparison
from scene import (NAMES, Balancer, Database, Server, Way, call, enter, free_port, slot, until)

RECIPES = [REFERENCE, "containers/haproxy.cfg", "nginx.conf", "nginx-round-robin.conf"]
# The time between two requests of one kind, in seconds.
PACE = 0.1
# The time for which a state lasts that does not end by itself, in seconds.
LONG = 5
# The time after which each balancer uses a server again that is ready, in seconds.
SETTLING = 3
HTML = {"Accept": "text/html", "Accept-Encoding": "identity"}


class Scene:
    def __init__(self, program, recipe):
        self.folder = tempfile.mkdtemp(prefix="letsswitch-balancers-")
        # PostgreSQL's own user has to pass through if this runs as root.
        os.chmod(self.folder, 0o711)
        self.port = free_port()
        self.database = Database(self.folder)
        self.way = Way(self.database.port)
        url = f"http://127.0.0.1:{self.port}"
        self.servers = [
            Server(program, self.folder, name, self.database.url(self.way.port if name == "three" else None), url)
            for name in NAMES]
        self.balancer = Balancer(self.folder, recipe, self.port, self.servers)
        until("the balancer is ready", self.is_ready)
        self.people = [self.ask("POST", "/v1/users", body={"name": "Ada"}).json["token"] for _ in range(2)]
        for token in self.people:
            self.ask("POST", "/v1/registrations", token, {"task": "Write", "slots": [slot()]})
        self.invite = self.make_invite()
        self.room = until("the room", self.find_room)
        # A server reads a room after it has heard of it.
        for server in self.servers:
            until("the room at each server", lambda to=server: self.is_open(to))
        time.sleep(SETTLING)
        self.page = self.ask("GET", "/welcome", headers=HTML).body.decode().split('src="')[1].split('"')[0]

    def is_ready(self):
        try:
            return (all(server.status("/readyz") == 200 for server in self.servers)
                    and all(call(self.port, "GET", "/v1/now").status == 200 for _ in range(6)))
        except OSError:
            return False

    def ask(self, method, path, token=None, body=None, headers={}):
        def attempt():
            try:
                answer = call(self.port, method, path, token, body, headers)
            except OSError:
                return None
            return answer if answer.status < 300 else None
        return until(f"{method} {path}", attempt)

    def make_invite(self):
        """The path of an invite, whose answer is read from the database and is the page for a browser."""
        token = self.ask("POST", "/v1/users", body={"name": "Cem"}).json["token"]
        self.ask("POST", "/v1/registrations", token, {"task": "Write", "slots": [slot(1)]})
        registration = self.ask("GET", "/v1/registrations", token).json["registrations"][0]["id"]
        return "/invites/" + self.ask("POST", f"/v1/registrations/{registration}/invite", token).json["code"]

    def find_room(self):
        return self.ask("GET", "/v1/registrations", self.people[0]).json["registrations"][0].get("roomId")

    def is_open(self, server):
        return all(enter(server.port, f"/socket?id={self.room}", token).status == 101 for token in self.people)

    def socket(self):
        """The path of the first one's socket, with its ticket."""
        return "/" + self.ask("GET", f"/v1/rooms/{self.room}", self.people[0]).json["socketUrl"].split("/", 3)[3]

    def stop(self):
        self.balancer.stop()
        for server in self.servers:
            server.send(signal.SIGCONT)
            server.send(signal.SIGKILL)
        self.database.stop()
        shutil.rmtree(self.folder, ignore_errors=True)


# What clients ask. Each returns an answer; the second member is the status of one that succeeds.

def kinds(scene):
    ada, bea = scene.people
    path = scene.socket()
    return {
        "GET": (lambda: call(scene.port, "GET", "/v1/me", ada), 200),
        "POST": (lambda: call(scene.port, "POST", "/v1/users", body={"name": "Cal"}), 201),
        "page": (lambda: call(scene.port, "GET", "/welcome", headers=HTML), 200),
        "file": (lambda: call(scene.port, "GET", scene.page), 200),
        "invite": (lambda: call(scene.port, "GET", scene.invite), 200),
        "stream": (lambda: call(scene.port, "GET", "/v1/events", ada, whole=False), 200),
        "entry": (lambda: enter(scene.port, path), 101),
        "token": (lambda: enter(scene.port, f"/socket?id={scene.room}", bea), 101),
    }


# What happens. Each is a generator that begins at its first step, and ends at its second.

def nothing(scene):
    time.sleep(LONG)
    yield


def not_ready(scene):
    scene.way.cut()
    time.sleep(LONG)
    yield
    scene.way.heal()


def killed(scene):
    scene.servers[2].send(signal.SIGKILL)
    time.sleep(LONG)
    yield
    scene.servers[2].start()


def hung(scene):
    scene.servers[2].send(signal.SIGSTOP)
    time.sleep(LONG)
    yield
    scene.servers[2].send(signal.SIGCONT)


def draining(scene):
    scene.servers[2].send(signal.SIGTERM)
    time.sleep(LONG)
    yield
    scene.servers[2].start()


def database_away(scene):
    scene.database.stop()
    time.sleep(LONG)
    yield
    scene.database.start()


def database_restarted(scene):
    scene.database.stop()
    scene.database.start()
    time.sleep(LONG)
    yield


def rolling(scene):
    for server in scene.servers:
        server.send(signal.SIGTERM)
        server.start()
    yield


STATES = {
    "all ready": nothing, "one not ready": not_ready, "one killed": killed, "one hung": hung,
    "one draining": draining, "database away": database_away, "database restarted": database_restarted,
    "rolling restart": rolling,
}


class Cell:
    """The answers to one kind of request in one state."""

    def __init__(self):
        self.good = self.refused = 0
        self.slowest = 0.0
        self.others = collections.Counter()

    def add(self, ask, expected):
        begin = time.monotonic()
        try:
            answer = ask()
        except OSError as error:
            self.others[type(error).__name__ if type(error) is not OSError else str(error)] += 1
        else:
            if answer.status == expected:
                self.good += 1
            elif answer.is_refusal:
                self.refused += 1
            else:
                self.others[f"{answer.status} {answer.headers.get('Content-Type')}"] += 1
        self.slowest = max(self.slowest, time.monotonic() - begin)

    @property
    def count(self):
        return self.good + self.refused + self.others.total()

    @property
    def missing(self):
        return self.count - self.good

    def __str__(self):
        text = f"{self.good}/{self.count}"
        if self.refused:
            text += f" −{self.refused}"
        if self.others:
            text += f" !{self.others.total()}"
        return text + (f" {self.slowest:.1f}s" if self.slowest >= 1 else "")


def observe(scene, event):
    """Has clients ask while something happens; returns a cell for each kind."""
    cells, is_over = {}, threading.Event()

    def repeat(cell, ask, expected):
        while not is_over.is_set():
            cell.add(ask, expected)
            is_over.wait(PACE)

    threads = []
    for kind, (ask, expected) in kinds(scene).items():
        cells[kind] = Cell()
        threads.append(threading.Thread(target=repeat, args=(cells[kind], ask, expected)))
    for thread in threads:
        thread.start()
    steps = event(scene)
    next(steps)
    is_over.set()
    for thread in threads:
        thread.join()
    next(steps, None)
    until("the servers are ready again", scene.is_ready)
    time.sleep(SETTLING)
    return cells


def main(program, recipes):
    wrong, comparison = 0, Comparison()
    print(f"{datetime.date.today()}, {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}")
    for recipe in [REFERENCE] + [recipe for recipe in recipes if recipe != REFERENCE]:
        scene = Scene(program, recipe)
        try:
            print(f"\n{recipe}", flush=True)
            header = None
            for name, event in STATES.items():
                cells = observe(scene, event)
                if not header:
                    header = f"{'':20}" + "".join(f"{kind:>16}" for kind in cells)
                    print(header)
                print(f"{name:20}" + "".join(f"{str(cell):>16}" for cell in cells.values()), flush=True)
                for kind, cell in cells.items():
                    if note := comparison.add(recipe, name, kind, cell):
                        print(f"    {kind}: {note}", flush=True)
                    for what, count in cell.others.items():
                        print(f"    {kind}: {count} × {what}", flush=True)
                    # A server that dies may take the answer along that it was about to give.
                    bad = sum(count for what, count in cell.others.items() if what[:3].isdigit())
                    wrong += bad
        finally:
            scene.stop()
    print(f"\n{wrong} answers are neither a success nor a refusal in JSON with Retry-After.")
    print(comparison)
    return 1 if wrong or comparison.unexplained else 0


if __name__ == "__main__":
    if len(sys.argv) < 2 or not set(sys.argv[2:]) <= set(RECIPES):
        sys.exit(__doc__)
    sys.exit(main(sys.argv[1], sys.argv[2:] or RECIPES))
