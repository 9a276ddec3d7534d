import Testing

@testable import API
@testable import BackendTesting
@testable import Contract
@testable import Database

@Suite("The limits and choices of the OpenAPI document")
struct OpenAPILimitTests {
    private static let document = Result { try SchemaCheck().document }
    private static let facts = Result { DescribedFacts(try document.get()) }

    private static func texts(_ values: [String]) -> JSONValue { .array(values.map { .string($0) }) }

    private static func all<Values: CaseIterable & RawRepresentable<String>>(_: Values.Type) -> JSONValue {
        texts(Values.allCases.map(\.rawValue))
    }

    private static func number(_ value: Int) -> JSONValue { .number("\(value)") }

    /// Keyword, value, and the places that have it.
    private static let expected: [(keyword: String, value: JSONValue, places: String)] =
        choices + limits + patterns

    private static let choices: [(keyword: String, value: JSONValue, places: String)] = [
        ("enum", texts(ProblemName.allCases.map(\.rawValue)), "?name"),
        ("examples", all(QuotaPolicy.self), "QuotaExceededProblem.violated-policies"),
        ("enum", all(NotificationType.self), "?types NewBrowser.types NewDevice.types NewWebhook.types"),
        ("examples", all(NotificationType.self), "Endpoint.types"),
        ("examples", all(EndpointKind.self), "Endpoint.kind"),
        ("const", .string(EndpointKind.webhook.rawValue), "NewWebhook.kind"),
        ("const", .string(EndpointKind.apns.rawValue), "NewDevice.kind"),
        ("const", .string(EndpointKind.webpush.rawValue), "NewBrowser.kind"),
        ("examples", all(EndpointState.self), "Endpoint.state"),
        ("enum", all(PushEnvironment.self), "NewDevice.environment"),
        ("examples", all(PushEnvironment.self), "Endpoint.environment"),
        ("enum", all(Language.self), "NewUser.language UserPatch.language"),
        (
            "enum", all(Company.self),
            "NewRegistrationAtInstants.with NewRegistrationAtLocalTimes.with NewRegistrationByInvite.with "
                + "RegistrationPatch.with"
        ),
        ("examples", texts([Company.favourites.rawValue]), "Registration.with"),
        ("enum", all(RegistrationState.self), "RegistrationState"),
        ("examples", all(RegistrationState.self), "Registration.state RegistrationState"),
        ("enum", all(SessionOutcome.self), "SessionOutcome"),
        (
            "examples", all(SessionOutcome.self),
            "Member.outcome Registration.outcome SessionOutcome SocketOutcome.outcome"
        ),
        ("examples", all(SlotState.self), "SlotState"),
        ("examples", all(SignUpWay.self), "PeopleNow.signUps"),
        ("examples", all(RoomCloser.self), "Room.closedBy SlotView.closedBy"),
        ("enum", all(MemberStatus.self), "SocketStatusChange.status"),
        ("examples", all(MemberStatus.self), "MemberStatus"),
        ("examples", all(SocketErrorCode.self), "SocketError.code"),
        ("examples", all(MeetingReason.Kind.self), "MeetingReason.reason"),
        ("examples", all(Routine.State.self), "Routine.state"),
        ("examples", all(RoutineOccurrence.State.self), "RoutineOccurrence.state"),
        ("enum", all(NotificationOrder.self), "?order"),
        ("enum", texts([StreamHeartbeat.value]), "?\(StreamHeartbeat.parameter)"),
    ]

    private static let limits: [(keyword: String, value: JSONValue, places: String)] = {
        let minutes =
            "?minutes NewRegistrationAtInstants.minutes NewRegistrationAtLocalTimes.minutes "
            + "SlotList.lengths SlotList.minutes"
        let slots = "NewRegistrationAtInstants.slots NewRegistrationAtLocalTimes.localSlots"
        let messages =
            "SocketAck.messageId SocketAle.messageId SocketError.messageId SocketPing.messageId "
            + "SocketStatusChange.messageId"
        return [
            ("minimum", number(1), minutes), ("maximum", number(SlotKey.mostMinutes), minutes),
            ("minItems", number(Limits.slotsAtOnce.lowerBound), slots),
            ("maxItems", number(Limits.slotsAtOnce.upperBound), slots),
            ("minLength", number(Limits.messageIdCharacters.lowerBound), messages),
            ("maxLength", number(Limits.messageIdCharacters.upperBound), messages),
            ("minimum", number(Limits.page.lowerBound), "?limit"),
            ("maximum", number(Limits.page.upperBound), "?limit"),
            ("default", number(Limits.defaultPage), "?limit"),
            ("minimum", number(Limits.pingSeconds.lowerBound), "?ping"),
            ("maximum", number(Limits.pingSeconds.upperBound), "?ping"),
            ("maximum", .number("\(Int64.max)"), "?after ?before"),
            ("maxItems", number(Limits.exdates), "NewRoutine.exdates"),
            ("maxLength", number(RecurrenceRuleReader.longest), "NewRoutine.rrule RoutinePatch.rrule"),
            ("maxLength", number(TextRule.url.length.upperBound), "NewBrowser.url NewWebhook.url"),
            ("maxLength", number(TextRule.recoveryCode.length.upperBound), "Recovery.recoveryCode"),
            ("maxLength", number(TextRule.accessCode.length.upperBound), "FirstSignIn.code NewUser.code"),
        ]
    }()

    private static let texts: [(rule: TextRule, places: String)] = [
        (
            .task,
            "NewRegistrationAtInstants.task NewRegistrationAtLocalTimes.task NewRegistrationByInvite.task "
                + "NewRoutine.task RegistrationPatch.task RoutinePatch.task"
        ),
        (
            .tag,
            "NewRegistrationAtInstants.tag NewRegistrationAtLocalTimes.tag NewRegistrationByInvite.tag "
                + "NewRoutine.tag RegistrationPatch.tag RoutinePatch.tag"
        ),
        (.name, "NewToken.name NewUser.name UserPatch.name"),
        (
            .timeZone,
            "NewRegistrationAtLocalTimes.timeZone NewRoutine.timeZone NewUser.timeZone "
                + "RoutinePatch.timeZone UserPatch.timeZone"
        ),
        (.inviteCode, "NewRegistrationByInvite.invite NewUser.invite"),
        (.checkIn, "RegistrationPatch.checkIn"),
        (.note, "RegistrationPatch.note"), (.report, "NewBlock.report"),
    ]

    private static let patterns: [(keyword: String, value: JSONValue, places: String)] = {
        let (device, key) = (TextRule.deviceToken.length, TextRule.pushKey.length)
        let bytes = "{\(device.lowerBound / 2),\(device.upperBound / 2)}"
        return texts.map { ("pattern", .string(pattern($0.rule)), $0.places) } + [
            ("pattern", .string("^([0-9A-Fa-f]{2})\(bytes)$"), "NewDevice.deviceToken"),
            (
                "pattern", .string("^[A-Za-z0-9_-]{1,\(key.upperBound - 2)}={0,2}$"),
                "NewBrowser.auth NewBrowser.p256dh"
            ),
        ]
    }()

    /// The facts of formats, and of words that no type of the code lists.
    private static let others: Set<String> = [
        "?Idempotency-Key pattern", ".Idempotent-Replayed enum", "?merge enum", "?order default",
        "?registrations default", "?registrations enum", "?secret pattern", "?types minItems",
        "EndpointOutcome.outcome examples", "FirstSignIn.code pattern", "NewBrowser.types minItems",
        "NewBrowser.url pattern",
        "NewDevice.types minItems", "NewRegistrationAtLocalTimes.localSlots pattern",
        "NewRoutine.localTime pattern", "NewUser.code pattern", "NewWebhook.types minItems",
        "NewWebhook.url pattern",
        "Recovery.recoveryCode pattern", "Registration.adjusted examples", "RegistrationPatch.outcome const",
        "RoutineOccurrence.adjusted examples",
        "RoutinePatch.localTime pattern",
    ]

    /// Returns the regular expression (ECMA-262) of the texts that a rule accepts: from the first visible
    /// character to the last one no control characters and line breaks.
    static func pattern(_ rule: TextRule) -> String {
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

    /// Returns the regular expression (ECMA-262) of the values of `Idempotency-Key` that are read.
    static func keyPattern(least: Int) -> String {
        let length = "{\(least),\(IdempotencyKeyField.lengths.upperBound)}"
        return #"^("([ !#-\[\]-~]|\\["\\])\#(length)"|[!#-+\--\[\]-~]\#(length))$"#
    }

    @Test("are those of the code, and the document names no others")
    func limits() throws {
        var found = try Self.facts.get().values
        for (keyword, value, places) in Self.expected {
            for place in places.split(separator: " ") {
                #expect(found.removeValue(forKey: "\(place) \(keyword)") == [value], "\(place) \(keyword)")
            }
        }
        // Counts, and the types of messages.
        let rest = found.filter { $0.value != [.number("0")] && !$0.key.hasSuffix(".type enum") }
        #expect(Set(rest.keys) == Self.others)
    }

    @Test("describe the number of characters of each text, and of occurrences")
    func descriptions() throws {
        let schemas = try #require(try Self.document.get()["components"]?["schemas"])
        for (rule, places) in Self.texts {
            for place in places.split(separator: " ") {
                let names = place.split(separator: ".").map(String.init)
                let text = schemas[names[0]]?["properties"]?[names[1]]?["description"]?.string
                let range = "\(rule.length.lowerBound) to \(rule.length.upperBound) characters, "
                #expect(text?.hasPrefix(range) == true, "\(place)")
            }
        }
        let routine = try #require(schemas["Routine"]?["description"]?.string)
        #expect(routine.contains("the next \(Limits.nextOccurrences) occurrences"))
    }

    @Test("stand in the order of their names, with the version of the interface")
    func order() throws {
        #expect(try Self.facts.get().unsorted == [])
        #expect(try Self.document.get()["info"]?["version"]?.string == Version.api)
    }
}
