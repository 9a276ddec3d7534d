"""A program that is sent requests by HTTP/1.1 over TLS, and keeps them."""

import http.server
import json
import ssl
import threading
from dataclasses import dataclass


@dataclass
class Request:
    path: str
    # Names in lower case.
    headers: dict
    body: bytes

    @property
    def type(self):
        """Of a webhook."""
        return json.loads(self.body)["type"]


class Receiver:
    """Answers with what was laid out for a path, one after the other, and with 200 from then on."""

    def __init__(self, certificate, key):
        self._changed = threading.Condition()
        self._requests = []
        self._answers = {}
        receiver = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self):
                body = self.rfile.read(int(self.headers["content-length"]))
                headers = {name.lower(): value for name, value in self.headers.items()}
                status = receiver._take(Request(self.path, headers, body))
                self.send_response(status)
                self.send_header("Content-Length", "0")
                self.end_headers()

            def log_message(self, *_):
                pass

        self._server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate, key)
        self._server.socket = context.wrap_socket(
            self._server.socket, server_side=True, do_handshake_on_connect=False)
        self.origin = f"https://127.0.0.1:{self._server.server_port}"
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def answer(self, path, *statuses):
        """What the next requests for the path are answered with."""
        with self._changed:
            self._answers[path] = list(statuses)

    def _take(self, request):
        with self._changed:
            self._requests.append(request)
            self._changed.notify_all()
            waiting = self._answers.get(request.path)
            return waiting.pop(0) if waiting else 200

    def requests(self, path, count=1, of=lambda request: True, limit=30):
        """What has come for the path, as soon as it is so many."""

        def found():
            return [request for request in self._requests if request.path == path and of(request)]

        with self._changed:
            if not self._changed.wait_for(lambda: len(found()) >= count, limit):
                raise TimeoutError(f"{len(found())} of {count} requests for {path} came in {limit} s")
            return found()

    def close(self):
        self._server.shutdown()
