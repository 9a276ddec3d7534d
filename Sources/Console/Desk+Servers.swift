import API
import Codecs
import Contract
import Database
import HTTP1
import HTTPServer
import Postgres
import Reactor
import Scheduling
import Settings

extension Desk {
    var serverRoutes: [DeskRoute] {
        [
            get("/servers", .viewer, "The servers that share the database.") { _ in
                DeskCall.json(["servers": Self.servers(try await servers(), await board.own())])
            },
            route(
                .post, "/servers/{id}/drain", .admin, "Lets a server stop, as SIGTERM.", status: 202, drain),
            get("/settings", .admin, "What is set, and where it came from.") { _ in
                DeskCall.json(settings)
            },
            list(
                "/audit", .admin, "What operators did, the newest first.", "entries",
                query: ["operator", "action", "subject", "after", "before"], AuditReader.list
            ) { call in
                [
                    try call.before(), try call.text("operator"), try call.text("action"),
                    try call.text("subject"), try call.time("after"), try call.time("before"),
                ]
            },
            get("/audit/verification", .admin, "Whether the chain of the audit log is whole.") { _ in
                let isFirst = isVerifying.withLock { isUnderWay in
                    defer { isUnderWay = true }
                    return !isUnderWay
                }
                guard isFirst else {
                    throw APIError(
                        .unavailable, "The audit log is being verified. Try again in a moment.",
                        headers: ["Retry-After": "5"])
                }
                defer { isVerifying.withLock { $0 = false } }
                let found = try await audit.verify(in: pool)
                let answer: JSONValue = [
                    "entries": .integer(found.entries), "erased": .integer(found.erased),
                    "isWhole": .bool(found.fault == nil), "fault": .optional(found.fault),
                    "head": .string(found.head.hexadecimal),
                ]
                return DeskCall.json(answer)
            },
            get(
                "/audit/export", .admin, "The audit log, the oldest first, one entry a line.",
                query: ["after"], export),
        ]
    }

    static func servers(_ listed: [ServerDirectory.Listed], _ own: OwnFigures) -> JSONValue {
        .array(
            listed.map { server in
                let entry = server.entry
                let isThis = entry.name == "\(ChangeEvent.origin)"
                return [
                    "name": .string(entry.shownName), "incarnation": .string(entry.name),
                    "state": .string(entry.state.rawValue), "isAlive": .bool(server.isRunning),
                    "leaseLeftSeconds": entry.leaseLeft.map { .real($0 / .seconds(1)) } ?? .null,
                    "version": .optional(entry.version), "weight": .integer(entry.weight),
                    "address": .optional(entry.address), "isThis": .bool(isThis),
                    "rooms": .integer(server.rooms),
                    "figures": isThis ? own.json : .null,
                ]
            })
    }

    private func drain(_ call: DeskCall) async throws -> HTTPResponse {
        let id = try call.id()
        let servers = try await self.servers()
        guard servers.contains(where: { $0.entry.name == "\(id)" }) else { throw DeskCall.notFound }
        try await acting(call, "server.drain", "server:\(id)") { _, _, _ in }
        application.changed(.drain(id))
        return HTTPResponse(status: 202)
    }

    private var settings: JSONValue {
        let given = application.configuration.given
        let rows = Setting.allCases.map { setting -> JSONValue in
            let value = given[setting]
            let text: JSONValue =
                if setting.isSecret { value == nil ? .null : "set" } else {
                    .string(value?.text ?? setting.standard)
                }
            return [
                "name": .string(setting.name), "value": text,
                "source": .string(value?.source.rawValue ?? "default"),
                "help": .string(setting.meaning),
                "isSecret": .bool(setting.isSecret),
            ]
        }
        return ["settings": .array(rows), "warnings": .array(warnings.map { .string($0) })]
    }

    private static let mostLines = 10_000
    private static let linesAtOnce = 500

    private func export(_ call: DeskCall) async throws -> HTTPResponse {
        let after =
            try call.parameter("after", "the id of an entry") { Int64($0).flatMap { $0 >= 0 ? $0 : nil } }
            ?? 0
        return HTTPResponse(
            status: 200,
            headers: [
                "Content-Type": "application/x-ndjson", "Cache-Control": "no-store",
                "Content-Disposition": "attachment; filename=\"letsswitch-audit.ndjson\"",
            ],
            document: { stream in
                var (last, lines) = (after, 0)
                while lines < Self.mostLines {
                    let page = try await DeskRows.page(
                        AuditReader.export, [last], limit: Self.linesAtOnce, in: pool)
                    if page.rows.isEmpty { return }
                    try await stream.write(Array((page.rows.joined(separator: "\n") + "\n").utf8))
                    lines += page.rows.count
                    guard let cursor = page.nextCursor.flatMap({ Int64($0) }) else { return }
                    last = cursor
                }
            })
    }
}
