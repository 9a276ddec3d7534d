import API
import Contract
import Database
import HTTP1
import HTTPServer
import Postgres
import Reactor
import Scheduling

extension Desk {
    var peopleRoutes: [DeskRoute] {
        let person = "/people/{id}"
        return [
            get(
                "/people", .viewer, "People.", query: ["query", "suspended", "names", "cursor", "limit"],
                people),
            get(person, .viewer, "One person.") { call in try await answer(try call.id()) },
            list(
                person + "/registrations", .viewer, "A person's registrations.", "registrations",
                DeskPeople.registrations
            ) { call in
                let cursor = try call.cursor()
                return [try call.id(), cursor?.time, cursor?.id]
            },
            list(
                person + "/audit", .support, "What operators did to a person.", "entries", AuditReader.list
            ) { call in
                [
                    try call.before(), nil as String?, nil as String?, "person:\(try call.id())",
                    nil as Timestamp?, nil as Timestamp?,
                ]
            },
            route(
                .post, person + "/rename", .support, "Gives a person another name.",
                body: [.init(name: "name", kind: .string)], rename),
            route(
                .post, person + "/end-tokens", .support,
                "Ends all tokens and sessions of a person, with a last push to browsers.", endTokens),
            route(
                .post, person + "/recovery-code", .support,
                "Makes a new recovery code, shown once, and notifies the person with the reason.",
                status: 201, body: [.init(name: "reason", kind: .string, length: 200)], giveCode),
            route(
                .post, person + "/suspend", .support, "Keeps a person from signing in.",
                body: [
                    .init(name: "until", kind: .time, isRequired: false),
                    .init(name: "reason", kind: .string, length: 200),
                    .init(name: "reportId", kind: .integer, isRequired: false),
                ], suspend),
            route(.post, person + "/unsuspend", .support, "Lifts a suspension.", unsuspend),
            route(
                .post, person + "/delete", .admin, "Deletes an account.", status: 204,
                body: [.init(name: "confirm", kind: .string)], delete),
            route(.post, person + "/export", .admin, "All that is held about a person.", export),
            route(
                .post, person + "/notes", .support, "Keeps a note about a person.", status: 201,
                body: [.init(name: "text", kind: .string, length: 2000)], notePerson),
            route(
                .post, person + "/reveal", .support, "Shows private words of or about a person.",
                body: [.init(name: "what", kind: .string)], reveal),
        ]
    }

    static let reason = TextRule(subject: "A reason", length: 1...200)
    static let remark = TextRule(subject: "A note", length: 1...2000, hasLines: true)

    private static let tokenPrefix = "lsk_"
    /// The characters of a token that are stored in clear, with its prefix.
    private static let storedPrefix = 8

    private func people(_ call: DeskCall) async throws -> HTTPResponse {
        let isSuspended = try call.parameter("suspended", "true") { $0 == "true" ? true : nil } ?? false
        let isInvisible = try call.parameter("names", "invisible") { $0 == "invisible" ? true : nil } ?? false
        let query = try Self.query(
            try call.text("query"), isSuspended: isSuspended, isInvisible: isInvisible)
        return try DeskCall.list(
            "people",
            try await DeskPeople.page(query, after: try call.cursorID(), limit: try call.limit(), in: pool))
    }

    static func query(
        _ text: String?, isSuspended: Bool, isInvisible: Bool = false
    ) throws -> DeskPeople.Query {
        switch (text, isSuspended, isInvisible) {
        case (nil, false, false): return .newest
        case (nil, true, false): return .suspended
        case (nil, false, true): return .invisible
        case (_?, false, false): break
        case (_, true, _), (_, _, true):
            throw APIError(.unreadable, "Give one of query, suspended and names, and leave out the others.")
        }
        guard let text else { return .newest }
        if let id = Identifier(text) { return .id(id) }
        guard text.hasPrefix(tokenPrefix) else { return .name(text) }
        guard text.count >= storedPrefix else {
            throw APIError(
                .unreadable, "The query has to have the first \(storedPrefix) characters of a token.")
        }
        return .token(String(text.prefix(storedPrefix)))
    }

    private func answer(_ person: Identifier) async throws -> HTTPResponse {
        let found = try await DeskRows.one(DeskPeople.one, [person], in: pool).orThrow(DeskCall.notFound)
        guard case .object(var members) = try JSONValue.parse(Array(found.utf8)) else {
            throw DeskCall.notFound
        }
        // The members that only this server knows come last.
        members.append(.init(name: "limitsHit", value: limitsHit(by: person)))
        return DeskCall.json(.object(members))
    }

    /// The limits that a person has met on this server, and since when; null for none.
    private func limitsHit(by person: Identifier) -> JSONValue {
        guard let hits = application.limits.hits(of: person) else { return .null }
        let counts = RequestLimits.Kind.allCases.compactMap { kind in
            hits.counts[kind].map { (name: kind.rawValue, value: JSONValue.integer($0)) }
        }
        return ["since": .time(hits.since), "last": .time(hits.last), "counts": .members(counts)]
    }

    /// Runs an act on an account that is locked, with its name, and returns the rooms that show it.
    private func changing(
        _ call: DeskCall, _ action: String,
        _ body: @escaping @Sendable (PostgresConnection, String, inout AuditEntry) async throws -> Void
    ) async throws -> [Identifier] {
        let person = try call.id()
        return try await application.locks.transaction(under: .user(person)) { connection in
            let name = try await DeskPeople.lock(person, on: connection).orThrow(DeskCall.notFound)
            var entry = entry(call, action, "person:\(person)")
            entry.person = person
            try await body(connection, name, &entry)
            let rooms = try await UserRooms.read(of: person, on: connection)
            try await audit.write(entry, at: application.now(), on: connection)
            return rooms
        }
    }

    private func rename(_ call: DeskCall) async throws -> HTTPResponse {
        let name = try call.read { $0.text("name", .name) }
        let rooms = try await changing(call, "person.rename") { connection, old, entry in
            try await DeskPeople.rename(try call.id(), to: name, on: connection)
            (entry.before, entry.after) = (["name": .string(old)], ["name": .string(name)])
        }
        application.changed(.account(try call.id()))
        for room in rooms { application.changed(.room(room)) }
        return try await answer(try call.id())
    }

    private func endTokens(_ call: DeskCall) async throws -> HTTPResponse {
        let person = try call.id()
        let rooms = try await changing(call, "person.end-tokens") { connection, _, _ in
            try await EndedSessions.endEndpoints(of: person, on: connection)
            try await RecoveryWriter.endTokens(of: person, on: connection)
        }
        await leaving.signIn.endSessions(of: person, in: rooms)
        return try await answer(person)
    }

    private func giveCode(_ call: DeskCall) async throws -> HTTPResponse {
        let reason = try call.read { $0.text("reason", Self.reason) }
        let (code, person, announced) = (AccessCode(for: .recovery), try call.id(), Lock<Int64>(0))
        _ = try await changing(call, "person.recovery-code") { connection, _, entry in
            if try await DeskDeliveries.lockEndpoints(of: person, on: connection) {
                throw APIError(
                    .conflict,
                    "An operator has disabled an endpoint of this person, which the notice of the code would "
                        + "not reach. Enable it first.")
            }
            try await RecoveryWriter.give(code, to: person, on: connection)
            let language = try await DeskPeople.language(of: person, on: connection)
            let text: Text =
                "An operator made a recovery code for your account. Reason: \(reason)\nThe code opens the "
                + "account to anyone who has it. If you did not ask for it, make a recovery code yourself "
                + "now: yours replaces it."
            // An announcement reaches streams and rooms, too.
            let id = try await Announcements.add(
                text.said(in: language), to: .person(person), isAboutSecurity: true, by: call.account.name,
                at: application.now(), on: connection)
            announced.withLock { $0 = id }
            entry.after = ["reason": .string(reason)]
        }
        application.changed(.announcement(announced.withLock { $0 }))
        return DeskCall.json(["recoveryCode": .string(code.text)], status: 201)
    }

    private func suspend(_ call: DeskCall) async throws -> HTTPResponse {
        let now = application.now()
        let (suspension, report) = try call.read { reader in
            let until = reader.optionalTime("until")
            if let until, until <= now { reader.refuse("until", "until has to be in the future.") }
            let reason = reader.text("reason", Self.reason)
            return (
                Suspension(reason: reason, until: until), reader.optionalInteger("reportId").map { Int64($0) }
            )
        }
        let person = try call.id()
        guard try await DeskPeople.name(of: person, in: pool) != nil else { throw DeskCall.notFound }
        let after: JSONValue = [
            "until": .time(suspension.until), "reason": .string(suspension.reason),
            "report": report.map { .integer($0) } ?? .null,
        ]
        try await leaving.suspend(person, suspension, by: call.account.name) { connection in
            let now = application.now()
            if let report {
                guard let locked = try await DeskReports.lock(report, on: connection), locked.about == person
                else { throw APIError(.conflict, "There is no report with this id about this person.") }
                try await DeskReports.change(
                    report, to: .closed, outcome: "suspended", by: call.account.name, at: now, on: connection)
                try await audit.write(
                    entry(call, "report.suspend", "report:\(report)"), at: now, on: connection)
            }
            var entry = entry(call, "person.suspend", "person:\(person)")
            (entry.after, entry.person) = (after, person)
            try await audit.write(entry, at: now, on: connection)
        }
        return try await answer(person)
    }

    private func unsuspend(_ call: DeskCall) async throws -> HTTPResponse {
        let person = try call.id()
        _ = try await changing(call, "person.unsuspend") { connection, _, entry in
            let reason = try await Suspensions.lift(person, at: application.now(), on: connection)
                .orThrow(APIError(.conflict, "This account is not suspended."))
            entry.before = ["reason": .string(reason)]
        }
        return try await answer(person)
    }

    private func delete(_ call: DeskCall) async throws -> HTTPResponse {
        let confirmed = try call.read { $0.text("confirm", .name) }
        let person = try call.id()
        guard let name = try await DeskPeople.name(of: person, in: pool) else { throw DeskCall.notFound }
        guard name == confirmed else {
            throw RequestError.invalid(at: "/confirm", "confirm has to be the name of the account.")
        }
        try await leaving.delete(person) { connection in
            // Nothing that the account was called is kept.
            try await audit.write(
                entry(call, "person.delete", "person:\(person)"), at: application.now(), on: connection)
        }
        return HTTPResponse(status: 204)
    }

    private func export(_ call: DeskCall) async throws -> HTTPResponse {
        let person = try call.id()
        _ = try await changing(call, "person.export") { _, _, _ in }
        let export = AccountExport(of: person, from: pool)
        let now = application.now()
        return HTTPResponse(
            status: 200,
            headers: [
                "Content-Type": "application/json", "Cache-Control": "no-store",
                "Content-Disposition": "attachment; filename=\"letsswitch-export.json\"",
            ],
            document: { stream in try await export.write(at: now) { try await stream.write($0) } })
    }

    private func notePerson(_ call: DeskCall) async throws -> HTTPResponse {
        let text = try call.read { $0.text("text", Self.remark) }
        let person = try call.id()
        let (id, now) = try await acting(call, "person.note", "person:\(person)") { connection, now, entry in
            _ = try await DeskPeople.lock(person, on: connection).orThrow(DeskCall.notFound)
            let id = try await DeskPeople.note(
                text, by: call.account.name, about: person, at: now, on: connection)
            (entry.after, entry.person) = (["note": .integer(id)], person)
            return (id, now)
        }
        return Self.note(id, text, by: call.account, at: now)
    }

    static func note(_ id: Int64, _ text: String, by account: Operator, at now: Timestamp) -> HTTPResponse {
        let note: JSONValue = [
            "id": .integer(id), "at": .time(now), "operator": .string(account.name), "text": .string(text),
        ]
        return DeskCall.json(note, status: 201)
    }

    private func reveal(_ call: DeskCall) async throws -> HTTPResponse {
        let words = try call.read { reader in
            reader.required("what") { text throws(ValidationError) in
                try DeskPeople.Words(rawValue: text).orThrow(
                    ValidationError("what has to be tasks or notes."))
            }
        }
        guard let words else { throw DeskCall.notFound }
        let person = try call.id()
        let text = try await acting(call, "person.reveal", "person:\(person)") { connection, _, entry in
            _ = try await DeskPeople.lock(person, on: connection).orThrow(DeskCall.notFound)
            (entry.after, entry.person) = (["what": .string(words.rawValue)], person)
            return try await DeskPeople.reveal(words, of: person, on: connection)
        }
        return DeskCall.json(stored: text)
    }
}
