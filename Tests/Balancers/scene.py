"""Three real servers on a real PostgreSQL, behind one of the shipped balancers: what can happen to each, and what
clients ask."""

import datetime
import glob
import http.client
import json
import os
import random
import shutil
import signal
import socket
import subprocess
import threading
import time

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../..")
NAMES = ["one", "two", "three"]
PATIENCE = 60
# The longest wait for one answer, in seconds.
LIMIT = 25
LOCAL = "127.0.0.1"
with open(os.path.join(ROOT, "Tests/unlimited.env")) as file:
    UNLIMITED = dict(line.split("=") for line in file.read().split())


def until(what, body):
    end = time.monotonic() + PATIENCE
    while not (result := body()):
        if time.monotonic() > end:
            raise TimeoutError(f"{what} did not happen in {PATIENCE} s")
        time.sleep(0.05)
    return result


def free_port():
    with socket.socket() as free:
        free.bind((LOCAL, 0))
        return free.getsockname()[1]


class Database:
    """A PostgreSQL, which refuses to run as root."""

    def __init__(self, folder):
        self.programs = max(glob.glob("/usr/lib/postgresql/*/bin"), key=lambda path: int(path.split("/")[-2]))
        self.owner = "postgres" if os.geteuid() == 0 else None
        self.port = free_port()
        self.place = os.path.join(folder, "postgres")
        os.mkdir(self.place, 0o755)
        if self.owner:
            shutil.chown(self.place, self.owner)
        self.data = os.path.join(self.place, "data")
        subprocess.run(
            [f"{self.programs}/initdb", "-D", self.data, "-U", "letsswitch", "-A", "trust", "-E", "UTF8", "--no-sync"],
            user=self.owner, check=True, stdout=subprocess.DEVNULL, cwd="/")
        self.start()

    def url(self, port=None):
        return f"postgresql://letsswitch@{LOCAL}:{port or self.port}/postgres"

    def start(self):
        self.process = subprocess.Popen(
            [f"{self.programs}/postgres", "-D", self.data, "-k", self.place, "-p", str(self.port),
             "-c", f"listen_addresses={LOCAL}", "-c", "fsync=off", "-c", "max_connections=200"],
            user=self.owner, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd="/")
        ready = [f"{self.programs}/pg_isready", "-q", "-d", self.url()]
        until("PostgreSQL", lambda: subprocess.run(ready, timeout=30).returncode == 0)

    def stop(self):
        self.process.send_signal(signal.SIGINT)
        self.process.wait(PATIENCE)


class Way:
    """The way of one server to the database, which can be cut."""

    def __init__(self, port):
        self.target, self.is_cut, self.pairs = port, False, []
        self.listener = socket.create_server((LOCAL, 0))
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self):
        while True:
            try:
                client, _ = self.listener.accept()
            except OSError:
                return
            try:
                assert not self.is_cut
                server = socket.create_connection((LOCAL, self.target))
            except (AssertionError, OSError):
                client.close()
                continue
            self.pairs.append((client, server))
            for one, other in (client, server), (server, client):
                threading.Thread(target=self._copy, args=(one, other), daemon=True).start()

    @staticmethod
    def _copy(source, sink):
        try:
            while data := source.recv(65_536):
                sink.sendall(data)
        except OSError:
            pass
        for end in source, sink:
            try:
                end.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass

    def cut(self):
        self.is_cut = True
        for pair in self.pairs:
            for end in pair:
                try:
                    end.shutdown(socket.SHUT_RDWR)
                except OSError:
                    pass
        self.pairs = []

    def heal(self):
        self.is_cut = False


class Server:
    def __init__(self, program, folder, name, database_url, public_url, settings={}):
        self.program, self.port = program, free_port()
        data = os.path.join(folder, name)
        os.mkdir(data)
        self.log = open(os.path.join(folder, f"{name}.log"), "ab")
        self.environment = {
            "PATH": os.environ["PATH"], "HOST": LOCAL, "PORT": str(self.port), "DATA_DIR": data, "WORKERS": "1",
            "DATABASE_URL": database_url, "PUBLIC_URL": public_url, "SERVER_NAME": name, "TRUSTED_PROXIES": LOCAL,
            "DATABASE_CONNECTIONS": "20", "SLOT_SECONDS": "86400", "LEAD_SECONDS": "3600", "LATE_SECONDS": "86400",
        } | UNLIMITED | settings
        self.start()

    def start(self):
        self.process = subprocess.Popen(
            [self.program], env=self.environment, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
            stderr=self.log)
        until(f"{self.environment['SERVER_NAME']} is ready", lambda: self.status("/readyz") == 200)

    def status(self, path):
        try:
            return call(self.port, "GET", path).status
        except OSError:
            return None

    def send(self, number):
        self.process.send_signal(number)
        if number in (signal.SIGTERM, signal.SIGKILL):
            self.process.wait(PATIENCE)


class Balancer:
    """HAProxy or nginx with one of the configurations, whose addresses are these servers'."""

    def __init__(self, folder, recipe, port, servers):
        with open(os.path.join(ROOT, "ops/balancers", recipe)) as file:
            text = file.read()
        for number, server in enumerate(servers, 1):
            text = text.replace(f"10.0.0.{number}:8080", f"{LOCAL}:{server.port}")
            # Without the engine's name server the servers of the containers have addresses.
            text = text.replace(f"server-{number}:8080", f"{LOCAL}:{server.port}")
            text = text.replace(f"    server server-{number} ", f"    server {NAMES[number - 1]} ")
        text = "\n".join(line for line in text.split("\n") if "server-template" not in line)
        text = text.replace(" resolvers engine resolve-prefer ipv4 init-addr none", "")
        text = text.replace("bind :8080", f"bind {LOCAL}:{port}").replace("bind :80\n", f"bind {LOCAL}:{port}\n")
        text = text.replace("listen 80;", f"listen {LOCAL}:{port};").replace("maxconn 100000", "maxconn 1000")
        text = text.replace("fd-hard-limit 200000", "fd-hard-limit 2000").replace("log stdout", "log 127.0.0.1:9")
        path = os.path.join(folder, "configuration")
        environment = {"PATH": "/usr/sbin:/usr/bin", "TLS": "off", "NAME_SERVER": "127.0.0.11:53"}
        if recipe.endswith(".cfg"):
            command = ["haproxy", "-db", "-f", path]
        else:
            parts = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
            places = "\n".join(f"{part}_temp_path {folder}/{part};" for part in parts)
            text = (f"daemon off; pid {folder}/pid; worker_processes 1; error_log {folder}/error.log;\n"
                    f"events {{}} http {{ access_log off;\n{places}\n{text}\n}}\n")
            command = ["nginx", "-p", folder, "-c", path, "-e", f"{folder}/error.log"]
        with open(path, "w") as file:
            file.write(text)
        self.process = subprocess.Popen(
            command, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
            stderr=open(os.path.join(folder, "balancer.log"), "ab"))

    def stop(self):
        self.process.terminate()
        self.process.wait(PATIENCE)


class Answer:
    def __init__(self, status, headers, body=b""):
        self.status, self.headers, self.body = status, headers, body

    @property
    def json(self):
        return json.loads(self.body)

    @property
    def is_refusal(self):
        """Whether it is one that clients understand: a problem in JSON that says when to come back."""
        if not 500 < self.status < 505 or not (self.headers.get("Retry-After") or "").isdigit():
            return False
        if self.headers.get("Content-Type") != "application/problem+json":
            return False
        problem = self.json
        return problem["status"] == self.status and {"type", "title", "detail"} <= problem.keys()


def connect(port):
    """From one of many addresses: some balancers send all requests of an address to one server."""
    source = f"127.0.1.{random.randint(1, 250)}"
    return http.client.HTTPConnection(LOCAL, port, timeout=LIMIT, source_address=(source, 0))


def call(port, method, path, token=None, body=None, headers={}, whole=True):
    """One request on a connection of its own. Without `whole` the first bytes of the body are enough."""
    link = connect(port)
    try:
        headers = dict(headers) | ({"Authorization": f"Bearer {token}"} if token else {})
        if body is not None:
            headers["Content-Type"] = "application/json"
            body = json.dumps(body)
        link.request(method, path, body, headers)
        answer = link.getresponse()
        return Answer(answer.status, answer.headers, answer.read() if whole or answer.status != 200 else answer.read1())
    except http.client.HTTPException as error:
        raise OSError(f"{type(error).__name__}") from error
    finally:
        link.close()


UPGRADE = {
    "Connection": "Upgrade", "Upgrade": "websocket", "Sec-WebSocket-Version": "13",
    "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
}


def enter(port, path, token=None):
    """Opens a socket, and ends it with a close frame."""
    link = connect(port)
    try:
        link.request("GET", path, headers=UPGRADE | ({"Authorization": f"Bearer {token}"} if token else {}))
        answer = link.getresponse()
        if answer.status != 101:
            return Answer(answer.status, answer.headers, answer.read())
        link.sock.sendall(bytes([0x88, 0x82, 0, 0, 0, 0, 0x03, 0xE8]))
        return Answer(101, answer.headers)
    except http.client.HTTPException as error:
        raise OSError(f"{type(error).__name__}") from error
    finally:
        link.close()


def slot(later=0):
    """The slot of a day that is open now, or one that is so many days later."""
    start = ((int(time.time()) + 1800) // 86_400 + later) * 86_400
    return datetime.datetime.fromtimestamp(start, datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
