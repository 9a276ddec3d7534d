import Contract

extension OpenAPI {
    static let schemas: [String: JSONNode] =
        requests.merging(answers) { one, _ in one }.merging(notifications) { one, _ in one }
        .merging(tokenSchemas) { one, _ in one }.merging(peopleSchemas) { one, _ in one }
        .merging(endpoints) { one, _ in one }.merging(calendarSchemas) { one, _ in one }
        .merging(routineSchemas) { one, _ in one }
        .merging(exportSchemas) { one, _ in one }
        .merging(inviteSchemas) { one, _ in one }
        .merging(socketSchemas) { one, _ in one }

    /// Returns the schema of an object in an answer: later versions may add members.
    static func object(
        _ required: [String: JSONNode], optional: [String: JSONNode] = [:]
    ) -> JSONNode {
        [
            "type": "object", "properties": .object(required.merging(optional) { one, _ in one }),
            "required": .array(required.keys.sorted().map { .string($0) }),
        ]
    }

    /// Returns the schema of an object in a request: another member is an error.
    static func request(
        _ required: [String: JSONNode], optional: [String: JSONNode] = [:]
    ) -> JSONNode {
        object(required, optional: optional).adding(["additionalProperties": false])
    }

    package static func text(_ rule: TextRule, orNull: Bool = false) -> JSONNode {
        let (least, most) = (rule.length.lowerBound, rule.length.upperBound)
        return [
            "type": orNull ? (["string", "null"] as JSONNode) : "string", "pattern": .string(pattern(rule)),
            "description": "\(least) to \(most) characters, white space at both ends not counted.",
        ]
    }

    /// Returns the schema of the length of a slot.
    static func minutes(orNull: Bool = false) -> JSONNode {
        [
            "type": orNull ? (["integer", "null"] as JSONNode) : "integer", "minimum": 1,
            "maximum": .integer(SlotKey.mostMinutes),
        ]
    }

    /// The language of an account; null for none.
    private static let language: JSONNode = [
        "anyOf": [choice(Language.allCases.map(\.rawValue)), ["type": "null"]]
    ]

    /// Returns the regular expression (ECMA-262) of the texts that a rule accepts: from the first visible
    /// character to the last one no control characters and line breaks.
    private static func pattern(_ rule: TextRule) -> String {
        let space =
            #"\u0009-\u000d \u0085\u00a0\u1680\u2000\u2001\u2002\u2003\u2004"#
            + #"\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000"#
        let ends = #"\u007f-\u009f\u2028\u2029"#
        let controls = #"\u0000-\u001f"# + ends
        let within = rule.hasLines ? #"\u0000-\u0009\u000b-\u001f"# + ends : controls
        let visible = "[^\(controls)\(space)]"
        let most = rule.length.upperBound - 2
        return "^[\(space)]*\(visible)([^\(within)]{0,\(most)}\(visible))?[\(space)]*$"
    }

    package static func list(_ items: JSONNode) -> JSONNode { ["type": "array", "items": items] }
    static func choice(_ values: [String]) -> JSONNode {
        ["type": "string", "enum": .array(values.map { .string($0) })]
    }

    /// Returns the schema of a text in an answer: one of these values, or one that a later version adds.
    static func open(_ values: [String]) -> JSONNode {
        [
            "type": "string", "examples": .array(values.map { .string($0) }),
            "description": "The values of this version are listed. Later versions may add values.",
        ]
    }

    static func open<Values: CaseIterable & RawRepresentable<String>>(_: Values.Type) -> JSONNode {
        open(Values.allCases.map(\.rawValue))
    }

    static let string: JSONNode = ["type": "string"]
    static let bool: JSONNode = ["type": "boolean"]
    private static let truth = bool.adding(["description": "True, or left out."])
    private static let company = choice(Company.allCases.map(\.rawValue)).adding([
        "description": .string(
            "`favourites`: meet nobody but favourites of yours, and people paired with you by an invite; "
                + "if none is there, be alone.")
    ])
    private static let quiet = bool.adding(["description": "Whether you want no ales, and are sent none."])
    private static let optionalText: JSONNode = ["type": ["string", "null"]]
    private static let optionalID: JSONNode = ["type": ["string", "null"], "format": "uuid"]

    private static var requests: [String: JSONNode] {
        let starts: JSONNode = [
            "type": "array", "minItems": 1, "maxItems": 48, "uniqueItems": true, "items": time,
            "description": "Starts of slots.",
        ]
        let walls: JSONNode = [
            "type": "array", "minItems": 1, "maxItems": 48, "uniqueItems": true,
            "items": [
                "type": "string",
                "pattern": "^[0-9]{4}-[0-9]{2}-[0-9]{2}T([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9])?$",
            ],
            "description": "The same as local times; gaps and overlaps as in RFC 5545 §3.3.5.",
        ]
        let registration: [String: JSONNode] = [
            "tag": text(.tag, orNull: true), "minutes": minutes(orNull: true), "with": company,
            "quiet": quiet,
        ]
        return [
            "NewUser": request(
                ["name": text(.name)],
                optional: [
                    "timeZone": text(.timeZone, orNull: true), "language": language,
                ]),
            "UserPatch": request(
                [:],
                optional: [
                    "name": text(.name), "timeZone": text(.timeZone), "language": language,
                ]),
            // Several schemas instead of one with conditions: programs that write clients understand these.
            "NewRegistration": [
                "oneOf": [
                    reference("NewRegistrationAtInstants"), reference("NewRegistrationAtLocalTimes"),
                    reference("NewRegistrationByInvite"),
                ],
                "description": .string(
                    "`minutes` is one of the `lengths` of `GET /v1/slots`, by default the first; a server "
                        + "that tells none there takes none here."),
            ],
            "NewRegistrationAtInstants": request(
                ["task": text(.task), "slots": starts], optional: registration),
            "NewRegistrationAtLocalTimes": request(
                ["task": text(.task), "localSlots": walls],
                optional: registration.merging(["timeZone": text(.timeZone, orNull: true)]) { one, _ in one }
            ).adding(["description": "`timeZone` is yours by default."]),
            "NewRegistrationByInvite": request(
                ["task": text(.task), "invite": text(.inviteCode)],
                optional: ["tag": text(.tag, orNull: true), "with": company, "quiet": quiet]
            ).adding(["description": "`invite` is the code of somebody else's slot."]),
            "RegistrationPatch": registrationPatch,
        ]
    }

    /// Either what was declared, or what is said about the session; a note goes with an outcome.
    private static var registrationPatch: JSONNode {
        func any(of names: String...) -> JSONNode {
            ["anyOf": .array(names.map { ["required": [.string($0)]] })]
        }
        let noteWithout: JSONNode = [
            "properties": ["outcome": ["type": "null"], "note": ["type": "string"]],
            "required": ["outcome", "note"],
        ]
        return request(
            [:],
            optional: [
                "task": text(.task), "tag": text(.tag, orNull: true), "checkIn": text(.checkIn, orNull: true),
                "outcome": ["anyOf": [reference("SessionOutcome"), ["type": "null"]]],
                "note": text(.note, orNull: true), "with": company, "quiet": quiet,
            ]
        ).adding([
            "not": [
                "anyOf": [
                    [
                        "allOf": [
                            any(of: "task", "tag", "with", "quiet"), any(of: "checkIn", "outcome", "note"),
                        ]
                    ], noteWithout,
                ]
            ],
            "description": "`task`, `tag`, `with` and `quiet` until the room opens; the others after that.",
        ])
    }

    /// The words of a member about a session.
    private static var words: [String: JSONNode] {
        ["checkIn": string, "outcome": open(SessionOutcome.self), "note": string]
    }

    private static let closedBy = open(RoomCloser.self).adding([
        "description": "`operator` if an operator closed your room before the end of the slot."
    ])

    private static var answers: [String: JSONNode] {
        [
            "User": object(
                ["id": uuid, "name": string, "timeZone": string, "createdAt": time],
                optional: ["language": string]),
            "UserAnswer": object(["user": reference("User")]),
            "SignedUp": object(["user": reference("User"), "token": string, "recoveryCode": string]),
            "Token": object(["token": string]),
            "Slot": object(["startsAt": time, "endsAt": time]),
            "SlotState": open(SlotState.self),
            "SlotView": object(
                [
                    "startsAt": time, "endsAt": time, "localTime": string,
                    "state": reference("SlotState"), "message": string, "others": count,
                ],
                optional: [
                    "utcOffset": string.adding(["description": "The offset of `localTime`, such as +05:30."]),
                    "registrationId": uuid, "roomId": uuid, "closedBy": closedBy,
                    "task": string.adding(["description": "Yours, where you are registered."]),
                    "partners": list(reference("Partner")).adding([
                        "description": "The others in your room, once it is open."
                    ]),
                ]),
            "SlotList": object(
                [
                    "date": ["type": "string", "format": "date"], "timeZone": string,
                    "slots": list(reference("SlotView")),
                ],
                optional: ["minutes": minutes(), "lengths": list(minutes())]),
            "RegistrationState": choice(RegistrationState.allCases.map(\.rawValue)),
            "Registration": object(
                [
                    "id": uuid, "slot": reference("Slot"), "task": string, "tag": optionalText,
                    "state": open(RegistrationState.self), "roomId": optionalID, "createdAt": time,
                    "updatedAt": time,
                ],
                optional: words.merging([
                    "adjusted": open(["gap", "overlap"]), "routineId": uuid,
                    "with": open([Company.favourites.rawValue]), "quiet": truth,
                ]) { one, _ in one }),
            "RegistrationList": object(
                ["registrations": list(reference("Registration"))], optional: ["nextCursor": string]),
            "SessionOutcome": choice(SessionOutcome.allCases.map(\.rawValue)),
            "Member": object(
                [
                    "id": uuid, "name": string, "task": optionalText, "tag": optionalText, "you": bool,
                    "present": bool,
                ],
                optional: words.merging(["quiet": truth, "status": reference("MemberStatus")]) { one, _ in one
                }),
            "Room": object(
                [
                    "id": uuid, "slot": reference("Slot"), "opensAt": time, "closesAt": time,
                    "socketUrl": string, "members": list(reference("Member")), "ales": count,
                ], optional: ["closedBy": closedBy]),
            "TimeZoneList": object(["timeZones": list(string)]),
            "PeopleNow": object(["time": time, "peopleInRooms": count]),
            "RoomList": object(["rooms": list(reference("Room"))], optional: ["nextCursor": string]),
        ]
    }

    /// The data of the notifications that this version knows, those with the most members first: a client
    /// takes the first that fits.
    static var notificationData: [JSONNode] {
        ["RoomNews", "SessionSummary", "SlotDetails", "Session", "Announced"].map { reference($0) }
    }

    private static var notifications: [String: JSONNode] {
        let partners = list(reference("Partner"))
        let fields: [String: JSONNode] = ["pointer": string, "detail": string]
        return [
            "Partner": object(
                ["id": uuid, "name": string, "task": optionalText, "tag": optionalText],
                optional: ["quiet": truth]),
            "RoomNews": object([
                "registrationId": uuid, "roomId": uuid, "startsAt": time, "closesAt": time,
                "socketUrl": string, "partners": partners,
            ]),
            "Session": object(
                ["registrationId": uuid, "startsAt": time], optional: ["roomId": uuid]),
            "SessionSummary": object([
                "registrationId": uuid, "roomId": uuid, "startsAt": time, "alesSent": count,
                "alesReceived": count,
                "partners": partners,
            ]),
            "SlotDetails": object(["registrationId": uuid, "startsAt": time, "endsAt": time]),
            "Announced": object(["text": string]),
            "Notification": object([
                "id": count, "type": open(NotificationType.self), "createdAt": time,
                "data": [
                    "anyOf": .array(notificationData + [["type": "object"]]),
                    "description": .string(
                        "RoomNews for room.*, Session for session.missed and session.lapsed, "
                            + "SessionSummary for session.completed, SlotDetails for slot.*, "
                            + "Announced for announcement. "
                            + "Each names its room, where there was one."),
                ],
            ]),
            "NotificationList": object(
                ["notifications": list(reference("Notification"))], optional: ["nextCursor": string]),
            "Problem": object(
                [
                    "type": open(ProblemName.allCases.map(\.path)), "title": string,
                    "status": ["type": "integer"], "detail": string, "instance": string,
                ],
                optional: [
                    "errors": list(object(fields)),
                    "violated-policies": list(open(QuotaPolicy.self)),
                    "reason": string, "until": time,
                ]),
        ]
    }
}
