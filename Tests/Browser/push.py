"""A push service and the browser's side of it.

Chromium's own push service is not reachable from a test. So the page gets a small stand-in of `PushManager`, which
subscribes at a service on 127.0.0.1 with keys that only this test has. The rest is real: the server encrypts and sends;
what comes is decrypted by the package `http_ece`, and handed to the worker by the DevTools protocol, as Chromium hands
on what its push service brings.
"""

import base64
import json
import os

import http_ece
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

STAND_IN = """(() => {
  const answer = %s;
  const state = 'test.isSubscribed';
  const subscription = {
    endpoint: answer.endpoint, toJSON: () => answer,
    unsubscribe: async () => { sessionStorage.removeItem(state); return true; },
  };
  PushManager.prototype.getSubscription = async () => (sessionStorage.getItem(state) ? subscription : null);
  PushManager.prototype.subscribe = async ({ userVisibleOnly, applicationServerKey }) => {
    if (!userVisibleOnly || new Uint8Array(applicationServerKey).length !== 65) throw new TypeError('no key');
    if (Notification.permission !== 'granted') throw new DOMException('no permission', 'NotAllowedError');
    sessionStorage.setItem(state, 'yes');
    return subscription;
  };
})()"""


class Subscription:
    def __init__(self, receiver, path):
        self.receiver, self.path = receiver, path
        self._key = ec.generate_private_key(ec.SECP256R1())
        self._auth = os.urandom(16)

    def stand_in(self):
        """A script for the page."""
        point = self._key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
        keys = {"p256dh": base64url(point), "auth": base64url(self._auth)}
        return STAND_IN % json.dumps({"endpoint": self.receiver.origin + self.path, "keys": keys})

    def messages(self, count=1, limit=90):
        """Decrypted, as soon as there are so many; each as the text that the worker gets."""
        requests = self.receiver.requests(self.path, count, limit=limit)
        return [http_ece.decrypt(
            request.body, private_key=self._key, auth_secret=self._auth, version="aes128gcm").decode()
            for request in requests]


def deliver(visitor, text):
    """Hands a push to the page's worker; returns the notifications that are then shown."""
    page = visitor.page
    page.evaluate("navigator.serviceWorker.ready.then(() => true)")
    devtools = visitor.context.new_cdp_session(page)
    found = []
    devtools.on("ServiceWorker.workerRegistrationUpdated", lambda event: found.extend(event["registrations"]))
    devtools.send("ServiceWorker.enable")
    for _ in range(100):
        if found:
            break
        page.wait_for_timeout(50)
    devtools.send("ServiceWorker.deliverPushMessage", {
        "origin": visitor.service.url, "registrationId": found[0]["registrationId"], "data": text})
    # A browser that shares two cores with four others takes a while to start a worker.
    for _ in range(1200):
        if shown := page.evaluate(SHOWN):
            return shown
        page.wait_for_timeout(50)
    return []


SHOWN = """async () => (await (await navigator.serviceWorker.ready).getNotifications())
  .map(({ title, body, tag, data }) => ({ title, body, tag, data }))"""


def base64url(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()
