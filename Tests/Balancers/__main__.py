"""Checks ops/balancers with real balancers before three small servers: python3 Tests/Balancers

The servers know nothing of rooms. They say who they are, switch to another protocol at /socket as a WebSocket does,
and echo then.
"""

import asyncio
import base64
import contextlib
import hashlib
import os
import pathlib
import re
import signal
import socket
import subprocess
import sys
import tempfile
import traceback

CONFIGURATIONS = pathlib.Path(__file__).resolve().parents[2] / "ops" / "balancers"
NAMES = ["one", "two", "three"]
PATIENCE = 20
# RFC 6455 §1.3.
WEBSOCKET = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"


class Backend:
    """One server, whose /readyz and /socket a check can have refused."""

    def __init__(self, name):
        self.name = name
        self.port = free_port()
        self.is_ready = True
        # How long it takes to say whether it is ready: while the database does not answer, 2.5 seconds.
        self.delay = 0
        self.is_open = True
        self.redirect = None
        self.writers = set()
        self.server = None

    async def start(self):
        self.server = await asyncio.start_server(self.serve, "127.0.0.1", self.port)

    async def stop(self):
        """Stops as a process that is killed."""
        self.server.close()
        for writer in list(self.writers):
            writer.transport.abort()
        await self.server.wait_closed()

    async def serve(self, reader, writer):
        self.writers.add(writer)
        with contextlib.suppress(OSError, asyncio.IncompleteReadError, asyncio.CancelledError):
            while await self.answer(reader, writer):
                pass
        self.writers.discard(writer)
        writer.close()

    async def answer(self, reader, writer):
        head = (await reader.readuntil(b"\r\n\r\n")).decode()
        path = head.split(" ")[1]
        if path == "/readyz":
            await asyncio.sleep(self.delay)
        if path == "/readyz" and not self.is_ready:
            return await self.say(writer, "503 Service Unavailable")
        if not path.startswith("/socket"):
            return await self.say(writer, "200 OK")
        if not self.is_open:
            return await self.say(writer, "503 Service Unavailable")
        if self.redirect:
            target = f"/owner/{self.redirect}{path}"
            return await self.say(writer, "200 OK", f"X-Accel-Redirect: {target}\r\n")
        if not re.search(r"(?im)^upgrade: websocket\r$", head):
            return await self.say(writer, "426 Upgrade Required")
        key = re.search(r"(?im)^sec-websocket-key: (.*?)\r$", head).group(1) + WEBSOCKET
        accept = base64.b64encode(hashlib.sha1(key.encode()).digest()).decode()
        writer.write(
            b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            + f"Sec-WebSocket-Accept: {accept}\r\n".encode()
            + f"Letsswitch-Server: {self.name}\r\nTarget: {path}\r\n\r\n".encode())
        while data := await reader.read(4096):
            writer.write(data)
            await writer.drain()
        return False

    async def say(self, writer, status, more=""):
        head = f"HTTP/1.1 {status}\r\nLetsswitch-Server: {self.name}\r\n{more}Content-Length: 0\r\n\r\n"
        writer.write(head.encode())
        await writer.drain()
        return True


class Answer:
    def __init__(self, head, reader, writer):
        self.status = int(head.split(" ")[1])
        self.fields = dict(re.findall(r"(?m)^([\w-]+): (.*?)\r$", head))
        self.fields = {name.lower(): value for name, value in self.fields.items()}
        self.name = self.fields.get("letsswitch-server")
        self.reader, self.writer = reader, writer

    async def echoes(self):
        self.writer.write(b"ale")
        return await asyncio.wait_for(self.reader.readexactly(3), PATIENCE) == b"ale"

    def close(self):
        self.writer.close()


async def ask(port, target, upgrade=False):
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    more = "Upgrade: websocket\r\nConnection: Upgrade\r\n" if upgrade else "Connection: close\r\n"
    if upgrade:
        more += "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
    writer.write(f"GET {target} HTTP/1.1\r\nHost: switch.example.org\r\n{more}\r\n".encode())
    head = await asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), PATIENCE)
    return Answer(head.decode(), reader, writer)


async def socket_at(port, query):
    return await ask(port, f"/socket?{query}", upgrade=True)


async def name_at(port, query):
    answer = await socket_at(port, query)
    answer.close()
    return answer.name if answer.status == 101 else answer.status


async def until(condition, what):
    """Waits until the coroutine function returns something true."""
    for _ in range(PATIENCE * 20):
        with contextlib.suppress(OSError, asyncio.IncompleteReadError):
            if await condition():
                return
        await asyncio.sleep(0.05)
    raise AssertionError(f"in {PATIENCE} s not: {what}")


def expect(condition, what):
    if not condition:
        raise AssertionError(what)


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


def room(number):
    return f"{number * 0x9E3779B97F4A7C15 % 2**128:032x}"


class Balancer:
    """A process of a balancer with one of the configurations, whose addresses are those of the servers."""

    def __init__(self, kind, file, backends, folder):
        self.port = free_port()
        text = (CONFIGURATIONS / file).read_text()
        for number, backend in enumerate(backends, 1):
            text = text.replace(f"10.0.0.{number}:8080", f"127.0.0.1:{backend.port}")
        text = re.sub(r"(?m)^(\s*)(bind|listen) :?80\b", rf"\1\2 127.0.0.1:{self.port}", text)
        path = pathlib.Path(folder) / file
        if kind == "haproxy":
            path.write_text(text.replace("maxconn 100000", "maxconn 1000"))
            run = ["haproxy", "-db", "-f", str(path)]
            check = ["haproxy", "-c", "-f", str(path)]
        else:
            path.write_text(
                f"daemon off; pid {folder}/pid; worker_processes 1; error_log {folder}/error.log;\n"
                + "events {} http { access_log off;\n"
                + "".join(
                    f"{name}_temp_path {folder}/{name};\n"
                    for name in ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"])
                + text + "}\n")
            run = ["nginx", "-p", folder, "-c", str(path), "-e", f"{folder}/error.log"]
            check = run + ["-t"]
        found = subprocess.run(check, capture_output=True, text=True)
        expect(found.returncode == 0, f"{file}: {found.stderr}")
        expect("[warn" not in found.stderr.lower(), f"{file}: {found.stderr}")
        self.process = subprocess.Popen(run, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    async def is_up(self):
        return (await ask(self.port, "/readyz")).status == 200

    def stop(self):
        self.process.send_signal(signal.SIGTERM)
        self.process.wait()


async def check_names(balancer, backends):
    """Checks whom the URL names, what is done without a name, and what is hidden."""
    port = balancer.port
    for backend in backends:
        for number in range(8):
            query = f"id={room(number)}&token=t&server={backend.name}"
            name = await name_at(port, query)
            expect(name == backend.name, f"{name} is chosen for {backend.name}")
    socket = await socket_at(port, f"id={room(1)}&token=t&server=two&epoch=e&since=5")
    expect(await socket.echoes(), "no bytes come through")
    expect(
        socket.fields["target"] == f"/socket?id={room(1)}&token=t&server=two&epoch=e&since=5",
        "the target is another")
    socket.close()
    fault = await fault_of_hash(port)
    expect(not fault, fault)
    for path in ["/metrics", "/cluster/probe", "/cluster/socket"]:
        expect((await ask(port, path)).status == 404, f"{path} is not hidden")
    expect((await ask(port, "/v1/slots")).status == 200, "REST does not come through")


async def fault_of_hash(port):
    """Returns what is wrong with the choice for rooms without a server's name; an empty text for nothing."""
    chosen = set()
    for number in range(64):
        identifier = room(number)
        names = [await name_at(port, f"id={text}&token=t") for text in [identifier, identifier.upper()]]
        names.append(await name_at(port, f"id={identifier}&token=t&server=stranger"))
        if len(set(names)) != 1:
            return f"the sockets of {identifier} go to {names}"
        chosen.add(names[0])
    return "" if chosen == set(NAMES) else f"rooms go to {chosen} alone"


async def check_refusal(balancer, backends):
    """Checks that a socket which one server refuses with 503 is let in by another."""
    backends[1].is_open = False
    name = await name_at(balancer.port, f"id={room(1)}&server=two")
    expect(name in ["one", "three"], f"refused by two, a socket ends at {name}")
    for backend in backends:
        backend.is_open = False
    expect(await name_at(balancer.port, f"id={room(1)}&server=two") in [502, 503], "somebody lets it in")
    for backend in backends:
        backend.is_open = True
    await until(lambda: named(balancer.port, "two"), "two is asked again")


async def named(port, name):
    return await name_at(port, f"id={room(1)}&server={name}") == name


async def check_death(balancer, backends):
    """Checks that a server which is gone is replaced, and comes back."""
    port = balancer.port
    await backends[1].stop()

    async def is_replaced():
        return await name_at(port, f"id={room(1)}&server=two") in ["one", "three"]

    await until(is_replaced, "two is replaced")
    for _ in range(6):
        expect((await ask(port, "/v1/slots")).status == 200, "REST fails where a server is gone")
    await backends[1].start()
    await until(lambda: named(port, "two"), "two gets sockets again")


async def check_health(balancer, backends):
    """Checks HAProxy's view of servers: one that is not ready keeps its sockets, one that is silent does not."""
    port = balancer.port
    at_two = await socket_at(port, f"id={room(1)}&server=two")
    backends[1].is_ready = False
    backends[1].delay = 2.6
    others = [room(number) for number in range(64)]

    async def leaves_two():
        return "two" not in [await name_at(port, f"id={identifier}") for identifier in others]

    await until(leaves_two, "rooms without a name leave a server that is not ready")
    expect(await at_two.echoes(), "a socket ends because its server is not ready")
    # Where none is ready, open rooms go on, and REST gets the servers' own answers.
    backends[0].is_ready = backends[2].is_ready = False

    async def none_is_ready():
        return (await ask(port, "/readyz")).name is not None and (await ask(port, "/readyz")).status == 503

    await until(none_is_ready, "the servers' own 503 comes through")
    for backend in backends:
        expect(await named(port, backend.name), "an open room cannot be entered where no server is ready")

    async def are_hashed():
        return not await fault_of_hash(port)

    await until(are_hashed, "rooms without a name go to all servers, where none is ready")
    expect(await at_two.echoes(), "a socket ends because no server is ready")
    for backend in backends:
        backend.is_ready = True
    backends[1].delay = 0
    await until(balancer.is_up, "the servers are ready again")
    # A server that does not answer, as one whose machine is lost: its process stops, its connections stay.
    await backends[1].stop()
    silent = subprocess.Popen(
        [sys.executable, __file__, "serve", str(backends[1].port)], stdout=subprocess.PIPE)
    try:
        silent.stdout.readline()
        await until(lambda: reaches_silent(port), "another process takes the place of two")
        at_silent = await socket_at(port, f"id={room(1)}&server=two")
        expect(at_silent.name == "silent" and await at_silent.echoes(), "the process is not reached")
        silent.send_signal(signal.SIGSTOP)
        end = await asyncio.wait_for(at_silent.reader.read(), PATIENCE)
        expect(end == b"", "the socket of a silent server does not end")
    finally:
        silent.kill()
        silent.wait()


async def reaches_silent(port):
    return await name_at(port, f"id={room(1)}&server=two") == "silent"


async def check_redirect(balancer, backends):
    """Checks that nginx carries a socket on to the address that a server names, and that nobody else can."""
    backends[0].redirect = f"127.0.0.1:{backends[2].port}"
    socket = await socket_at(balancer.port, f"id={room(1)}&token=t&server=one")
    expect(socket.name == "three" and await socket.echoes(), "X-Accel-Redirect is not followed")
    socket.close()
    backends[0].redirect = None
    outside = await ask(balancer.port, f"/owner/127.0.0.1:{backends[2].port}/socket?id=1", upgrade=True)
    expect(outside.status == 404, "anybody can choose an address")


async def check_turns(balancer, backends):
    """Checks that sockets go to all servers in turn, and past one that refuses them."""
    names = [await name_at(balancer.port, f"id={room(1)}&server=two") for _ in range(12)]
    expect(set(names) == set(NAMES), f"sockets go to {set(names)} alone")


CHECKS = [
    ("haproxy", "haproxy.cfg", [check_names, check_refusal, check_death, check_health]),
    ("nginx", "nginx.conf", [check_names, check_refusal, check_death, check_redirect]),
    ("nginx", "nginx-round-robin.conf", [check_turns]),
]


async def main():
    for kind, file, checks in CHECKS:
        backends = [Backend(name) for name in NAMES]
        for backend in backends:
            await backend.start()
        with tempfile.TemporaryDirectory() as folder:
            os.chmod(folder, 0o755)
            balancer = Balancer(kind, file, backends, folder)
            try:
                await until(balancer.is_up, f"{file}: the balancer is up")
                for check in checks:
                    try:
                        await check(balancer, backends)
                    except (AssertionError, OSError, EOFError, TimeoutError) as error:
                        line = traceback.extract_tb(error.__traceback__)[1].lineno
                        return f"{file}: {check.__name__}, line {line}: {str(error) or repr(error)}"
            finally:
                balancer.stop()
        for backend in backends:
            if backend.server.is_serving():
                await backend.stop()
        print(f"{file}: ok")
    return 0


async def serve(port):
    backend = Backend("silent")
    backend.port = port
    await backend.start()
    print("ready", flush=True)
    await backend.server.serve_forever()


sys.exit(asyncio.run(serve(int(sys.argv[2])) if sys.argv[1:2] == ["serve"] else main()))
