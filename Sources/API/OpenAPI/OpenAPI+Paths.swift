import Contract

extension OpenAPI {
    /// The descriptions of all calls, by path and then by method in lower case.
    static let paths: [String: [String: JSONNode]] = described.reduce(into: [:]) { paths, described in
        var operations = described.value
        // The secret of a session is in a header field, and another session does no harm.
        if described.key != Routes.session, let post = operations["post"] {
            operations["post"] = keyed(
                post,
                least: [Routes.users, Routes.recover].contains(described.key)
                    ? IdempotencyKeyField.leastWithoutAccount : 1)
        }
        paths[described.key] = operations
    }

    private static let described: [String: [String: JSONNode]] =
        accounts.merging(tokens) { one, _ in one }.merging(registrations) { one, _ in one }
        .merging(routinePaths) { one, _ in one }.merging(meetings) { one, _ in one }
        .merging(people) { one, _ in one }.merging(service) { one, _ in one }
        .merging(endpointPaths) { one, _ in one }.merging(calendarPaths) { one, _ in one }
        .merging(exportPaths) { one, _ in one }
        .merging(invitePaths) { one, _ in one }

    package static let limit = query(
        "limit", "How many at most.", ["type": "integer", "minimum": 1, "maximum": 200, "default": 50])

    static let cursor = query(
        "cursor", "`nextCursor` of the page before.", ["type": "string"])

    private static let notificationID: JSONNode = [
        "type": "integer", "format": "int64", "minimum": 0, "maximum": .integer(Int(Int64.max)),
    ]

    private static let after = query(
        "after", "Only what has a greater id.", notificationID)

    private static let before = query(
        "before", "Only what has a smaller id.", notificationID)

    private static let order = query(
        "order", "`asc`: oldest first. `desc`: newest first.",
        ["type": "string", "enum": ["asc", "desc"], "default": "asc"])

    /// The parameter that chooses notifications by their type.
    static let types: JSONNode = query(
        "types", "Only these types, separated by commas; all by default. One that is not known is a 400.",
        list(choice(NotificationType.allCases.map(\.rawValue))).adding(["minItems": 1])
    ).adding(["style": "form", "explode": false])

    private static let aboutPage = """
        One page. The next one is asked for with its last id: as `after`, or with `order=desc` as `before`. \
        An app that has lost its position reads the newest first, and resumes the stream after the greatest \
        id.
        """

    private static var accounts: [String: [String: JSONNode]] {
        [
            Routes.users: [
                "post": operation(
                    "signUp", "Make an account. The token and the recovery code are shown this once.",
                    access: .everybody, body: "NewUser",
                    answers: [
                        "201": answer("The account, its main token and its recovery code.", "SignedUp")
                    ],
                    problems: [.crossSite])
            ],
            Routes.me: [
                "get": operation(
                    "readAccount", "Your account.", parameters: [ifNoneMatch],
                    answers: tagged("200", "The account.", "UserAnswer")),
                "patch": operation(
                    "changeAccount", "Change your name or time zone.", parameters: [ifMatch, prefer],
                    body: "UserPatch", answers: changed("The account as it is now.", "UserAnswer"),
                    problems: [.notFound, .preconditionFailed]),
                "delete": operation(
                    "deleteAccount",
                    "Delete your account. In what others keep you become \"former user\", with neither task "
                        + "nor tag.",
                    answers: ["204": empty("It is gone.")]),
            ],
            Routes.token: [
                "post": operation(
                    "replaceToken",
                    "Get another main token. The old one stays valid until the new one is used for the first "
                        + "time: then it "
                        + "ends, with every ticket, socket and stream under it. There is one new token "
                        + "at most, so "
                        + "asking again replaces it; one that is not used for 24 hours expires, and the "
                        + "old one stays. "
                        + "Store the new token before you use it. Other tokens of the account stay.",
                    answers: ["201": answer("The new token.", "Token")], problems: [.conflict])
            ],
        ]
    }

    private static var registrations: [String: [String: JSONNode]] {
        let id = path("id", "The registration's id.")
        return [
            Routes.slots: [
                "get": operation(
                    "listSlots", "The slots of a local day, as they stand for you.",
                    parameters: [
                        query("date", "The day; today by default.", ["type": "string", "format": "date"]),
                        query("timeZone", "An IANA name; yours by default.", ["type": "string"]),
                        query(
                            "minutes",
                            "Slots of this length, one of `lengths`, by default the first. Ignored where the "
                                + "server has slots of one length only.", minutes()),
                        ifNoneMatch, acceptLanguage,
                    ],
                    answers: taggedTexts("Every slot that starts on that day.", "SlotList"),
                    problems: [.timeZoneUnknown])
            ],
            Routes.registrations: [
                "post": operation(
                    "register",
                    "Declare one task for one to 48 slots: all or none. Or for the slot of somebody who has "
                        + "invited you: you share a room, unless either has blocked the other.",
                    parameters: [prefer],
                    body: "NewRegistration",
                    answers: [
                        "201": answer(
                            "The registrations, in the order of the slots. With one slot, Location too.",
                            "RegistrationList",
                            headers: ["Location": ["schema": ["type": "string"]]])
                    ],
                    problems: [
                        .notFound, .alreadyRegistered, .overlaps, .tooLate, .inviteUnusable, .attendance,
                        .tooManyRegistrations, .timeZoneUnknown,
                    ]),
                "get": operation(
                    "listRegistrations",
                    "Your registrations, by slot. Those older than the server's RETENTION_DAYS are "
                        + "listed no longer.",
                    parameters: [
                        query("from", "Slots that start then or later.", time),
                        query("to", "Slots that start before.", time),
                        query("state", "Only those in this state.", reference("RegistrationState")),
                        limit, cursor, ifNoneMatch,
                    ],
                    answers: taggedPage("RegistrationList")),
            ],
            Routes.registrations + "/{id}": [
                "get": operation(
                    "readRegistration", "One of your registrations.", parameters: [id, ifNoneMatch],
                    answers: tagged("200", "The registration.", "Registration"), problems: [.notFound]),
                "patch": operation(
                    "changeRegistration",
                    "Change task, tag, `with` or `quiet` until the room opens. Then say something to the "
                        + "room: `checkIn` until the session ends, `outcome` with a `note` from its start "
                        + "until 24 hours after its end. `null` takes it back; without an outcome there is "
                        + "no note. Everybody in the room sees it.",
                    parameters: [id, ifMatch, prefer], body: "RegistrationPatch",
                    answers: changed("The registration as it is now.", "Registration"),
                    problems: [.notFound, .conflict, .preconditionFailed]),
                "delete": operation(
                    "cancelRegistration", "Cancel; again is fine, and 409 once it is over.", parameters: [id],
                    answers: ["204": empty("It is cancelled.")], problems: [.notFound, .conflict]),
            ],
        ]
    }

    private static var meetings: [String: [String: JSONNode]] {
        [
            Routes.rooms: [
                "get": operation(
                    "listRooms", "Your rooms, newest first.", parameters: [limit, cursor, ifNoneMatch],
                    answers: taggedPage("RoomList"))
            ],
            Routes.rooms + "/{id}": [
                "get": operation(
                    "readRoom", "One of your rooms.",
                    parameters: [path("id", "The room's id."), ifNoneMatch],
                    answers: tagged("200", "The room.", "Room"), problems: [.notFound])
            ],
            Routes.notifications: [
                "get": operation(
                    "listNotifications", "What happened, oldest or newest first.",
                    parameters: [after, before, order, types, limit, cursor],
                    answers: ["200": page("NotificationList", Self.aboutPage)])
            ],
            Routes.now: [
                "get": operation(
                    "readNow",
                    "How many people are present in rooms. They are counted once in five seconds at most.",
                    access: .everybody,
                    answers: [
                        "200": answer(
                            "Their number.", "PeopleNow",
                            headers: ["Cache-Control": ["required": true, "schema": ["type": "string"]]])
                    ],
                    problems: [.unsupportedMediaType, .invalid])
            ],
            Routes.timeZones: [
                "get": operation(
                    "listTimeZones",
                    "The IANA names of time zones that the server has rules for. Other names of the same "
                        + "zones are accepted too, and returned as they were given.",
                    access: .everybody, parameters: [ifNoneMatch],
                    answers: tagged("200", "The names, in their order.", "TimeZoneList"),
                    problems: [.unsupportedMediaType, .invalid])
            ],
            Routes.events: ["get": events],
            Routes.socket: ["get": socket],
        ]
    }

    private static var service: [String: [String: JSONNode]] {
        func page(
            _ id: String, _ summary: String, _ mediaType: String, isTagged: Bool = false,
            _ problems: [ProblemName] = []
        ) -> JSONNode {
            // The document is an object, in JSON as in YAML; programs read YAML into values of their own.
            let schema: JSONNode =
                switch mediaType {
                case "application/json": ["type": "object"]
                case "application/yaml": [:]
                default: ["type": "string"]
                }
            var answers = ["200": answer(summary, mediaType: mediaType, schema: schema)]
            if isTagged { answers["304"] = unchanged }
            return operation(
                id, summary, access: .everybody, parameters: isTagged ? [ifNoneMatch] : [],
                answers: answers, problems: problems)
        }
        let name: JSONNode = [
            "name": "name", "in": "path", "required": true,
            "schema": .object(["enum": .array(ProblemName.allCases.map { .string($0.rawValue) })]),
        ]
        return [
            Routes.live: ["get": page("isLive", "The process is up.", "text/plain")],
            Routes.ready: [
                "get": page("isReady", "The database is reachable and migrated.", "text/plain", [.draining])
            ],
            Routes.metrics: ["get": page("readMetrics", "Figures for Prometheus.", "text/plain")],
            Routes.openAPI: [
                "get": page("readOpenAPI", "This document.", "application/json", isTagged: true)
            ],
            Routes.openAPIYAML: [
                "get": page("readOpenAPIYAML", "This document, in YAML.", "application/yaml", isTagged: true)
            ],
            Routes.home: ["get": page("readHome", "What this is, for a person.", "text/html")],
            Routes.problems: ["get": page("listProblems", "All problems, for a person.", "text/html")],
            Routes.problems + "/{name}": [
                "get": page("readProblem", "A problem, for a person.", "text/html", [.notFound])
                    .adding(["parameters": [name]])
            ],
        ]
    }
}
