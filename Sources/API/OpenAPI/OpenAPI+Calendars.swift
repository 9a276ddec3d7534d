import Contract

extension OpenAPI {
    /// The calls for calendars.
    static var calendarPaths: [String: [String: JSONNode]] {
        let tag: JSONNode = ["required": true, "schema": ["type": "string"]]
        let file = answer(
            "The calendar (RFC 5545, RFC 7986): registrations since 30 days ago, at most 2,000, those to "
                + "come first and cancelled ones last. A cancelled one is shown with "
                + "`STATUS:CANCELLED` until seven days after the next reading, and for 30 days at most. "
                + "`SEQUENCE` grows by one with each change.", mediaType: "text/calendar")
        return [
            Routes.calendars: [
                "post": operation(
                    "addCalendar",
                    "Make a secret address from which calendar programs read your registrations. It shows "
                        + "nothing else, changes nothing, and can be taken back.",
                    answers: ["201": answer("The calendar; its address is shown this once.", "Calendar")],
                    problems: [.limitReached]),
                "get": operation(
                    "listCalendars", "Your calendars, oldest first, without their addresses.",
                    parameters: [limit, cursor],
                    answers: ["200": page("CalendarList")]),
            ],
            Routes.calendars + "/{id}": [
                "delete": operation(
                    "removeCalendar", "Take a calendar back: its address leads nowhere any more.",
                    parameters: [path("id", "The calendar's id.")],
                    answers: ["204": empty("It is gone.")], problems: [.notFound])
            ],
            Routes.calendarFiles + "/{secret}": [
                "get": operation(
                    "readCalendar", "Read a calendar. The address is the only key that it needs.",
                    access: .everybody,
                    parameters: [
                        [
                            "name": "secret", "in": "path", "required": true,
                            "description": "The secret, and `.ics`.",
                            "schema": ["type": "string", "pattern": "^[A-Za-z0-9_-]{43}[.]ics$"],
                        ],
                        ifNoneMatch,
                    ],
                    answers: [
                        "200": file.adding(["headers": ["ETag": tag]]),
                        "304": empty("It is as you have it.").adding(["headers": ["ETag": tag]]),
                    ], problems: [.notFound])
            ],
        ]
    }

    static var calendarSchemas: [String: JSONNode] {
        [
            "Calendar": object(
                ["id": uuid, "createdAt": time],
                optional: ["lastReadAt": time, "url": string, "webcal": string]
            ).adding([
                "description":
                    "`url` and `webcal`, which are one address, are only in the answer that makes it."
            ]),
            "CalendarList": object(
                ["calendars": list(reference("Calendar"))], optional: ["nextCursor": string]),
        ]
    }
}
