"""Webhooks, checked by the package `standardwebhooks`."""

import datetime
import json

from standardwebhooks import Webhook
from standardwebhooks.webhooks import WebhookVerificationError

import examples
from service import Person

SUBJECT = "webhook"


def check(report, service, receiver):
    person = Person(service)
    endpoint = person.add(kind="webhook", url=f"{receiver.origin}/hook")
    outcome = person.test(endpoint)
    report.check(SUBJECT, "a test is delivered", outcome["outcome"] == "delivered", outcome["outcome"])
    registration = person.enter_match()
    [test] = receiver.requests("/hook", of=is_test)
    [opened] = receiver.requests("/hook", of=lambda request: request.type == "room.opened")
    for request, kind in (test, "test"), (opened, "room.opened"):
        body = report.holds(
            SUBJECT, f"`{kind}` is verified", lambda request=request: verify(endpoint["secret"], request))
        report.check(
            SUBJECT, f"`{kind}` has type, timestamp and data",
            body and set(body) == {"type", "timestamp", "data"} and body["type"] == kind)
    seen = json.loads(opened.body)["data"]["registrationId"]
    report.check(SUBJECT, "`room.opened` is about this registration", seen == registration["id"])
    tampered(report, endpoint["secret"], opened)
    examples.check(report, endpoint["secret"], opened, signed)
    retried(report, service, receiver)
    return rotated(report, receiver, person, endpoint)


def is_test(request):
    return request.type == "test"


def verify(secret, request):
    return Webhook(secret).verify(request.body, request.headers)


def tampered(report, secret, request):
    """Every part that is signed, with one character changed."""
    webhook = Webhook(secret)
    places = [0, len(request.body) // 2, len(request.body) - 2]
    for place in places:
        body = bytearray(request.body)
        body[place] ^= 1
        report.throws(
            SUBJECT, f"byte {place} of the body changed: refused", WebhookVerificationError,
            lambda body=body: webhook.verify(bytes(body), request.headers))
    later = str(int(request.headers["webhook-timestamp"]) + 1)
    for name, value in ("webhook-id", request.headers["webhook-id"] + "0"), ("webhook-timestamp", later):
        headers = request.headers | {name: value}
        report.throws(
            SUBJECT, f"{name} changed: refused", WebhookVerificationError,
            lambda headers=headers: webhook.verify(request.body, headers))


def retried(report, service, receiver):
    person = Person(service)
    receiver.answer("/retried", 500)
    endpoint = person.add(kind="webhook", url=f"{receiver.origin}/retried", types=["room.opened"])
    person.enter_match()
    first, second = receiver.requests("/retried", 2)
    for request, which in (first, "first"), (second, "second"):
        report.holds(SUBJECT, f"after a 500: the {which} attempt is verified", lambda r=request: verify(
            endpoint["secret"], r))
    same = first.headers["webhook-id"] == second.headers["webhook-id"]
    report.check(SUBJECT, "after a 500: both attempts have one id", same, second.headers["webhook-id"])


def rotated(report, receiver, person, endpoint):
    """Answers what to check when the day is over."""
    old = endpoint["secret"]
    new = person.call("POST", f"/v1/endpoints/{endpoint['id']}/secret")["secret"]
    person.test(endpoint)
    request = receiver.requests("/hook", 2, of=is_test)[1]
    report.holds(SUBJECT, "a secret is replaced: the new one verifies", lambda: verify(new, request))
    report.holds(SUBJECT, "a secret is replaced: the old one verifies too", lambda: verify(old, request))

    def after_a_day():
        person.test(endpoint)
        request = receiver.requests("/hook", 3, of=is_test)[2]
        # `verify` would find the time wrong; it is ours that was put forward.
        signatures = request.headers["webhook-signature"].split(" ")
        report.check(SUBJECT, "a day later: the new one has signed", signed(new, request) in signatures)
        report.check(SUBJECT, "a day later: the old one has not", signed(old, request) not in signatures)

    return after_a_day


def signed(secret, request, stamp=None):
    """The signature of the request as it came, or with another time."""
    seconds = int(request.headers["webhook-timestamp"]) if stamp is None else stamp
    time = datetime.datetime.fromtimestamp(seconds, datetime.timezone.utc)
    return Webhook(secret).sign(request.headers["webhook-id"], time, request.body.decode())
