import Contract

extension OpenAPI {
    static var endpointPaths: [String: [String: JSONNode]] {
        let id = path("id", "The endpoint's id.")
        return [
            Routes.endpoints: [
                "post": operation(
                    "addEndpoint", "Have your notifications sent somewhere.", body: "NewEndpoint",
                    answers: [
                        "201": answer(
                            "The endpoint; with a webhook, the secret that signs, shown this once.",
                            "Endpoint", headers: ["Location": ["schema": ["type": "string"]]])
                    ],
                    problems: [.conflict, .limitReached]
                ).adding(["description": .string(aboutEndpoints)]),
                "get": operation(
                    "listEndpoints", "Your endpoints, oldest first, with their latest outcomes.",
                    answers: ["200": answer("All of them.", "EndpointList")]),
            ],
            Routes.endpoints + "/{id}": [
                "get": operation(
                    "readEndpoint", "One of your endpoints.", parameters: [id],
                    answers: ["200": answer("The endpoint.", "Endpoint")], problems: [.notFound]),
                "delete": operation(
                    "removeEndpoint", "Send nothing there any more.", parameters: [id],
                    answers: ["204": empty("It is gone.")], problems: [.notFound]),
            ],
            Routes.endpoints + "/{id}/test": [
                "post": operation(
                    "testEndpoint", "Send a notification of the type `test` there, at once.",
                    parameters: [id],
                    answers: ["200": answer("What came of it.", "EndpointOutcome")],
                    problems: [.notFound, .conflict])
            ],
            Routes.endpoints + "/{id}/secret": [
                "post": operation(
                    "replaceSecret",
                    "Get another secret for a webhook. For 24 hours messages are signed with both.",
                    parameters: [id],
                    answers: ["201": answer("The new secret, shown this once.", "EndpointSecret")],
                    problems: [.notFound])
            ],
            Routes.pushKey: [
                "get": operation(
                    "readPushKey", "What browsers subscribe with: their `applicationServerKey`.",
                    access: .everybody, answers: ["200": answer("The key.", "PushKey")],
                    problems: [.notFound])
            ],
        ]
    }

    private static let aboutEndpoints = """
        A webhook gets each notification as a POST, signed as Standard Webhooks 1.0 has it: `webhook-id` (the same \
        over all attempts), `webhook-timestamp`, `webhook-signature`, and the body `{"type", "timestamp", "data"}`. \
        Any 2xx within 15 seconds means that it arrived. Else it is tried again after 5 s, 5 min, 30 min, 2 h, 5 h, \
        10 h, 14 h, 20 h and 24 h, as long as it is of use; `Retry-After` is obeyed; 410 ends the endpoint, and so do \
        five days in which every attempt fails. Redirects are not followed.

        Deliveries come at least once: one that has the `webhook-id` of an earlier one is the same.
        """

    static var endpoints: [String: JSONNode] {
        let types = list(choice(NotificationType.allCases.map(\.rawValue)))
        let kind = choice(EndpointKind.allCases.map(\.rawValue))
        let environment = choice(PushEnvironment.allCases.map(\.rawValue))
        let count: JSONNode = ["type": "integer", "minimum": 0]
        return [
            "NewEndpoint": object(
                ["kind": kind],
                optional: [
                    "url": text(.url), "deviceToken": text(.deviceToken), "environment": environment,
                    "p256dh": text(.pushKey), "auth": text(.pushKey),
                    "types": types.adding(["minItems": 1, "uniqueItems": true]),
                ]
            ).adding([
                "description": .string(
                    "`url` goes with webhook and webpush, `p256dh` and `auth` (of a browser's subscription, in "
                        + "base64url) with webpush, `deviceToken` (hexadecimal) and `environment` with apns. "
                        + "`types`: which notifications go there, by default all.")
            ]),
            "Endpoint": object(
                [
                    "id": uuid, "kind": kind, "state": choice(EndpointState.allCases.map(\.rawValue)),
                    "createdAt": time,
                ],
                optional: [
                    "url": string, "deviceToken": string, "environment": environment, "types": types,
                    "reason": string, "failingSince": time, "secret": string,
                    "outcomes": list(reference("EndpointOutcome")),
                ]),
            "EndpointList": object(["endpoints": list(reference("Endpoint"))]),
            "EndpointOutcome": object(
                [
                    "id": string, "type": string, "at": time,
                    "outcome": choice([
                        "delivered", "retried", "exhausted", "refused", "expired", "gone",
                    ]),
                    "detail": string,
                ], optional: ["milliseconds": count]),
            "EndpointSecret": object(["secret": string, "previousUntil": time]),
            "PushKey": object(["publicKey": string]),
        ]
    }
}
