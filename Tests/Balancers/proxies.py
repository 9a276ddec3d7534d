"""Tries the files of ops/balancers/tls before a real server: python3 Tests/Balancers/proxies.py PROGRAM CADDY [FILE…]

`script/dev/proxies` says what is tried.
"""

import json
import os
import shutil
import socket
import ssl
import subprocess
import sys
import tempfile

from scene import LIMIT, LOCAL, PATIENCE, ROOT, UPGRADE, Answer, Database, Server, connect, free_port, slot, until

FILES = ["Caddyfile", "nginx.conf", "haproxy.cfg"]
NAME = "switch.example.org"
HTML = {"Accept": "text/html"}
# Spellings of what is kept from the outside.
KEPT = ["/metrics", "/%6detrics", "/./metrics", "/cluster/rooms", "/%63luster/rooms", "/x/../cluster/rooms"]
# A path that each proxy removes, as an operator may have it do: the line before which that is written, and the text.
BASE = "/switch"
REMOVAL = {
    "Caddyfile": ("\treverse_proxy ", f"\thandle_path {BASE}/* {{\n\t\treverse_proxy 127.0.0.1:8080\n\t}}\n"),
    "nginx.conf": ("    location / { proxy_pass ", f"    location {BASE}/ {{ proxy_pass http://127.0.0.1:8080/; }}\n"),
    "haproxy.cfg": ("    server server ", f"    http-request replace-path {BASE}/(.*) /\\1\n"),
}
problems = []


def check(is_true, problem):
    if not is_true:
        problems.append(problem)
        print(f"    {problem}", file=sys.stderr, flush=True)


def certify(folder):
    """A certificate of NAME, signed by itself, and its key; returns the paths."""
    certificate, key = os.path.join(folder, "fullchain.pem"), os.path.join(folder, "privkey.pem")
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", f"/CN={NAME}",
         "-addext", f"subjectAltName=DNS:{NAME}", "-keyout", key, "-out", certificate],
        check=True, stderr=subprocess.DEVNULL)
    return certificate, key


class Proxy:
    """A proxy with one of the files, in which the ports, the server's address and the paths are those of this test."""

    def __init__(self, folder, file, server, caddy):
        self.folder, self.plain, self.port = folder, free_port(), free_port()
        with open(os.path.join(ROOT, "ops/balancers/tls", file)) as source:
            place, removal = REMOVAL[file]
            text = source.read().replace(place, removal + place)
        text = text.replace("127.0.0.1:8080", f"{LOCAL}:{server.port}")
        # The log of Caddy, and of nginx.
        self.log = os.path.join(folder, "log")
        self.authority = os.path.join(folder, "authority.pem")
        path = os.path.join(folder, "configuration")
        environment = {"PATH": "/usr/sbin:/usr/bin", "HOME": folder, "XDG_DATA_HOME": folder}
        if file == "Caddyfile":
            # Its own authority signs instead of a public one.
            own = (f"\tlocal_certs\n\tskip_install_trust\n\tadmin off\n\thttp_port {self.plain}\n"
                   f"\thttps_port {self.port}\n")
            text = text.replace("\n{\n", "\n{\n" + own, 1)
            command = [caddy, "run", "--adapter", "caddyfile", "--config", path]
            self.authority = os.path.join(folder, "caddy/pki/authorities/local/root.crt")
        else:
            certificate, key = certify(folder)
            shutil.copy(certificate, self.authority)
            if file == "nginx.conf":
                text = "\n".join(line for line in text.split("\n") if "listen [::]" not in line)
                text = text.replace("listen 80;", f"listen {LOCAL}:{self.plain};")
                text = text.replace("listen 443 ", f"listen {LOCAL}:{self.port} ")
                text = text.replace(f"/etc/letsencrypt/live/{NAME}", folder)
                text = text.replace("/var/log/nginx/letsswitch", f"{folder}/nginx")
                parts = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
                places = "\n".join(f"{part}_temp_path {folder}/{part};" for part in parts)
                text = (f"daemon off; pid {folder}/pid; worker_processes 1; error_log {folder}/error.log;\n"
                        f"events {{}} http {{ access_log off;\n{places}\n{text}\n}}\n")
                command = ["nginx", "-p", folder, "-c", path, "-e", f"{folder}/error.log"]
            else:
                whole = os.path.join(folder, "letsswitch.pem")
                with open(whole, "w") as file:
                    file.write(open(certificate).read() + open(key).read())
                text = text.replace("/etc/haproxy/letsswitch.pem", whole)
                text = text.replace("bind :::80 v4v6", f"bind {LOCAL}:{self.plain}")
                text = text.replace("bind :::443 v4v6", f"bind {LOCAL}:{self.port}")
                command = ["haproxy", "-db", "-f", path]
        with open(path, "w") as file:
            file.write(text)
        self.process = subprocess.Popen(
            command, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=open(self.log, "ab"))

    def is_ready(self):
        try:
            return self.call("GET", "/readyz").status == 200
        except OSError:
            if self.process.poll() is not None:
                raise SystemExit(f"the proxy has ended:\n{self.logs()}")
            return False

    def connect(self):
        """A connection whose certificate is checked, from one of many addresses."""
        link = connect(self.port)
        link.connect()
        context = ssl.create_default_context(cafile=self.authority)
        link.sock = context.wrap_socket(link.sock, server_hostname=NAME)
        return link

    def send(self, method, path, token=None, body=None, headers={}):
        """Sends a request, and returns its connection and the answer without its body."""
        link = self.connect()
        headers = {"Host": NAME} | dict(headers) | ({"Authorization": f"Bearer {token}"} if token else {})
        if body is not None:
            headers["Content-Type"] = "application/json"
            body = json.dumps(body)
        link.request(method, path, body, headers)
        return link, link.getresponse()

    def call(self, *arguments, **named):
        link, answer = self.send(*arguments, **named)
        try:
            return Answer(answer.status, answer.headers, answer.read())
        finally:
            link.close()

    def logs(self):
        text = ""
        for name in ("log", "error.log", "nginx.log", "nginx.error.log"):
            path = os.path.join(self.folder, name)
            if os.path.exists(path):
                with open(path) as file:
                    text += file.read()
        return text

    def stop(self):
        self.process.terminate()
        self.process.wait(PATIENCE)


class Room:
    """A socket of a person in a room, by the ticket of its address."""

    def __init__(self, proxy, url):
        check(url.startswith(f"wss://{NAME}/socket?"), f"the address of the socket is {url}")
        self.link, answer = proxy.send("GET", "/" + url.split("/", 3)[3], headers=UPGRADE | {
            "Sec-WebSocket-Protocol": "letsswitch.v2"})
        if answer.status != 101:
            raise SystemExit(f"the socket is refused with {answer.status}: {answer.read()}")
        self.link.sock.settimeout(LIMIT)
        self.stream = answer.fp

    def cheer(self):
        text = b'{"type":"ale","messageId":"1"}'
        # A final text frame, masked with zeros.
        self.link.sock.sendall(bytes([0x81, 0x80 | len(text), 0, 0, 0, 0]) + text)

    def hears(self, kind):
        """Reads frames until one is a message of that type."""
        while True:
            opcode, size = self.stream.read(2)
            if size > 125:
                size = int.from_bytes(self.stream.read(2 if size == 126 else 8), "big")
            payload = self.stream.read(size)
            if opcode == 0x88:
                raise SystemExit(f"the socket was closed: {payload}")
            if opcode == 0x81 and json.loads(payload)["type"] == kind:
                return


def curl(proxy, *arguments):
    return subprocess.run(
        ["curl", "--silent", "--cacert", proxy.authority, "--resolve", f"{NAME}:{proxy.port}:{LOCAL}",
         "--resolve", f"{NAME}:{proxy.plain}:{LOCAL}", "--output", "/dev/null", *arguments],
        capture_output=True, text=True, timeout=LIMIT, check=False).stdout


def try_page(proxy):
    redirect = curl(proxy, "--write-out", "%{http_code} %{redirect_url}", f"http://{NAME}:{proxy.plain}/welcome?a=1")
    # HAProxy keeps the port of the request, which is none at port 80.
    ports = ("", f":{proxy.port}", f":{proxy.plain}")
    check(redirect in (f"308 https://{NAME}{port}/welcome?a=1" for port in ports),
          f"http leads to: {redirect}")
    for version in ("1.1", "2"):
        got = curl(proxy, f"--http{version}", "--write-out", "%{http_code} %{http_version}",
                   "--header", "Accept: text/html", f"https://{NAME}:{proxy.port}/welcome")
        check(got == f"200 {version}", f"the page by HTTP/{version}: {got}")
    page = proxy.call("GET", "/welcome", headers=HTML | {"Accept-Encoding": "identity"})
    file = page.body.decode().split('src="')[1].split('"')[0]
    check(proxy.call("GET", file).status == 200, f"the file of the page {file} is missing")
    check(proxy.call("GET", f"{BASE}/livez").status == 200, f"{BASE} is not removed")
    for path in KEPT + [BASE + path for path in KEPT]:
        check(proxy.call("GET", path).status in (400, 404), f"{path} is open to the outside")


def try_room(proxy, people):
    """An event reaches an open stream at once, and not when a buffer is full. Then an ale goes from one socket to the
    other. Returns the address of a socket."""
    link, stream = proxy.send("GET", "/v1/events", people[0], headers={"Accept": "text/event-stream"})
    check(stream.status == 200, f"the stream: {stream.status}")
    for token in people:
        proxy.call("POST", "/v1/registrations", token, {"task": "Write", "slots": [slot()]})
    heard = bytearray()

    def has_opened():
        heard.extend(stream.read1())
        return b"room.opened" in heard
    until("room.opened", has_opened)
    link.close()

    def addresses():
        rooms = [proxy.call("GET", "/v1/rooms", token).json["rooms"] for token in people]
        return [found[0]["socketUrl"] for found in rooms] if all(rooms) else None
    urls = until("the rooms", addresses)
    ada, bea = (Room(proxy, url) for url in urls)
    # Then she is in the room, and hears all that follows.
    bea.hears("handshake")
    ada.cheer()
    ada.hears("ack")
    bea.hears("aleResponse")
    return urls[0]


def try_client(proxy, server):
    """The server counts a request for the address that connected, and not for one that the client writes."""
    proxy.call("GET", "/v1/now", headers={"X-Forwarded-For": "203.0.113.9", "Forwarded": "for=203.0.113.9"})
    with open(server.log.name) as log:
        lines = log.read()
    check("203.0.113.9" not in lines, "the client may write its own address")
    check("127.0.1." in lines, "the server does not see the client's address")


def try_absence(proxy, server, url):
    server.send(9)
    answer = proxy.call("GET", "/" + url.split("/", 3)[3], headers=UPGRADE)
    check(answer.is_refusal, f"without a server: {answer.status} {answer.headers} {answer.body[:200]}")
    for path in ("/v1/me?token=query-secret", "/calendars/path-secret.ics"):
        proxy.call("GET", path, headers={"Referer": f"https://{NAME}/header-secret"})
    proxy.stop()
    logs = proxy.logs()
    ticket = url.split("token=")[1].split("&")[0]
    check(ticket not in logs and "secret" not in logs, f"the log has secrets:\n{logs}")


def try_file(program, caddy, file):
    """Each has a database of its own, so that the two people of the test are alone in their slot."""
    folder = tempfile.mkdtemp(prefix="letsswitch-proxies-")
    # PostgreSQL's own user has to pass through if this runs as root.
    os.chmod(folder, 0o711)
    database = Database(folder)
    server = Server(
        program, folder, "one", database.url(), f"https://{NAME}", {"ACCESS_LOG": "all", "SERVER_NAME": ""})
    proxy = None
    try:
        proxy = Proxy(folder, file, server, caddy)
        until("the proxy is ready", proxy.is_ready)
        people = [proxy.call("POST", "/v1/users", body={"name": "Ada"}).json["token"] for _ in range(2)]
        try_page(proxy)
        url = try_room(proxy, people)
        try_client(proxy, server)
        try_absence(proxy, server, url)
    finally:
        if proxy:
            proxy.stop()
        server.send(9)
        database.stop()
        shutil.rmtree(folder, ignore_errors=True)


def main(program, caddy, files):
    for file in files:
        print(f"{file} …", flush=True)
        try_file(program, caddy, file)
    if problems:
        raise SystemExit(f"{len(problems)} problems")
    print(f"Page, events and sockets through {', '.join(files)}: as without them.")


if __name__ == "__main__":
    if len(sys.argv) < 3 or not set(sys.argv[3:]) <= set(FILES):
        sys.exit(__doc__)
    main(sys.argv[1], sys.argv[2], sys.argv[3:] or FILES)
