"""Web Push, decrypted by the package `http-ece` and verified by `PyJWT`."""

import base64
import json
import os
import re
import time

import http_ece
import jwt
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from service import Person, tomorrow

SUBJECT = "webpush"
OPERATOR = "mailto:operator@example.org"


class Browser:
    """A subscription, with the keys that only the browser has."""

    def __init__(self, person, url):
        self.url = url
        self.key = ec.generate_private_key(ec.SECP256R1())
        self.auth = os.urandom(16)
        point = self.key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
        self.endpoint = person.add(
            kind="webpush", url=url, p256dh=base64url(point), auth=base64url(self.auth),
            types=["room.opened"])

    def decrypt(self, request):
        return json.loads(http_ece.decrypt(
            request.body, private_key=self.key, auth_secret=self.auth, version="aes128gcm"))


def check(report, service, receiver, match):
    browser = Browser(match.person, f"{receiver.origin}/push/1")
    outcome = match.person.test(browser.endpoint)
    report.check(SUBJECT, "a test is delivered", outcome["outcome"] == "delivered", outcome["outcome"])
    match.begin()
    # The test was answered before.
    test, opened = receiver.requests("/push/1", 2)
    for request, kind in (test, "test"), (opened, "room.opened"):
        message = report.holds(SUBJECT, f"`{kind}` is decrypted", lambda r=request: browser.decrypt(r))
        report.check(
            SUBJECT, f"`{kind}` has a title and a body", message and message["title"] and message["body"],
            message and message["title"])
        authorised(report, service, receiver, request, kind)
    message = browser.decrypt(opened)
    report.check(SUBJECT, "the room and its socket are there", message["roomId"] in message["socketUrl"])
    declared = message["notification"]
    report.check(
        SUBJECT, "it is Declarative Web Push, and a tap opens the room",
        message["web_push"] == 8030 and declared["navigate"].endswith("/room/" + message["roomId"])
        and declared["title"] == message["title"] and declared["body"] == message["body"])
    report.check(SUBJECT, "the body names the partner and the task", match.is_told_in(message["body"]))
    size = len(opened.body)
    report.check(SUBJECT, "at most 4096 bytes, with the longest names", size <= 4096, size)
    stranger = Browser(Person(service), f"{receiver.origin}/push/2")
    report.throws(SUBJECT, "another browser cannot read it", Exception, lambda: stranger.decrypt(opened))
    fields(report, opened, match.registration)
    gone(report, service, receiver)


def fields(report, request, registration):
    left, ttl = tomorrow() - time.time(), int(request.headers["ttl"])
    report.check(SUBJECT, "TTL ends as the slot begins", -1 < ttl - left < 60, f"{ttl} s")
    urgency, topic = request.headers["urgency"], request.headers["topic"]
    report.check(SUBJECT, "Urgency is high", urgency == "high")
    is_allowed = re.fullmatch(r"[\w-]{1,32}", topic, re.ASCII)
    report.check(SUBJECT, "Topic is at most 32 characters of base64url", is_allowed, topic)
    same = base64url(bytes.fromhex(registration["id"].replace("-", "")))
    report.check(SUBJECT, "Topic stands for the registration", topic == same)
    report.check(SUBJECT, "Content-Encoding is aes128gcm", request.headers["content-encoding"] == "aes128gcm")


def authorised(report, service, receiver, request, kind):
    """RFC 8292: who sends it."""
    match = re.fullmatch(r"vapid t=([\w.-]+), k=([\w-]+)", request.headers["authorization"], re.ASCII)
    if not report.check(SUBJECT, f"`{kind}` has a VAPID header", match):
        return
    token, key = match.groups()
    is_known = key == service.call("GET", "/v1/push-key")["publicKey"]
    report.check(SUBJECT, f"`{kind}`: k is the key of /v1/push-key", is_known)
    public = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), unbase64url(key))
    claims = report.holds(
        SUBJECT, f"`{kind}`: ES256 token verified, aud is the push service's origin",
        lambda: jwt.decode(token, public, algorithms=["ES256"], audience=receiver.origin))
    if claims:
        hours = (claims["exp"] - time.time()) / 3600
        report.check(SUBJECT, f"`{kind}`: exp is at most a day away", 0 < hours <= 24, f"{hours:.1f} h")
        report.check(SUBJECT, f"`{kind}`: sub is the operator", claims["sub"] == OPERATOR, claims["sub"])


def gone(report, service, receiver):
    for status in 404, 410:
        person = Person(service)
        receiver.answer(f"/push/{status}", status)
        browser = Browser(person, f"{receiver.origin}/push/{status}")
        person.test(browser.endpoint)
        state = person.endpoint(browser.endpoint)
        is_disabled = state["state"] == "disabled"
        report.check(SUBJECT, f"{status} ends the endpoint", is_disabled, state.get("reason"))


def base64url(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def unbase64url(text):
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
