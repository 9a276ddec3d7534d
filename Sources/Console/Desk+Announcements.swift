import API
import Contract
import Database
import HTTP1
import HTTPServer
import Postgres
import Scheduling

extension Desk {
    var announcementRoutes: [DeskRoute] {
        [
            list("/announcements", .viewer, "What was announced.", "announcements", Announcements.list) {
                [try $0.before()]
            },
            route(
                .post, "/announcements", .support,
                "Sends an announcement to all people (role admin), to a slot's people, or to one person.",
                status: 201,
                body: [.init(name: "text", kind: .string, length: 500), .init(name: "to", kind: .object)],
                announce),
        ]
    }

    private static let announcement = TextRule(subject: "An announcement", length: 1...500, hasLines: true)

    private func announce(_ call: DeskCall) async throws -> HTTPResponse {
        let (text, audience) = try call.read { reader in
            (reader.text("text", Self.announcement), reader.audience("to"))
        }
        guard let audience else { throw DeskCall.notFound }
        var subject = "everybody"
        var person: Identifier?
        switch audience {
        case .everybody:
            if call.account.role < .admin {
                throw APIError(.forbidden, "An announcement to all people takes the role admin.")
            }
        case .slot(let key):
            guard try await DeskSlots.exists(key, in: pool) else {
                throw APIError(.notFound, "This slot has no registrations.")
            }
            subject = Self.subject(key)
        case .person(let id):
            guard try await DeskPeople.name(of: id, in: pool) != nil else { throw DeskCall.notFound }
            (subject, person) = ("person:\(id)", id)
        }
        let id = try await acting(call, "announcement.make", subject) { [person] connection, now, entry in
            let id = try await Announcements.add(
                text, to: audience, by: call.account.name, at: now, on: connection)
            (entry.after, entry.person) = (["announcement": .integer(id), "text": .string(text)], person)
            return id
        }
        application.changed(.announcement(id))
        return try await one(Announcements.one, [id], status: 201)
    }
}

extension RequestReader {
    /// Reads the audience of an announcement: an object with one of `everybody`, `slot` and `person`.
    fileprivate mutating func audience(_ name: String) -> Announcement.Audience? {
        let words: Text =
            "\(name) has to be {\"everybody\": true}, {\"slot\": a slot's key} or {\"person\": an id}."
        guard let value = member(name) else { return nil }
        guard case .object(let members) = value, members.count == 1 else {
            refuse(name, words)
            return nil
        }
        switch (members[0].name, members[0].value) {
        case ("everybody", .bool(true)): return .everybody
        case ("slot", .string(let text)):
            if let key = DeskCall.slotKey(text) { return .slot(key) }
        case ("person", .string(let text)):
            if let id = Identifier(text) { return .person(id) }
        default: break
        }
        refuse(name, words)
        return nil
    }
}
