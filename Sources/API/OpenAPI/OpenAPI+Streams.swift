import Contract

extension OpenAPI {
    private static let aboutEvents = """
        Server-sent events. `id` is the notification's id, `event` its type, `data` the whole notification \
        as in `Notification`. `Last-Event-ID`, or `after`, resumes with nothing lost or repeated. Without \
        either it begins now, and says where that is: a first block with an `id` and no `data`, which an \
        EventSource keeps without an event. Who resumes with it misses nothing, even if the connection was \
        lost before the first notification. With `types` other notifications are left out; where one is, a \
        block with its `id` and no `data` keeps the position. An id above the newest one is of another \
        database, or from before a restore: the stream then begins now, and its first block has a comment \
        that says so, and the `id` from which it goes on. After 15 seconds of silence a comment comes; with \
        `heartbeat=event` an event `heartbeat` follows it, with `data: {}` and without `id`. The stream \
        ends when the token is replaced. The first block has a `retry`, which differs between streams: wait \
        so many milliseconds before you reconnect. A server that is starting or busy answers with an empty \
        stream, which has a later `retry` and no complete block. If the account has as many streams as it \
        may have, the oldest one ends with an event `replaced`, which is no notification: do not reconnect \
        after it by yourself. An account replaces one stream a minute; further ones are refused with 429.
        """

    private static let aboutSocket = """
        The room's WebSocket (RFC 6455, version 13). `socketUrl` is a ready address with a ticket; an API \
        token works too, in its place or as a further subprotocol (`letsswitch.v2, token.<token>`), which is \
        never confirmed.

        Without a subprotocol it speaks version 1: the server sends binary frames `{"type":"handshake"}` \
        and, for an ale of another member, `{"type":"aleResponse"}`; the client sends \
        `{"type":"ale","id":"<room id>"}`.

        With `letsswitch.v2` it speaks version 2, text frames; the messages are the schemas \
        `SocketClientMessage` and `SocketServerMessage` of this document (version 1: \
        `SocketClientMessageV1`, `SocketServerMessageV1`). From the server: `handshake` (`room`, `you`, \
        `epoch`, `seq`, `recovered`, `now`, `startsAt`, `closesAt`, `pingSeconds`, `members`), `ack` \
        (`messageId`, `seq`), `aleResponse` (`from`, `seq`, `at`), `presence` (`member`, `present`), \
        `members` (`members`), `checkIn` (`member`, `checkIn`) and `outcome` (`member`, `outcome`, `note` \
        where there is one) when a member says something, to every device, and with `null` where it was \
        taken back, `moved` (`id`, `socketUrl`), `roomClosed`, `announcement` (`text`, `at`) of whoever \
        runs the service, and `error` (`code`, `detail`, `messageId`). From the client: `ale` (`id`, \
        `messageId`, both optional), and `status` (`status`: \
        `getting-ready`, `ready`, or null), which the server tells everybody as `status` (`member`, \
        `status`) and keeps in `members` for whoever comes later, until the room closes; and `ping`, which \
        is answered with `pong`, for pages, which see no pings of the WebSocket. With `epoch` and \
        `since` of an earlier connection what was missed comes first. Ignore types that you do not know.

        With `merge=1` ales of one member that wait because you read slowly come as one `aleResponse`, with \
        `first`, `count` and at times `since`: see `SocketMergedAles`. Missed ales never do. With `ping` the \
        server pings at that interval instead of its own, and closes after two and a half of them in silence.

        Close codes: 1000 the room closed; 1001, 1012 reconnect with jitter; 1002, 1003, 1007, 1009 protocol \
        error; 1008 no longer allowed in; 1013, 4101, 4102 back off; 4200 the match goes on in another room, \
        or the room at another server: reconnect at once, to the `socketUrl` of `moved`. Where its `id` is \
        the same room's, keep `epoch` and `since`. The reason may be `retryAfterMs=N`.
        """

    static var events: JSONNode {
        operation(
            "streamNotifications", "Notifications as they happen.",
            parameters: [
                query("after", "Begin behind this id.", count), types,
                query(
                    StreamHeartbeat.parameter, "event: the event `heartbeat` comes with each comment.",
                    choice([StreamHeartbeat.value])),
                [
                    "name": "Last-Event-ID", "in": "header", "required": false,
                    "description": "The same; what an EventSource sends by itself.", "schema": count,
                ],
            ],
            answers: ["200": answer("A stream that does not end.", mediaType: "text/event-stream")]
        ).adding(["description": .string(aboutEvents)])
    }

    static var socket: JSONNode {
        operation(
            "openSocket", "Enter a room.", access: .ticket,
            parameters: [
                query("id", "The room's id.", uuid, required: true),
                query("epoch", "Of an earlier connection, to go on from there.", ["type": "string"]),
                query("since", "The last `seq` of that epoch that was received.", count),
                query(
                    "merge", "1: ales that wait for a slow reader are merged; version 2 only.",
                    choice(["0", "1"])),
                query(
                    "ping", "The seconds between two pings of the server; its own choice without.",
                    [
                        "type": "integer", "minimum": .integer(Limits.pingSeconds.lowerBound),
                        "maximum": .integer(Limits.pingSeconds.upperBound),
                    ]),
                [
                    "name": "Sec-WebSocket-Protocol", "in": "header", "required": false,
                    "description": "`letsswitch.v2`; anything else gets version 1.",
                    "schema": ["type": "string"],
                ],
            ],
            answers: ["101": empty("The connection is a WebSocket from here on.")],
            problems: [.notFound, .gone, .upgradeRequired, .tooManyDevices, .draining]
        ).adding(["description": .string(aboutSocket)])
    }
}
