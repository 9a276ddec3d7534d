import API
import Contract
import Database
import HTTP1
import HTTPServer
import Postgres
import Settings

extension Desk {
    var reportRoutes: [DeskRoute] {
        let report = "/reports/{id}"
        return [
            list(
                "/reports", .viewer, "What people have reported.", "reports", query: ["state"],
                DeskReports.list
            ) { call in
                [try call.before(), try call.choice("state", DeskReports.State.self)?.rawValue]
            },
            get(report, .viewer, "One report.") { call in try await answer(report: try call.number()) },
            route(
                .post, report + "/reveal", .support, "Shows the text of a report and the notes about it.",
                revealReport),
            route(.post, report + "/take", .support, "Takes a report, to look after it.") { call in
                try await change(call, "take") { connection, id, locked, _ in
                    if locked.state == .closed {
                        throw APIError(.conflict, "This report is closed. Open it again first.")
                    }
                    try await DeskReports.change(id, to: .taken, by: call.account.name, on: connection)
                }
            },
            route(.post, report + "/dismiss", .support, "Closes a report without a consequence.") { call in
                try await change(call, "dismiss") { connection, id, locked, now in
                    if locked.state == .closed { throw APIError(.conflict, "This report is closed already.") }
                    try await DeskReports.change(
                        id, to: .closed, outcome: "dismissed", by: call.account.name, at: now, on: connection)
                }
            },
            route(.post, report + "/reopen", .support, "Opens a report again.") { call in
                try await change(call, "reopen") { connection, id, _, _ in
                    try await DeskReports.change(id, to: .new, on: connection)
                }
            },
            route(
                .post, report + "/notes", .support, "Keeps a note about a report.", status: 201,
                body: [.init(name: "text", kind: .string, length: 2000)], noteReport),
        ]
    }

    private func answer(report id: Int64) async throws -> HTTPResponse {
        try await one(DeskReports.one, [id, Int64(application.configuration.reportDays)])
    }

    private func change(
        _ call: DeskCall, _ verb: String,
        _ body:
            @escaping @Sendable (PostgresConnection, Int64, DeskReports.Locked, Timestamp) async throws ->
            Void
    ) async throws -> HTTPResponse {
        let id = try call.number()
        try await acting(call, "report.\(verb)", "report:\(id)") { connection, now, entry in
            let locked = try await DeskReports.lock(id, on: connection).orThrow(DeskCall.notFound)
            try await body(connection, id, locked, now)
            entry.before = ["state": .string(locked.state.rawValue), "outcome": .optional(locked.outcome)]
            entry.person = locked.about
        }
        return try await answer(report: id)
    }

    private func revealReport(_ call: DeskCall) async throws -> HTTPResponse {
        let id = try call.number()
        let text = try await acting(call, "report.reveal", "report:\(id)") { connection, _, _ in
            try await DeskReports.reveal(id, on: connection).orThrow(DeskCall.notFound)
        }
        return DeskCall.json(stored: text)
    }

    private func noteReport(_ call: DeskCall) async throws -> HTTPResponse {
        let text = try call.read { $0.text("text", Self.remark) }
        let report = try call.number()
        let (id, now) = try await acting(call, "report.note", "report:\(report)") { connection, now, entry in
            _ = try await DeskReports.lock(report, on: connection).orThrow(DeskCall.notFound)
            let id = try await DeskPeople.note(
                text, by: call.account.name, report: report, at: now, on: connection)
            entry.after = ["note": .integer(id)]
            return (id, now)
        }
        return Self.note(id, text, by: call.account, at: now)
    }
}
