import Contract
import Outbox

extension OpenAPI {
    static var endpointPaths: [String: [String: JSONNode]] {
        let id = path("id", "The endpoint's id.")
        let location = spoken.merging(["Location": ["schema": ["type": "string"]]]) { one, _ in one }
        return [
            Routes.endpoints: [
                "post": operation(
                    "addEndpoint", "Have your notifications sent somewhere.",
                    parameters: [acceptLanguage], body: "NewEndpoint",
                    answers: [
                        "200": answer(
                            "A device or a browser that you have given before. It is active again.",
                            "Endpoint", headers: spoken),
                        "201": answer(
                            "The endpoint; with a webhook, the secret that signs, shown this once.",
                            "Endpoint", headers: location),
                    ],
                    problems: [.recentlyRecovered, .conflict, .limitReached]
                ).adding(["description": .string(aboutEndpoints)]),
                "get": operation(
                    "listEndpoints", "Your endpoints, oldest first, with their latest outcomes.",
                    parameters: [limit, cursor, acceptLanguage],
                    answers: ["200": page("EndpointList", headers: spoken)]),
            ],
            Routes.endpoints + "/{id}": [
                "get": operation(
                    "readEndpoint", "One of your endpoints.", parameters: [id, acceptLanguage],
                    answers: ["200": answer("The endpoint.", "Endpoint", headers: spoken)],
                    problems: [.notFound]),
                "delete": operation(
                    "removeEndpoint", "Send nothing there any more.", parameters: [id],
                    answers: ["204": empty("It is gone.")], problems: [.recentlyRecovered, .notFound]
                ).adding(["description": .string(aboutGuard)]),
            ],
            Routes.endpoints + "/{id}/test": [
                "post": operation(
                    "testEndpoint", "Send a notification of the type `test` there, at once.",
                    parameters: [id, acceptLanguage],
                    answers: ["200": answer("What came of it.", "EndpointOutcome", headers: spoken)],
                    problems: [.notFound, .conflict])
            ],
            Routes.endpoints + "/{id}/replay": [
                "post": operation(
                    "replayEndpoint", "Have failed deliveries made again.", parameters: [id],
                    answers: ["200": answer("How many are made again.", "EndpointReplay")],
                    problems: [.notFound, .conflict]
                ).adding(["description": .string(aboutReplay)])
            ],
            Routes.endpoints + "/{id}/secret": [
                "post": operation(
                    "replaceSecret",
                    "Get another secret for a webhook. For 24 hours messages are signed with both.",
                    parameters: [id],
                    answers: ["201": answer("The new secret, shown this once.", "EndpointSecret")],
                    problems: [.recentlyRecovered, .notFound]
                ).adding(["description": .string(aboutGuard)])
            ],
            Routes.pushKey: [
                "get": operation(
                    "readPushKey", "What browsers subscribe with: their `applicationServerKey`.",
                    access: .everybody, answers: ["200": answer("The key.", "PushKey")],
                    problems: [.notFound])
            ],
        ]
    }

    private static let aboutGuard = """
        For three days after the account was recovered by a code of an operator its endpoints of before stay \
        as they are: 403 `recently-recovered`, with `until`.
        """

    private static let aboutReplay = """
        The latest 1,000 deliveries of the endpoint that failed and have not expired become due again, under \
        their ids, as if they had never been tried. A webhook that its failures have disabled is enabled. A \
        device or a browser that is disabled has to be registered again first, and an endpoint that an \
        operator has disabled stays so: 409.
        """

    private static let aboutEndpoints = """
        A webhook gets each notification as a POST, signed as Standard Webhooks 1.0 has it: `webhook-id` \
        (the same over all attempts), `webhook-timestamp`, `webhook-signature`, and the body `{"type", \
        "timestamp", "data"}`. Any 2xx within 15 seconds means that it arrived. Else it is tried again after \
        5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 14 h, 20 h and 24 h, as long as it is of use; `Retry-After` is \
        obeyed; 410 ends the endpoint, and so do five days in which every attempt fails. Redirects are not \
        followed.

        Where the server verifies webhooks, a new one is `unverified`: nothing goes there but a challenge, \
        signed as everything is, with the type `endpoint.challenge` and `data` `{"endpointId", \
        "challenge"}`. The receiver echoes it: a 2xx whose body is the challenge, as text or as \
        `{"challenge": …}`. A challenge comes when the endpoint is made, with a test, and with each attempt \
        at a delivery, which follows the echo. A browser's endpoint at a push service that the server does \
        not list is `unverified`, too: it gets a push without a payload when it is made and with a test, and \
        no notification until one was answered with 201. Notifications of that time are `refused`, and are \
        not sent later: the list has them.

        A device's token, or a browser's subscription, belongs to the account that gave it last: nothing \
        goes there for another account any more. Giving one again that is yours already answers 200, and \
        what ended it before is forgotten. A webhook that is yours already is a 409.

        Deliveries come at least once: one that has the `webhook-id` of an earlier one is the same. They may \
        overtake each other, since one that fails is tried again while later ones go on. The ids of one \
        endpoint, `msg_N`, have increasing numbers in the order in which things happened: for each \
        `registrationId` keep the greatest number that you have seen, and ignore what has a smaller one. \
        `GET /v1/notifications` is in that order, too.
        """

    /// The requests that the receiver of a webhook gets (OpenAPI 3.1, `webhooks`).
    package static var webhooks: [String: JSONNode] {
        func field(_ name: String, _ about: String) -> JSONNode {
            [
                "name": .string(name), "in": "header", "required": true, "description": .string(about),
                "schema": string,
            ]
        }
        let message: JSONNode = [
            "operationId": "receiveNotification",
            "summary":
                "One of your notifications. It may come more than once, and a later one may come first.",
            "description": .string(aboutEndpoints),
            "security": [],
            "parameters": [
                field(
                    "webhook-id",
                    "The same over all attempts; the greater of two numbers is the later message."),
                field("webhook-timestamp", "When this attempt was sent, in seconds since 1970."),
                field(
                    "webhook-signature", "Signatures of Standard Webhooks, with each secret that is valid."),
            ],
            "requestBody": [
                "required": true,
                "content": ["application/json": ["schema": reference("WebhookMessage")]],
            ],
            "responses": [
                "2XX": ["description": "It has arrived."], "410": ["description": "Send nothing more."],
            ],
        ]
        return ["notification": ["post": message]]
    }

    package static var endpoints: [String: JSONNode] {
        let count: JSONNode = ["type": "integer", "minimum": 0]
        let chosen = list(choice(NotificationType.allCases.map(\.rawValue)))
            .adding(["minItems": 1, "uniqueItems": true])
        let url: JSONNode = [
            "type": "string", "format": "uri", "pattern": "^[Hh][Tt][Tt][Pp][Ss]?://",
            "maxLength": .integer(TextRule.url.length.upperBound),
        ]
        let key: JSONNode = ["type": "string", "pattern": "^[A-Za-z0-9_-]{1,126}={0,2}$"]
        func only(_ kind: EndpointKind) -> JSONNode { ["type": "string", "const": .string(kind.rawValue)] }
        return [
            "NewEndpoint": [
                "oneOf": [reference("NewWebhook"), reference("NewDevice"), reference("NewBrowser")],
                "description": .string(
                    "`types`: which notifications go there, by default all; to a device or a browser "
                        + "`slot.partnered` and `slot.alone` only where they are named. A notice about the "
                        + "security of your account, which is an `announcement`, goes to every endpoint."),
            ],
            "NewWebhook": request(["kind": only(.webhook), "url": url], optional: ["types": chosen]),
            "NewDevice": request(
                [
                    "kind": only(.apns),
                    "deviceToken": ["type": "string", "pattern": "^([0-9A-Fa-f]{2}){32,100}$"],
                ],
                optional: [
                    "types": chosen, "environment": choice(PushEnvironment.allCases.map(\.rawValue)),
                ]),
            "NewBrowser": request(
                [
                    "kind": only(.webpush), "url": url.adding(["pattern": "^[Hh][Tt][Tt][Pp][Ss]://"]),
                    "p256dh": key, "auth": key,
                ],
                optional: ["types": chosen]
            ).adding([
                "description": "The subscription of a browser: its `endpoint`, and its keys in base64url."
            ]),
            "Endpoint": object(
                [
                    "id": uuid, "kind": open(EndpointKind.self), "state": open(EndpointState.self),
                    "createdAt": time,
                ],
                optional: [
                    "url": string, "deviceToken": string, "environment": open(PushEnvironment.self),
                    "types": list(open(NotificationType.self)),
                    "reason": string, "failingSince": time, "secret": string,
                    "outcomes": list(reference("EndpointOutcome")),
                ]),
            "EndpointList": object(
                ["endpoints": list(reference("Endpoint"))], optional: ["nextCursor": string]),
            "EndpointOutcome": object(
                [
                    "id": string, "type": string, "at": time,
                    "outcome": open([
                        "delivered", "retried", "exhausted", "refused", "expired", "gone",
                    ]),
                    "detail": string,
                ], optional: ["milliseconds": count]),
            "EndpointReplay": object(["deliveries": count]),
            "EndpointSecret": object(["secret": string, "previousUntil": time]),
            "PushKey": object(["publicKey": string]),
            "WebhookMessage": object([
                "type": open(
                    NotificationType.allCases.map(\.rawValue) + [
                        DeliveryMessage.testType, DeliveryMessage.challengeType,
                    ]),
                "timestamp": time.adding(["description": "When it happened."]),
                "data": [
                    "anyOf": .array(
                        notificationData + [
                            object(["endpointId": uuid], optional: ["challenge": string]), ["type": "object"],
                        ]),
                    "description":
                        "As in `Notification`; for a test, the endpoint; with a challenge, that too.",
                ],
            ]),
        ]
    }
}
