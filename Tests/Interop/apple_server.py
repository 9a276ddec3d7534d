"""Plays Apple's push service: HTTP/2 over TLS, by the package `h2`."""

import asyncio
import json
import ssl
import threading
from dataclasses import dataclass, field

import h2.config
import h2.connection
import h2.events
import h2.settings
from hyperframe.frame import GoAwayFrame

# As many as Apple's service allows.
STREAMS = 1000


@dataclass
class Push:
    connection: "Connection"
    stream: int
    headers: dict
    body: bytearray = field(default_factory=bytearray)

    @property
    def device(self):
        return self.headers[":path"].rpartition("/")[2]


class Connection(asyncio.Protocol):
    def __init__(self, service):
        self.service = service
        self.pushes = {}
        self.most_open = 0
        # What is above that stream is not looked at.
        self.last = None

    def connection_made(self, transport):
        self.transport = transport
        self.is_http2 = transport.get_extra_info("ssl_object").selected_alpn_protocol() == "h2"
        config = h2.config.H2Configuration(client_side=False, header_encoding="utf-8")
        self.http = h2.connection.H2Connection(config)
        self.http.local_settings = h2.settings.Settings(
            client=False, initial_values={h2.settings.SettingCodes.MAX_CONCURRENT_STREAMS: STREAMS})
        self.http.initiate_connection()
        self.flush()
        self.service.connected(self)

    def data_received(self, data):
        for event in self.http.receive_data(data):
            match event:
                case h2.events.RequestReceived():
                    self.pushes[event.stream_id] = Push(self, event.stream_id, dict(event.headers))
                    self.most_open = max(self.most_open, len(self.pushes))
                case h2.events.DataReceived():
                    self.pushes[event.stream_id].body += event.data
                    self.http.acknowledge_received_data(event.flow_controlled_length, event.stream_id)
                case h2.events.StreamEnded() if self.last is None or event.stream_id <= self.last:
                    self.service.arrived(self.pushes[event.stream_id])
                case h2.events.StreamReset():
                    self.pushes.pop(event.stream_id, None)
        self.flush()

    def answer(self, push, status, reason):
        if self.pushes.pop(push.stream, None) is None or self.transport.is_closing():
            return
        body = json.dumps({"reason": reason}).encode() if reason else b""
        headers = [(":status", str(status)), ("apns-id", push.headers.get("apns-id", f"{push.stream}"))]
        self.http.send_headers(push.stream, headers, end_stream=not body)
        if body:
            self.http.send_data(push.stream, body, end_stream=True)
        self.flush()

    def flush(self):
        self.transport.write(self.http.data_to_send())

    def go_away(self, last):
        """Nothing above that stream has been looked at. What is below is still to be answered."""
        # By hand: for the library a connection that has said so is over.
        self.last = last
        self.transport.write(GoAwayFrame(stream_id=0, last_stream_id=last).serialize())


class AppleService:
    """Keeps every push that arrives. `rule(push)` says how it is answered, as (status, reason); None: it waits for
    `release`."""

    def __init__(self, certificate, key):
        self.rule = lambda push: (200, None)
        self.arrivals = []
        self.connections = []
        self._held = []
        self._changed = threading.Condition()
        self._loop = asyncio.new_event_loop()
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate, key)
        context.set_alpn_protocols(["h2"])
        server = self._loop.run_until_complete(
            self._loop.create_server(lambda: Connection(self), "127.0.0.1", 0, ssl=context))
        self.url = f"https://127.0.0.1:{server.sockets[0].getsockname()[1]}"
        threading.Thread(target=self._loop.run_forever, daemon=True).start()

    # On the thread of the loop.

    def connected(self, connection):
        with self._changed:
            self.connections.append(connection)

    def arrived(self, push):
        with self._changed:
            self.arrivals.append(push)
            answer = self.rule(push)
            if answer is None:
                self._held.append(push)
            self._changed.notify_all()
        if answer is not None:
            push.connection.answer(push, *answer)

    # On any other.

    def pushes(self, count=1, limit=30, of=lambda push: True):
        """Those that have arrived, as soon as they are so many."""
        with self._changed:
            found = []

            def are_there():
                found[:] = [push for push in self.arrivals if of(push)]
                return len(found) >= count

            if not self._changed.wait_for(are_there, limit):
                raise TimeoutError(f"{len(found)} of {count} pushes came in {limit} s")
            return found

    def open_streams(self):
        return sum(len(connection.pushes) for connection in self.connections)

    def most_open(self):
        return max(connection.most_open for connection in self.connections)

    def hold(self):
        with self._changed:
            self.rule = lambda push: None

    def release(self, rule=lambda push: (200, None)):
        """Answers what was held, and what comes from now on, by the rule."""
        with self._changed:
            self.rule = rule
            held, self._held = self._held, []
        self._run(lambda: [push.connection.answer(push, *rule(push)) for push in held])

    def go_away(self, count):
        """Answers so many of the pushes that wait on the latest connection, and tells it that it has not looked at the
        others; the other side closes it then. Answers how many those were.
        """
        unseen = []

        def leave():
            with self._changed:
                held, self._held = sorted(self._held, key=lambda push: push.stream), []
                unseen.extend(held[count:])
                self.arrivals = [push for push in self.arrivals if push not in unseen]
                self.rule = lambda push: (200, None)
            self.connections[-1].go_away(held[count - 1].stream)
            for push in held[:count]:
                push.connection.answer(push, 200, None)

        self._run(leave)
        return len(unseen)

    def die(self):
        """Neither reads from the latest connection nor writes to it from now on, as where the way there is cut."""
        self._run(self.connections[-1].transport.pause_reading)

    def _run(self, body):
        done = threading.Event()

        def run():
            body()
            done.set()

        self._loop.call_soon_threadsafe(run)
        done.wait()
