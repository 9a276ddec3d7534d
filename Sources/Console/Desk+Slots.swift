import API
import Contract
import Database
import HTTP1
import HTTPServer
import Postgres
import Scheduling
import Settings

extension Desk {
    var slotRoutes: [DeskRoute] {
        let slot = "/slots/{key}"
        return [
            list(
                "/slots", .viewer, "Slots with registrations.", "slots", query: ["before", "after"],
                DeskSlots.list
            ) { call in
                [lead, try call.cursorTime() ?? call.time("before"), try call.time("after")]
            },
            get(slot, .viewer, "One slot, with its first rooms and who is alone.") { call in
                try await answer(slot: try call.slot())
            },
            get(slot + "/explanation", .viewer, "The reason for each room at the opening.", explain),
            route(
                .post, slot + "/match", .support, "Rematches the people who are alone.", status: 202, match),
            route(.post, slot + "/close-registration", .admin, "Ends the registration for a slot.") {
                call in
                try await setRegistration(call, isClosed: true)
            },
            route(.post, slot + "/open-registration", .admin, "Lets people register for a slot again.") {
                call in
                try await setRegistration(call, isClosed: false)
            },
        ]
    }

    private var lead: Double { Double(application.configuration.leadSeconds) }

    private func answer(slot key: Timestamp, status: Int = 200) async throws -> HTTPResponse {
        try await one(DeskSlots.one, [lead, key], status: status)
    }

    static func subject(_ key: Timestamp) -> String {
        let slot = SlotKey(key)
        return "slot:\(slot.startsAt)\(slot.minutes.map { "/\($0)" } ?? "")"
    }

    private func explain(_ call: DeskCall) async throws -> HTTPResponse {
        let key = try call.slot()
        let found = try await SlotExplainer(rules: application.rules, pool: pool).explain(key)
            .orThrow(APIError(.notFound, "This slot has not been matched."))
        let answer: JSONValue = [
            "startsAt": .time(SlotKey(key).startsAt), "people": .integer(found.people.count),
            "rooms": .integer(found.rooms.count),
            "text": .array(found.textWithoutTasks.split(separator: "\n").map { .string(String($0)) }),
        ]
        return DeskCall.json(answer)
    }

    private func match(_ call: DeskCall) async throws -> HTTPResponse {
        let key = try call.slot()
        try await acting(call, "slot.match", Self.subject(key)) { connection, _, _ in
            let slot = try await DeskSlots.lock(key, on: connection).orThrow(DeskCall.notFound)
            guard slot.isOpen, !slot.isClosed else { throw APIError(.conflict, "This slot is not open.") }
        }
        // The scheduler looks at members who are alone, here and on the other servers.
        application.changed(.slot(key))
        application.changed(.left(key))
        application.changed(.presence)
        return try await answer(slot: key, status: 202)
    }

    private func setRegistration(_ call: DeskCall, isClosed: Bool) async throws -> HTTPResponse {
        let key = try call.slot()
        let action = isClosed ? "slot.close-registration" : "slot.open-registration"
        try await acting(call, action, Self.subject(key)) { connection, now, _ in
            let slot = try await DeskSlots.lock(key, on: connection).orThrow(DeskCall.notFound)
            if slot.isClosed { throw APIError(.conflict, "This slot is over.") }
            if (slot.registrationClosedAt != nil) == isClosed {
                throw APIError(.conflict, "Registration is \(isClosed ? "closed" : "open") already.")
            }
            try await DeskSlots.setRegistration(of: key, closedAt: isClosed ? now : nil, on: connection)
        }
        return try await answer(slot: key)
    }
}
