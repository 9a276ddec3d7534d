import Testing

@testable import Contract

struct RequestTests {
    @Test("a body is read, and white space at the ends of its texts dropped")
    func reads() throws {
        #expect(try NewUser(text: #"{"name":" \u3000Ada\t","timeZone":null}"#) == NewUser(name: "Ada"))
        #expect(
            try NewRegistration(text: #"{"task":"t","tag":"x","slots":["2027-03-28T02:30:00+01:00"]}"#)
                == NewRegistration(
                    task: "t", tag: "x", slots: .instants([Timestamp(seconds: 1_806_197_400)])))
        let local = try #require(LocalDateTime("2027-03-28T02:30"))
        #expect(
            try NewRegistration(
                text: #"{"task":"t","localSlots":["2027-03-28T02:30"],"timeZone":"Asia/Tokyo"}"#)
                == NewRegistration(task: "t", slots: .local([local], timeZone: "Asia/Tokyo")))
    }

    @Test("a registration names a length where there are several; else there is no such member")
    func lengths() throws {
        let text = #"{"task":"t","slots":["2027-03-28T02:30:00+01:00"],"minutes":25}"#
        let new = NewRegistration(
            task: "t", slots: .instants([Timestamp(seconds: 1_806_197_400)]), minutes: 25)
        #expect(try NewRegistration(text: text) == new)
        #expect(try NewRegistration(bytes: JSON.encode(new)) == new)
        var reader = try RequestReader(bytes: Array(text.utf8))
        _ = try NewRegistration(&reader, hasLengths: false)
        let error = #expect(throws: RequestError.self) { try reader.finish() }
        #expect(error?.errors?.map(\.pointer) == ["/minutes"])
        for wrong in ["\"25\"", "25.5", "1e2", "[]", "99999999999999999999"] {
            let body = #"{"task":"t","slots":["2027-03-28T02:30:00Z"],"minutes":\#(wrong)}"#
            let error = #expect(throws: RequestError.self) { try NewRegistration(text: body) }
            #expect(error?.errors?.map(\.pointer) == ["/minutes"])
        }
        let none = #"{"task":"t","slots":["2027-03-28T02:30:00Z"],"minutes":null}"#
        #expect(try NewRegistration(text: none).minutes == nil)
    }

    @Test("a token's name and end, and a recovery code, are read as they were written")
    func tokens() throws {
        let bounded = NewToken(name: "Bot", expiresAt: Timestamp(seconds: 1_806_197_400))
        #expect(try NewToken(text: #"{"name":" Bot ","expiresAt":"2027-03-28T02:30:00+01:00"}"#) == bounded)
        #expect(try NewToken(text: #"{"name":"Bot","expiresAt":null}"#) == NewToken(name: "Bot"))
        #expect(try NewToken(bytes: JSON.encode(bounded)) == bounded)
        let invited = NewUser(name: "Ada", code: "abc", invite: "xyz")
        #expect(try NewUser(text: #"{"name":"Ada","code":" abc ","invite":"xyz"}"#) == invited)
        #expect(try NewUser(bytes: JSON.encode(invited)) == invited)
        let first = FirstSignIn(code: "abc")
        #expect(try FirstSignIn(bytes: JSON.encode(first)) == first)
        let recovery = Recovery(recoveryCode: "abc")
        #expect(try Recovery(bytes: JSON.encode(recovery)) == recovery)
        let error = #expect(throws: RequestError.self) { try NewToken(text: #"{"expiresAt":"soon"}"#) }
        #expect(error?.errors?.map(\.pointer) == ["/name", "/expiresAt"])
    }

    @Test("a routine and its changes are read as they were written, and all faults named")
    func routines() throws {
        let day = try #require(LocalDate("2027-03-28"))
        let new = NewRoutine(
            task: "t", tag: "x", rrule: try RecurrenceRule("FREQ=DAILY;COUNT=3"),
            localTime: try #require(LocalTime("09:00")), timeZone: "Asia/Tokyo", startDate: day,
            exdates: [day])
        #expect(try NewRoutine(bytes: JSON.encode(new)) == new)
        let patch = RoutinePatch(
            task: "t", tag: .clear, rrule: new.rrule, localTime: new.localTime, timeZone: "UTC", from: day,
            paused: true)
        #expect(try RoutinePatch(bytes: JSON.encode(patch)) == patch)
        #expect(try RoutinePatch(text: "{}") == RoutinePatch())
        #expect(try NewSkip(bytes: JSON.encode(NewSkip(date: day))) == NewSkip(date: day))
        let error = #expect(throws: RequestError.self) {
            try NewRoutine(text: #"{"task":"","rrule":7,"exdates":["x"],"count":1}"#)
        }
        #expect(
            error?.errors?.map(\.pointer) == ["/task", "/rrule", "/localTime", "/exdates/0", "/count"])
        let faults = #expect(throws: RequestError.self) {
            try RoutinePatch(text: #"{"paused":null,"from":"soon","timeZone":null}"#)
        }
        #expect(faults?.errors?.map(\.pointer) == ["/timeZone", "/from", "/paused"])
    }

    @Test("what is not JSON is unreadable")
    func unreadable() {
        let error = #expect(throws: RequestError.self) { try NewUser(text: #"{"name":"Ada""#) }
        #expect(error?.problem == .unreadable)
        #expect(error?.errors == nil)
    }

    @Test(
        "faults are named by pointer, all of them at once",
        arguments: [
            ("[]", [""]), ("null", [""]), ("{}", ["/task", "/slots"]),
            (#"{"task":1,"slots":["2027-03-28T02:30:00Z"],"tg":"x","a/b~":1}"#, ["/task", "/tg", "/a~1b~0"]),
            (#"{"task":null,"slots":[]}"#, ["/task", "/slots"]),
            (#"{"task":"t","slots":"2027-03-28T02:30:00Z"}"#, ["/slots"]),
            (
                #"{"task":"t","slots":["2027-03-28T02:30:00","2027-03-28T02:30:00Z",7]}"#,
                ["/slots/0", "/slots/2"]
            ),
            (#"{"task":"t","slots":["2027-03-28T02:30:00Z","2027-03-28T03:30:00+01:00"]}"#, ["/slots/1"]),
            (
                #"{"task":"t","slots":["2027-03-28T02:30:00Z"],"localSlots":["2027-03-28T02:30"]}"#,
                ["/localSlots"]
            ),
            (#"{"task":"t","slots":["2027-03-28T02:30:00Z"],"timeZone":"UTC"}"#, ["/timeZone"]),
            (#"{"task":"t","localSlots":["2027-03-28T02:30Z"]}"#, ["/localSlots/0"]),
            (#"{"task":"t","invite":7}"#, ["/invite", "/slots"]),
            (
                #"{"task":"t","invite":"x","slots":["2027-03-28T02:30:00Z"],"timeZone":"UTC"}"#,
                [
                    "/slots", "/timeZone",
                ]
            ),
            (#"{"task":"t","invite":"x","with":"all","quiet":0}"#, ["/with", "/quiet"]),
            (#"{"task":" \n ","tag":"a\nb","slots":["2027-03-28T02:30:00Z"]}"#, ["/task", "/tag"]),
        ])
    func pointers(body: String, expected: [String]) {
        let error = #expect(throws: RequestError.self) { try NewRegistration(text: body) }
        #expect(error?.problem == .invalid)
        #expect(error?.errors?.map(\.pointer) == expected)
    }

    @Test("one to forty-eight slots", arguments: [0, 1, 48, 49])
    func count(slots: Int) {
        let starts = (0..<slots).map { "\"\(Timestamp(seconds: Int64($0) * 1800))\"" }.joined(separator: ",")
        let read = try? NewRegistration(text: "{\"task\":\"t\",\"slots\":[\(starts)]}")
        #expect((read != nil) == (1...48).contains(slots))
    }

    @Test("a list of faults is bounded")
    func bounded() {
        let members = (0..<1000).map { "\"m\($0)\":1" }.joined(separator: ",")
        let error = #expect(throws: RequestError.self) { try NewUser(text: "{\(members)}") }
        #expect(error?.errors?.count == Limits.fieldErrors)
    }

    @Test("length is counted in Unicode scalars", arguments: [(TextRule.task, 200), (.tag, 32), (.name, 64)])
    func lengths(rule: TextRule, longest: Int) throws {
        let fits = String(repeating: "🍺", count: longest)
        #expect(try rule.read("  \(fits)\u{2003}") == fits)
        #expect(throws: ValidationError.self) { try rule.read(fits + "e") }
        #expect(throws: ValidationError.self) { try rule.read(String(repeating: "e\u{301}", count: longest)) }
        #expect(throws: ValidationError.self) { try rule.read("") }
    }

    @Test(
        "control characters and breaks of lines are refused within a text",
        arguments: ["\u{0}", "\u{1B}", "\n", "\t", "\u{7F}", "\u{85}", "\u{2028}", "\u{2029}"])
    func controls(character: String) {
        #expect(throws: ValidationError.self) { try TextRule.task.read("a\(character)b") }
    }

    @Test(
        "marks that set the direction of writing are taken", arguments: ["\u{202E}", "\u{2066}", "\u{200D}"])
    func directions(character: String) throws {
        #expect(try TextRule.task.read("a\(character)b") == "a\(character)b")
    }

    @Test(
        "a name and a task of which nothing is seen are refused",
        arguments: [
            "\u{200B}", "\u{2060}\u{FEFF}", "\u{AD}", "\u{3164}", "\u{2800}\u{2800}", "\u{180E}",
            "\u{301}\u{301}",
            "\u{E0041}\u{E007F}", "\u{115F} \u{FFA0}", "\u{FE0F}", "\u{202E}",
        ])
    func invisible(text: String) throws {
        for rule in [TextRule.name, .task] {
            #expect(throws: ValidationError.self) { try rule.read(text) }
            #expect(try rule.read("\(text)a") == "\(text)a")
        }
        #expect(try TextRule.note.read(text) == text)
    }

    @Test("a name is seen in any writing", arguments: ["ß", "愛子", "🦊", "1", "_", "ก็", "한", "ـ"])
    func visible(name: String) throws {
        #expect(try TextRule.name.read(name) == name)
    }

    @Test("a report may have several lines, and no other control characters")
    func reports() throws {
        #expect(try TextRule.report.read("\n One.\n\nTwo.\n") == "One.\n\nTwo.")
        #expect(try TextRule.report.read(String(repeating: "é", count: 2000)).count == 2000)
        for text in ["a\u{0}b", "a\rb", "a\tb", "a\u{2028}b", String(repeating: "x", count: 2001), " \n"] {
            #expect(throws: ValidationError.self) { try TextRule.report.read(text) }
        }
    }

    @Test("who is meant is an id, in either case, and nothing else")
    func people() throws {
        let id = Identifier(value: 0xAB)
        for text in [id.description, id.description.uppercased()] {
            #expect(try NewBlock(text: #"{"registrationId":"\#(text)"}"#) == NewBlock(registrationId: id))
            #expect(
                try NewFavourite(text: #"{"registrationId":"\#(text)"}"#) == NewFavourite(registrationId: id))
        }
        #expect(
            try NewBlock(text: #"{"report":" Rude. ","registrationId":"\#(id)"}"#)
                == NewBlock(registrationId: id, report: "Rude."))
        #expect(try NewBlock(text: #"{"report":null,"registrationId":"\#(id)"}"#).report == nil)
        for body in ["{}", #"{"registrationId":null}"#, #"{"registrationId":1}"#, #"{"registrationId":""}"#] {
            let error = #expect(throws: RequestError.self) { try NewBlock(text: body) }
            #expect(error?.errors?.map(\.pointer) == ["/registrationId"])
        }
        let error = #expect(throws: RequestError.self) {
            try NewFavourite(text: #"{"registrationId":"\#(id)","report":"x"}"#)
        }
        #expect(error?.errors?.map(\.pointer) == ["/report"])
    }

    @Test("null clears a tag, and leaving it out keeps it")
    func patches() throws {
        #expect(try RegistrationPatch(text: #"{"tag":null}"#) == RegistrationPatch(tag: .clear))
        #expect(try RegistrationPatch(text: #"{"tag":"x"}"#) == RegistrationPatch(tag: .set("x")))
        #expect(try RegistrationPatch(text: "{}") == RegistrationPatch())
        #expect(throws: RequestError.self) { try RegistrationPatch(text: #"{"task":null}"#) }
        #expect(throws: RequestError.self) { try UserPatch(text: #"{"name":null}"#) }
        #expect(try UserPatch(text: #"{"timeZone":"UTC"}"#) == UserPatch(timeZone: "UTC"))
    }

    @Test("what is said about a session is set, kept, or taken back by null")
    func words() throws {
        let limit = String(repeating: "é", count: 200)
        for (text, patch) in [
            (#"{"checkIn":" a "}"#, RegistrationPatch(checkIn: .set("a"))),
            (#"{"checkIn":"\#(limit)"}"#, RegistrationPatch(checkIn: .set(limit))),
            (#"{"checkIn":null,"note":null}"#, RegistrationPatch(checkIn: .clear, note: .clear)),
            (#"{"outcome":"not","note":"n"}"#, RegistrationPatch(outcome: .set(.not), note: .set("n"))),
            (#"{"outcome":null,"note":null}"#, RegistrationPatch(outcome: .clear, note: .clear)),
        ] {
            #expect(try RegistrationPatch(text: text) == patch, "\(text)")
            #expect(patch.hasWords)
            try expectRoundTrip(patch)
        }
        #expect(!RegistrationPatch(task: "t", tag: .clear).hasWords)
        for (text, pointers) in [
            (#"{"outcome":"Done"}"#, ["/outcome"]), (#"{"outcome":1}"#, ["/outcome"]),
            (#"{"outcome":""}"#, ["/outcome"]), (#"{"outcome":["done"]}"#, ["/outcome"]),
            (#"{"note":""}"#, ["/note"]), (#"{"note":"a\nb"}"#, ["/note"]), (#"{"note":{}}"#, ["/note"]),
            (#"{"checkIn":"  "}"#, ["/checkIn"]), (#"{"checkIn":"\u001b[2J"}"#, ["/checkIn"]),
            (#"{"checkIn":"\#(limit)é"}"#, ["/checkIn"]), (#"{"checkin":"a"}"#, ["/checkin"]),
            (#"{"outcome":null,"note":"n"}"#, ["/note"]), (#"{"task":"t","outcome":"done"}"#, [""]),
            (#"{"tag":null,"checkIn":null}"#, [""]),
        ] {
            let error = #expect(throws: RequestError.self) { try RegistrationPatch(text: text) }
            #expect(error?.errors?.map(\.pointer) == pointers, "\(text)")
        }
    }

    @Test("what a client writes, the server reads")
    func roundTrip() throws {
        let local = try #require(LocalDateTime("2027-03-28T02:30"))
        try expectRoundTrip(NewUser(name: "Ada", timeZone: "Europe/London"))
        try expectRoundTrip(UserPatch(name: "Ada"))
        try expectRoundTrip(NewRegistration(task: "t", slots: .instants([Timestamp(seconds: 1800)])))
        try expectRoundTrip(NewRegistration(task: "t", tag: "x", slots: .local([local], timeZone: nil)))
        try expectRoundTrip(RegistrationPatch(task: "t", tag: .clear))
        try expectRoundTrip(RegistrationPatch(tag: .set("x")))
        try expectRoundTrip(
            NewRegistration(task: "t", slots: .invite("abc"), with: .favourites, quiet: true))
        try expectRoundTrip(RegistrationPatch(with: .anyone, quiet: false))
        try expectRoundTrip(NewBlock(registrationId: Identifier(value: 1), report: "a\nb"))
        try expectRoundTrip(NewBlock(registrationId: Identifier(value: 1)))
        try expectRoundTrip(NewFavourite(registrationId: Identifier(value: 1)))
    }

    private func expectRoundTrip(_ body: some RequestBody) throws {
        #expect(try type(of: body).init(bytes: JSON.encode(body)) == body)
    }
}

extension RequestBody {
    fileprivate init(text: String) throws(RequestError) {
        try self.init(bytes: Array(text.utf8))
    }
}
