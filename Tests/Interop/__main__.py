"""Puts what the server sends to programs that were written elsewhere: python3 Tests/Interop PROGRAM CLOCK-LIBRARY

PROGRAM is the server, CLOCK-LIBRARY libfaketime. The packages are in `requirements.txt`. Prints what was checked; the
exit code is 1 where something is not as it should be.
"""

import datetime
import os
import shutil
import sys
import tempfile
import time

from cryptography.hazmat.primitives.asymmetric import ec

import apple
import browser
import calendars
import clients
import commands
import descriptions
import following
import frames
import generated
import routines
import schema
import webhooks
from apple_server import AppleService
from certificate import certificate, private_pem, write
from match import Match
from receiver import Receiver
from report import Report, say
from service import Service

# Between two steps of the clock, and a little more than a service asks for.
TOKEN_AGE = 21 * 60
DAY = 24 * 3600 + 60


def run(program, clock_library, folder):
    report = Report()
    key = ec.generate_private_key(ec.SECP256R1())
    identity = certificate(folder)
    service_of_apple = AppleService(*identity)
    receiver = Receiver(*identity)
    settings = {
        "ALLOW_PRIVATE_WEBHOOKS": "true",
        "WEBHOOKS_PER_SECOND": "0",
        "VAPID_SUBJECT": browser.OPERATOR,
        "APNS_KEY_FILE": write(folder, "key.p8", private_pem(key)),
        "APNS_KEY_ID": apple.KEY_ID,
        "APNS_TEAM_ID": apple.TEAM_ID,
        "APNS_TOPIC": apple.TOPIC,
        "APNS_URL": service_of_apple.url,
        "SSL_CERT_FILE": identity[0],
    }
    service = Service(program, folder, clock_library, settings)
    try:
        say(f"The server is ready at {service.url}.")
        after_a_day = webhooks.check(report, service, receiver)
        apple.first_stream(report, service, receiver, service_of_apple)
        match = Match(service, apple.device())
        browser.check(report, service, receiver, match)
        calendars.check(report, service)
        descriptions.check(report, service)
        when_token_is_old = apple.check(report, service, service_of_apple, key, match)
        put_forward(service, TOKEN_AGE)
        when_token_is_old()
        put_forward(service, DAY)
        after_a_day()
    except Exception:
        print("".join(service.log[-40:]), file=sys.stderr)
        raise
    finally:
        receiver.close()
        service.stop()
    routines.check(report, program, clock_library, folder)
    following.check(report, program, clock_library, folder)
    check_calls(report, program, folder, clock_library)
    return report.end()


def check_calls(report, program, folder, clock_library):
    """With a service of their own: people who register for today there meet the intended partner."""
    place = os.path.join(folder, "calls")
    os.mkdir(place, 0o711)
    settings = {"ALLOW_PRIVATE_WEBHOOKS": "true", "WEBHOOKS_PER_SECOND": "0"}
    service = Service(program, place, clock_library, settings)
    try:
        frames.check(report, service)
        generated.check(report, service)
        clients.check(report, service)
        commands.check(report, service)
        schema.check(report, service)
    except Exception:
        print("".join(service.log[-40:]), file=sys.stderr)
        raise
    finally:
        service.stop()


def put_forward(service, seconds):
    """Waits until the server's clock shows it."""
    service.put_forward(seconds)
    end = time.monotonic() + 60
    while time.monotonic() < end:
        created = service.call("POST", "/v1/users", {"name": "Clock"})["user"]["createdAt"]
        shown = datetime.datetime.fromisoformat(created).timestamp()
        if abs(shown - time.time() - seconds) < 60:
            return
        time.sleep(0.1)
    raise TimeoutError("The server's clock does not go forward: is libfaketime loaded?")


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    folder = tempfile.mkdtemp(prefix="letsswitch-interop-")
    # PostgreSQL's own user has to pass through where this runs as root.
    os.chmod(folder, 0o711)
    try:
        return run(sys.argv[1], sys.argv[2], folder)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


sys.exit(main())
