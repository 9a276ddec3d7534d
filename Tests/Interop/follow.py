"""Follows one session of two people with curl and the package `websockets`: python3 Tests/Interop/follow.py URL

Aiko and Ben sign up at the server at URL, and meet in the next slot that leaves them time for it. In the room, Aiko
loses her connection once and recovers. Prints a line for everything that Aiko is told. Nothing of this repository is
needed, so this is also an example of a client.
"""

import asyncio
import datetime
import json
import random
import re
import sys
import uuid

from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed, InvalidStatus

# Aiko is told of a partner who comes after she was seen alone. The service looks once a second or so.
ALONE_SECONDS = 8
# To be alone, to be told of a partner, and until the room opens.
AHEAD_SECONDS = 25


async def curl(*arguments):
    """One call; the answer, as JSON."""
    process = await asyncio.create_subprocess_exec(
        "curl", "--silent", "--show-error", "--fail-with-body", "--max-time", "30", *arguments,
        stdout=asyncio.subprocess.PIPE)
    output, _ = await process.communicate()
    if process.returncode != 0:
        sys.exit(f"curl {arguments[-1]}: {output.decode()}")
    return json.loads(output)


class Person:
    @classmethod
    async def sign_up(cls, url, name):
        person = cls()
        person.url, person.name = url, name
        person.token = (await person.post("/v1/users", {"name": name}))["token"]
        return person

    @property
    def authorization(self):
        return ["--header", f"Authorization: Bearer {self.token}"] if hasattr(self, "token") else []

    async def get(self, path):
        return await curl(*self.authorization, f"{self.url}{path}")

    async def post(self, path, body):
        return await curl(
            *self.authorization, "--header", "Content-Type: application/json",
            "--header", f"Idempotency-Key: {uuid.uuid4()}", "--data", json.dumps(body), f"{self.url}{path}")

    async def register(self, task, slot):
        return (await self.post("/v1/registrations", {"task": task, "slots": [slot]}))["registrations"][0]

    async def listen(self):
        """Opens the stream of events, which begins with a comment."""
        self.stream = await asyncio.create_subprocess_exec(
            "curl", "--silent", "--show-error", "--no-buffer", *self.authorization, f"{self.url}/v1/events",
            stdout=asyncio.subprocess.PIPE)
        await self.stream.stdout.readline()

    async def told(self, kind):
        """The data of the next notification of that type."""
        async for line in self.stream.stdout:
            if line.startswith(b"data:"):
                notification = json.loads(line[len(b"data:"):])
                if notification["type"] == kind:
                    return notification["data"]
        sys.exit(f"The stream of {self.name} ended before {kind}.")

    async def leave(self):
        if self.stream.returncode is None:
            self.stream.terminate()
        await self.stream.communicate()


class Room:
    """A member's stay in a room until it closes: after a lost connection no ale is missing, and none comes twice."""

    def __init__(self, address):
        # The `socketUrl` of a notification, with a ticket in it.
        self.address = address
        self.epoch, self.seq = None, 0
        self.unacknowledged = {}

    async def send(self, message):
        await self.socket.send(json.dumps(message))

    async def send_ale(self):
        ale = {"type": "ale", "messageId": str(uuid.uuid4())}
        self.unacknowledged[ale["messageId"]] = ale
        await self.send(ale)

    async def messages(self):
        """Yields each message. Returns when the room closes; raises an error where another attempt would not help."""
        attempts = 0
        while True:
            resume = f"&epoch={self.epoch}&since={self.seq}" if self.epoch else ""
            code, reason = 1006, ""
            try:
                async with connect(self.address + resume, subprotocols=["letsswitch.v2"]) as self.socket:
                    async for text in self.socket:
                        message = json.loads(text)
                        await self.note(message)
                        attempts = 0
                        yield message
                code = self.socket.close_code
            except ConnectionClosed as closed:
                code, reason = (closed.rcvd.code, closed.rcvd.reason) if closed.rcvd else (1006, "")
            except InvalidStatus as refused:
                if refused.response.status_code not in (429, 503):
                    raise
                reason = f"retryAfterMs={1000 * int(refused.response.headers.get('Retry-After', 1))}"
            except OSError:
                pass  # The server cannot be reached.
            if code == 1000:
                return
            if 4200 <= code < 4300:
                continue
            if code not in (1001, 1006, 1012, 1013) and not 4100 <= code < 4200:
                raise ConnectionError(f"The room closed with {code} {reason}.")
            told = re.search(r"retryAfterMs=(\d+)", reason)
            wait = int(told[1]) / 1000 if told else min(30, 0.5 * 2**attempts)
            attempts += 1
            await asyncio.sleep(wait * random.uniform(1, 1.5))

    async def note(self, message):
        match message["type"]:
            case "handshake":
                # After a recovery the ales that were missed follow, and each brings its own `seq`.
                if not message["recovered"]:
                    self.epoch, self.seq = message["epoch"], message["seq"]
                for ale in list(self.unacknowledged.values()):
                    await self.send(ale)
            case "aleResponse":
                self.seq = message["seq"]
            case "ack":
                self.unacknowledged.pop(message["messageId"], None)
            case "moved":
                is_same = message["id"] in self.address
                self.address = message["socketUrl"]
                self.epoch = self.epoch if is_same else None


async def heard(messages, kind):
    """The next message of that type; a client ignores those that it does not know."""
    async for message in messages:
        if message["type"] == kind:
            return message
    raise ConnectionError(f"The room closed before {kind}.")


async def next_slot(person):
    """The start of the first slot that leaves enough time."""
    earliest = datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(seconds=AHEAD_SECONDS)
    for days in 0, 1:
        date = (earliest + datetime.timedelta(days=days)).date()
        for slot in (await person.get(f"/v1/slots?date={date}&timeZone=UTC"))["slots"]:
            if datetime.datetime.fromisoformat(slot["startsAt"]) >= earliest:
                return slot["startsAt"]


def say(word, text):
    print(f"{word:<10}  {text}", flush=True)


async def follow(url):
    aiko, ben = [await Person.sign_up(url, name) for name in ("Aiko", "Ben")]
    await asyncio.gather(aiko.listen(), ben.listen())
    try:
        slot = await next_slot(aiko)
        registration = await aiko.register("Write the report", slot)
        say("registered", f"{registration['task']}, at {slot}")
        await asyncio.sleep(ALONE_SECONDS)
        await ben.register("Learn ten words", slot)
        partnered = await aiko.told("slot.partnered")
        say("partnered", f"a partner is there at {partnered['startsAt']}")
        opened, of_ben = await asyncio.gather(aiko.told("room.opened"), ben.told("room.opened"))
        names = ", ".join(f"{partner['name']} ({partner['task']})" for partner in opened["partners"])
        say("opened", f"with {names}")
        mine, theirs = Room(opened["socketUrl"]), Room(of_ben["socketUrl"])
        to_aiko, to_ben = mine.messages(), theirs.messages()
        await heard(to_aiko, "handshake")
        await heard(to_ben, "handshake")
        await theirs.send({"type": "status", "status": "ready"})
        say("status", f"Ben: {(await heard(to_aiko, 'status'))['status']}")
        await theirs.send_ale()
        say("ale", f"from Ben, number {(await heard(to_aiko, 'aleResponse'))['seq']}")
        # It is unknown whether this ale reaches the server. Ben's next one does not reach Aiko.
        await mine.send_ale()
        mine.socket.transport.abort()
        await heard(to_ben, "ack")
        await theirs.send_ale()
        await heard(to_ben, "ack")
        await heard(to_aiko, "handshake")
        say("recovered", f"another ale of Ben's, after number {mine.seq}")
        await heard(to_aiko, "aleResponse")
        async for _ in to_aiko:
            pass
        say("closed", f"{mine.socket.close_code}")
        completed = await aiko.told("session.completed")
        say("completed", f"{completed['alesSent']} ale sent, {completed['alesReceived']} received")
    finally:
        await asyncio.gather(aiko.leave(), ben.leave())


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    asyncio.run(asyncio.wait_for(follow(sys.argv[1].rstrip("/")), 300))
