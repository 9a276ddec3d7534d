"""Follows one session of two people with curl and the package `websockets`: python3 Tests/Interop/follow.py URL

Aiko and Ben sign up at the server at URL, and meet in the next slot that leaves them time for it. Prints a line for
everything that Aiko is told. Nothing of this repository is needed, so this is also an example of a client.
"""

import asyncio
import datetime
import json
import sys
import uuid

from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed

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

    def enter(self, opened):
        """By the URL that the notification brings, with a ticket in it."""
        return connect(opened["socketUrl"], subprotocols=["letsswitch.v2"])

    async def leave(self):
        if self.stream.returncode is None:
            self.stream.terminate()
        await self.stream.communicate()


async def heard(socket, kind):
    """The next message of that type; a client ignores those that it does not know."""
    async for text in socket:
        message = json.loads(text)
        if message["type"] == kind:
            return message
    raise ConnectionError(f"The socket closed before {kind}.")


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
        async with aiko.enter(opened) as mine, ben.enter(of_ben) as theirs:
            await heard(mine, "handshake")
            await heard(theirs, "handshake")
            await theirs.send(json.dumps({"type": "status", "status": "ready"}))
            say("status", f"Ben: {(await heard(mine, 'status'))['status']}")
            await theirs.send(json.dumps({"type": "ale", "messageId": str(uuid.uuid4())}))
            say("ale", f"from Ben, number {(await heard(mine, 'aleResponse'))['seq']}")
            await heard(theirs, "ack")
            try:
                await heard(mine, "roomClosed")
                await mine.recv()
            except ConnectionClosed:
                pass
            say("closed", f"{mine.close_code}")
        completed = await aiko.told("session.completed")
        say("completed", f"{completed['alesReceived']} ale received")
    finally:
        await asyncio.gather(aiko.leave(), ben.leave())


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    asyncio.run(asyncio.wait_for(follow(sys.argv[1].rstrip("/")), 300))
