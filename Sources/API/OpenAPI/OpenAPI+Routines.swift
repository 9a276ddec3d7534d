import Contract

extension OpenAPI {
    private static let day: JSONNode = ["type": "string", "format": "date"]

    private static let clock: JSONNode = [
        "type": "string", "pattern": "^([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9])?$",
        "description": "A time of day, like `09:00`. A slot has to start then.",
    ]

    private static let rule: JSONNode = [
        "type": "string", "maxLength": 200,
        "description": .string(
            "A rule of RFC 5545 §3.3.10, like `FREQ=WEEKLY;BYDAY=MO,FR`: `FREQ` is `DAILY` or `WEEKLY`; "
                + "`INTERVAL`, `BYDAY`, `WKST`, and `COUNT` or `UNTIL` (a local day, like `20270331`) may "
                + "follow. Everything else is refused by its name."),
    ]

    /// The calls for tasks that are registered again and again.
    static var routinePaths: [String: [String: JSONNode]] {
        let id = path("id", "The routine's id.")
        let location = spoken.merging(["Location": ["schema": ["type": "string"]]]) { one, _ in one }
        return [
            Routes.routines: [
                "post": operation(
                    "makeRoutine",
                    "Declare a task that is registered again and again, as far ahead as one may register. A "
                        + "day for which that is not possible is listed in `problems`, and tried again where "
                        + "a place may become free. 20 at most.",
                    parameters: [prefer, acceptLanguage], body: "NewRoutine",
                    answers: [
                        "201": answer(
                            "The routine, whose registrations are made.", "Routine", headers: location)
                    ],
                    problems: [.timeZoneUnknown, .limitReached]),
                "get": operation(
                    "listRoutines", "Your routines, oldest first.",
                    parameters: [limit, cursor, acceptLanguage],
                    answers: ["200": page("RoutineList", headers: spoken)]),
            ],
            Routes.routines + "/{id}": [
                "get": operation(
                    "readRoutine", "One of your routines.", parameters: [id, ifNoneMatch, acceptLanguage],
                    answers: taggedTexts("The routine.", "Routine"), problems: [.notFound]),
                "patch": operation(
                    "changeRoutine",
                    "Change a routine from a day on: registrations that fit stay, and get its task; others "
                        + "are cancelled, and made anew. A pause cancels those ahead. A registration stays "
                        + "whose room opens within half a minute.",
                    parameters: [id, ifMatch, prefer, acceptLanguage], body: "RoutinePatch",
                    answers: changed("The routine as it is now.", "Routine", headers: spoken),
                    problems: [.notFound, .timeZoneUnknown, .preconditionFailed]),
                "delete": operation(
                    "deleteRoutine",
                    "End a routine. Its registrations ahead are cancelled, but for those whose room opens "
                        + "within half a minute.",
                    parameters: [
                        id,
                        query(
                            "registrations", "`keep`: the registrations ahead stay.",
                            ["type": "string", "enum": ["cancel", "keep"], "default": "cancel"]),
                    ],
                    answers: ["204": empty("It is gone.")], problems: [.notFound]),
            ],
            Routes.routines + "/{id}/skips": [
                "post": operation(
                    "skipDay", "Leave one day out: its registration is cancelled. Again is fine.",
                    parameters: [id, prefer, acceptLanguage], body: "NewSkip",
                    answers: ["201": answer("The routine as it is now.", "Routine", headers: location)],
                    problems: [.notFound, .conflict, .timeZoneUnknown, .limitReached])
            ],
            Routes.routines + "/{id}/skips/{date}": [
                "delete": operation(
                    "unskipDay",
                    "Take back that a day is left out, also by cancelling its registration: it is registered "
                        + "again.",
                    parameters: [
                        id,
                        [
                            "name": "date", "in": "path", "required": true, "description": "The day.",
                            "schema": day,
                        ],
                    ],
                    answers: ["204": empty("It is no longer left out.")],
                    problems: [.notFound, .timeZoneUnknown])
            ],
        ]
    }

    static var routineSchemas: [String: JSONNode] {
        let zone = text(.timeZone, orNull: true)
        return [
            "NewRoutine": request(
                ["task": text(.task), "rrule": rule, "localTime": clock],
                optional: [
                    "tag": text(.tag, orNull: true), "timeZone": zone,
                    "startDate": [
                        "type": ["string", "null"], "format": "date",
                        "description": .string(
                            "The first day that may be one of the rule, today by default: `INTERVAL` and "
                                + "`COUNT` go from it. It is an occurrence only if the rule has it."),
                    ],
                    "exdates": [
                        "type": "array", "maxItems": .integer(Limits.exdates), "uniqueItems": true,
                        "items": day,
                        "description": "The days that are left out (EXDATE). `COUNT` counts them.",
                    ],
                ]
            ).adding(["description": "`timeZone` is yours by default."]),
            "RoutinePatch": request(
                [:],
                optional: [
                    "task": text(.task), "tag": text(.tag, orNull: true), "rrule": rule, "localTime": clock,
                    "timeZone": text(.timeZone),
                    "from": day.adding([
                        "description": .string(
                            "The first day for which the change holds, today by default. Another rule "
                                + "counts from there. While `FREQ` and `INTERVAL` stay, the days or weeks "
                                + "that the interval takes stay too (RFC 5545 §3.8.5.3).")
                    ]),
                    "paused": ["type": "boolean"],
                ]),
            "NewSkip": request(["date": day]),
            "RoutineOccurrence": object(
                [
                    "date": day, "startsAt": time,
                    "state": open(RoutineOccurrence.State.self),
                ],
                optional: [
                    "registrationId": uuid, "adjusted": open(["gap", "overlap"]), "detail": string,
                ]),
            "Routine": object(
                [
                    "id": uuid, "task": string, "rrule": string, "localTime": string, "timeZone": string,
                    "startDate": day, "exdates": list(day),
                    "state": open(Routine.State.self), "createdAt": time,
                    "updatedAt": time, "next": list(reference("RoutineOccurrence")),
                    "problems": list(reference("RoutineOccurrence")),
                ],
                optional: ["tag": string]
            ).adding([
                "description": .string(
                    "`next`: the next \(Limits.nextOccurrences) occurrences. `problems`: those ahead, and of "
                        + "the last 30 days, for which nothing could be registered. `exdates`: the days "
                        + "ahead that are left out.")
            ]),
            "RoutineList": object(
                ["routines": list(reference("Routine"))], optional: ["nextCursor": string]),
        ]
    }
}
