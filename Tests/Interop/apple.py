"""Pushes to Apple's devices, whose token is verified by `PyJWT` and whose connection is served by `h2`."""

import json
import os
import time

import jwt

from service import Person, tomorrow, until

SUBJECT = "APNs"
KEY_ID, TEAM_ID, TOPIC = "KEYKEYKEY1", "TEAMTEAM12", "org.example.app"
DEVICES = 10
PEOPLE = 40
# Of the pushes that are due, so many have to be under way at once.
MANY = 100


def check(report, service, apple, key, match):
    """Answers what to check when the token is old enough to be renewed."""
    contents(report, apple, key, match)
    together(report, service, apple)
    unregistered(report, service, apple)
    unavailable(report, service, apple)
    dead(report, service, apple)
    verified(report, apple, key)
    return lambda: expired(report, service, apple, key)


def device():
    return os.urandom(32).hex()


def add(person, count=1, **more):
    return [
        person.add(kind="apns", deviceToken=device(), types=["room.opened"], **more) for _ in range(count)]


def first_stream(report, service, receiver, apple):
    """Apple's service allows one stream until it has seen a valid token."""
    apple.hold()
    person = Person(service)
    add(person, DEVICES - 1, environment="production")
    # The last of those that are claimed together: when it has come, the pushes before it are waiting to be sent.
    person.add(kind="webhook", url=f"{receiver.origin}/beside", types=["room.opened"])
    person.enter_match()
    receiver.requests("/beside")
    apple.pushes()
    count = apple.open_streams()
    report.check(SUBJECT, "one stream until the first answer", count == 1, count)
    apple.release()
    apple.pushes(DEVICES - 1)
    report.check(SUBJECT, "and then all the others, on the same connection", len(apple.connections) == 1)
    report.check(SUBJECT, "HTTP/2 is agreed by ALPN", apple.connections[0].is_http2)


def contents(report, apple, key, match):
    """The push about a match, which has begun."""
    [push] = apple.pushes(of=lambda push: push.device == match.device["deviceToken"])
    headers, body = push.headers, json.loads(push.body)
    wanted = {
        ":method": "POST", ":scheme": "https", ":path": f"/3/device/{push.device}", "apns-topic": TOPIC,
        "apns-push-type": "alert", "apns-priority": "10", "apns-expiration": str(tomorrow()),
        "apns-collapse-id": match.registration["id"],
    }
    for name, value in wanted.items():
        report.check(SUBJECT, f"{name} is right", headers.get(name) == value, headers.get(name)[:40])
    alert = body["aps"]["alert"]
    size = len(push.body)
    report.check(SUBJECT, "at most 4096 bytes, with the longest names", size <= 4096, size)
    report.check(SUBJECT, "there is a title", alert["title"], alert["title"])
    report.check(SUBJECT, "the body names the partner and the task", match.is_told_in(alert["body"]))
    report.check(SUBJECT, "it is time-sensitive", body["aps"]["interruption-level"] == "time-sensitive")
    report.check(SUBJECT, "the room and its socket are there", body["roomId"] in body["socketUrl"])
    claims = report.holds(
        SUBJECT, "ES256 token verified by the public half of the .p8", lambda: decode(push, key)) or {}
    kid, team = jwt.get_unverified_header(token(push))["kid"], claims.get("iss")
    is_right = kid == KEY_ID and team == TEAM_ID and abs(claims["iat"] - time.time()) < 60
    report.check(SUBJECT, "the token names key, team and time", is_right, f"{kid}, {team}")


def together(report, service, apple):
    """Many at once, and a connection that goes away in the middle."""
    people = [Person(service) for _ in range(PEOPLE)]
    devices = {endpoint["deviceToken"] for person in people for endpoint in add(person, DEVICES)}
    arrived = lambda push: push.device in devices
    connections = len(apple.connections)
    apple.hold()
    for person in people:
        person.enter_match()
    apple.pushes(MANY, of=arrived)
    most = apple.most_open()
    report.check(SUBJECT, "highest number of streams open at once", most >= MANY, most)
    count = len(apple.connections)
    report.check(SUBJECT, "on one connection, the same as before", count == connections, count)
    unseen = apple.go_away(MANY // 2)
    pushes = until("all pushes", lambda: all_of(devices, apple.pushes(of=arrived)))
    report.check(SUBJECT, f"GOAWAY, {unseen} of them not looked at: all devices are told", True, len(devices))
    twice = len(pushes) - len(devices)
    report.check(SUBJECT, "none of them twice", twice == 0, twice)
    count = len(apple.connections)
    report.check(SUBJECT, "over one more connection", count == connections + 1, count)


def all_of(devices, pushes):
    return pushes if devices == {push.device for push in pushes} else None


def unregistered(report, service, apple):
    for status, reason in (410, "Unregistered"), (400, "BadDeviceToken"), (400, "DeviceTokenNotForTopic"):
        apple.release(lambda push, status=status, reason=reason: (status, reason))
        person = Person(service)
        [endpoint] = add(person)
        person.test(endpoint)
        state = person.endpoint(endpoint)
        is_disabled = state["state"] == "disabled"
        report.check(SUBJECT, f"{reason} disables the endpoint", is_disabled, state.get("reason"))
    apple.release()


def unavailable(report, service, apple):
    answers = [(503, "ServiceUnavailable")]
    apple.release(lambda push: answers.pop() if answers else (200, None))
    person = Person(service)
    [endpoint] = add(person)
    person.enter_match()
    apple.pushes(2, of=lambda push: push.device == endpoint["deviceToken"])
    outcomes = until("the second outcome", lambda: two(person.endpoint(endpoint)["outcomes"]))
    is_delivered = outcomes == ["delivered", "retried"]
    report.check(SUBJECT, "503 is tried again", is_delivered, ", ".join(reversed(outcomes)))


def two(outcomes):
    return [outcome["outcome"] for outcome in outcomes] if len(outcomes) == 2 else None


def dead(report, service, apple):
    """A connection on which nothing comes back any more, without an error."""
    count = len(apple.connections)
    apple.die()
    person = Person(service)
    [endpoint] = add(person)
    person.enter_match()
    apple.pushes(of=lambda push: push.device == endpoint["deviceToken"], limit=60)
    outcomes = until("the outcome", lambda: two(person.endpoint(endpoint)["outcomes"]))
    is_delivered = outcomes == ["delivered", "retried"]
    report.check(SUBJECT, "a dead connection: tried again", is_delivered, ", ".join(reversed(outcomes)))
    report.check(SUBJECT, "over another one", len(apple.connections) == count + 1)


def expired(report, service, apple, key):
    old = token(apple.arrivals[-1])
    apple.release(lambda push: (403, "ExpiredProviderToken") if token(push) == old else (200, None))
    person = Person(service)
    [endpoint] = add(person)
    outcome = person.test(endpoint)
    pushes = apple.pushes(2, of=lambda push: push.device == endpoint["deviceToken"])
    is_taken = outcome["outcome"] == "delivered"
    report.check(SUBJECT, "ExpiredProviderToken: sent again at once, and taken", is_taken, outcome["outcome"])
    # Issued by a clock that was put forward.
    new = report.holds(
        SUBJECT, "the second token is verified", lambda: decode(pushes[1], key, verify_iat=False))
    age = new and new["iat"] - decode(pushes[0], key)["iat"]
    report.check(SUBJECT, "and is a later one", age and age >= 20 * 60, f"{age} s")


def verified(report, apple, key):
    tokens = {token(push) for push in apple.arrivals}
    report.holds(
        SUBJECT, f"the tokens of all {len(apple.arrivals)} pushes are verified",
        lambda: [decode(push, key) for push in apple.arrivals])
    report.check(SUBJECT, "and it was one token", len(tokens) == 1, len(tokens))


def token(push):
    scheme, _, text = push.headers["authorization"].partition(" ")
    if scheme != "bearer":
        raise ValueError(f"the scheme is {scheme}")
    return text


def decode(push, key, **options):
    return jwt.decode(token(push), key.public_key(), algorithms=["ES256"], options=options)
