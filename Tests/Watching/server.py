"""Reads the metrics of a real server, which has a PostgreSQL of its own."""

import json
import re
import subprocess
import tempfile
import urllib.error
import urllib.request

PATIENCE = 120


def call(url, body=None, token=None):
    headers = {"Content-Type": "application/json"}
    if token:
        headers["Authorization"] = f"Bearer {token}"
    data = json.dumps(body).encode() if body is not None else None
    request = urllib.request.Request(url, data, headers)
    try:
        with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
            return answer.read().decode()
    except urllib.error.HTTPError as error:
        return error.read().decode()


def use(url):
    """Does a little of everything, so that counts by label are there."""
    token = json.loads(call(f"{url}/v1/users", {"name": "Ada"}))["token"]
    call(f"{url}/v1/me", token=token)
    call(f"{url}/v1/slots/2031-01-01T09:00:00Z", token=token)
    call(f"{url}/v1/slots/rubbish", token=token)
    call(f"{url}/nothing/here")
    call(f"{url}/v1/me", token="rubbish")


def page(program):
    """The text of /metrics of a server that was just used."""
    with tempfile.TemporaryDirectory() as folder:
        process = subprocess.Popen(
            [program, "serve", "--port", "0", "--data-dir", folder, "--workers", "2"], stderr=subprocess.PIPE,
            stdin=subprocess.DEVNULL, text=True)
        try:
            log = ""
            for line in process.stderr:
                log += line
                ready = re.search(r" ready url=(\S+)", line)
                if ready:
                    use(ready[1])
                    return call(f"{ready[1]}/metrics")
            raise SystemExit(f"the server did not start:\n{log}")
        finally:
            process.terminate()
            process.communicate(timeout=PATIENCE)
