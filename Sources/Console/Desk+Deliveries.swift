import API
import Contract
import Database
import HTTP1
import HTTPServer
import Postgres
import Scheduling
import Settings

extension Desk {
    var deliveryRoutes: [DeskRoute] {
        let (delivery, endpoint) = ("/deliveries/{id}", "/endpoints/{id}")
        return [
            get(
                "/deliveries", .viewer, "Deliveries, the newest first.",
                query: ["state", "channel", "host", "cursor", "limit"]
            ) { call in
                try DeskCall.list(
                    "deliveries",
                    try await DeskDeliveries.page(
                        try call.choice("state", DeskDeliveries.State.self),
                        channel: try call.choice("channel", EndpointKind.self)?.rawValue,
                        host: try call.text("host"), before: try call.before(), limit: try call.limit(),
                        in: pool))
            },
            get(delivery, .viewer, "One delivery with its attempts.") { call in
                try await one(DeskDeliveries.one, [try call.number()])
            },
            route(.post, delivery + "/replay", .support, "Makes a delivery again that is over.", replay),
            route(
                .post, "/delivery-replays", .support,
                "Makes the failed deliveries of a host or of an endpoint again, a part at a time.",
                body: [
                    .init(name: "host", kind: .string, length: 300, isRequired: false),
                    .init(name: "endpointId", kind: .string, isRequired: false),
                    .init(name: "since", kind: .time),
                    .init(name: "until", kind: .time, isRequired: false),
                    .init(name: "cursor", kind: .string, isRequired: false),
                ], replayFailed),
            get("/delivery-hosts", .viewer, "Hosts for which something waits or fails.") { _ in
                try DeskCall.list(
                    "hosts", try await DeskRows.page(DeskDeliveries.hosts, [], limit: 100, in: pool))
            },
            list(
                "/endpoints", .viewer, "Endpoints that fail or are disabled.", "endpoints",
                query: ["state"], DeskDeliveries.endpoints
            ) { call in
                let isDisabled = try call.parameter("state", "failing or disabled") {
                    ["failing": false, "disabled": true][$0]
                }
                return [try call.cursorID(), isDisabled]
            },
            route(
                .post, endpoint + "/disable", .support, "Sends nothing to an endpoint any more.",
                body: [.init(name: "reason", kind: .string, length: 200)], disable),
            route(.post, endpoint + "/enable", .support, "Sends to an endpoint again.", enable),
            route(.post, endpoint + "/test", .support, "Sends a test to an endpoint.", test),
        ]
    }

    private func replay(_ call: DeskCall) async throws -> HTTPResponse {
        let id = try call.number()
        do {
            try await acting(call, "delivery.replay", "delivery:\(id)") { connection, now, _ in
                try await DeliveryReplay.begin(id, at: now, on: connection)
            }
        } catch let error as ReplayError {
            switch error {
            case .unknown: throw DeskCall.notFound
            case .pending: throw APIError(.conflict, "This delivery is not over yet.")
            case .expired: throw APIError(.conflict, "This delivery has expired, and would not be sent.")
            case .superseded: throw APIError(.conflict, "A later delivery has replaced this one.")
            case .disabled(let reason): throw APIError(.conflict, "Its endpoint is disabled: \(reason).")
            }
        }
        application.changed(.notifications)
        return try await one(DeskDeliveries.one, [id])
    }

    private func replayFailed(_ call: DeskCall) async throws -> HTTPResponse {
        let (failed, position) = try call.read { reader in Self.failedDeliveries(&reader) }
        let now = application.now()
        let replay = BulkReplay(
            failed, at: now, by: call.account.name, requestID: call.request.id, audit: audit)
        do {
            let step = try await replay.step(after: position, at: now, in: pool)
            if step.deliveries > 0 { application.changed(.notifications) }
            var answer: [(name: String, value: JSONValue)] = [
                ("deliveries", .integer(step.deliveries)), ("disabled", .integer(step.disabled)),
                ("isFull", .bool(step.isFull)), ("until", .string("\(replay.until)")),
            ]
            if let next = step.next { answer.append(("nextCursor", .string(next.text))) }
            return DeskCall.json(.members(answer))
        } catch ReplayError.unknown {
            throw DeskCall.notFound
        }
    }

    /// Reads the deliveries that are made again, and the position of the step before.
    private static func failedDeliveries(
        _ reader: inout RequestReader
    ) -> (FailedDeliveries, BulkReplay.Position?) {
        let host = reader.optionalText("host", TextRule(subject: "A host", length: 1...300))
        let target: FailedDeliveries.Target =
            if let host { .host(host) } else { .endpoint(reader.id("endpointId")) }
        let position = reader.converted("cursor", orNull: true) { text throws(ValidationError) in
            try BulkReplay.Position(text).orThrow(
                ValidationError("Send the nextCursor of the answer before."))
        }
        let since = reader.required("since") { text throws(ValidationError) in
            try Timestamp(text).orThrow(
                ValidationError(
                    "since has to be a time with an offset as in RFC 3339, like 2027-03-28T09:30:00Z."))
        }
        let failed = FailedDeliveries(
            target, since: since ?? Timestamp(microseconds: 0), until: reader.optionalTime("until"))
        return (failed, position)
    }

    private func disable(_ call: DeskCall) async throws -> HTTPResponse {
        let reason = try call.read { $0.text("reason", Self.reason) }
        let id = try call.id()
        try await acting(call, "endpoint.disable", "endpoint:\(id)") { connection, now, entry in
            let endpoint = try await DeskDeliveries.lockEndpoint(id, on: connection)
                .orThrow(DeskCall.notFound)
            if endpoint.reason != nil { throw APIError(.conflict, "This endpoint is disabled already.") }
            if try await DeskDeliveries.awaitsNotice(endpoint.owner, at: now, on: connection) {
                throw APIError(
                    .conflict,
                    "A recovery code was made for this person within the last 24 hours. Until then the "
                        + "notice of it may still have to reach this endpoint.")
            }
            try await DeskDeliveries.disable(id, because: reason, at: now, on: connection)
            (entry.after, entry.person) = (["reason": .string(reason)], endpoint.owner)
        }
        return try await one(DeskDeliveries.oneEndpoint, [id])
    }

    private func enable(_ call: DeskCall) async throws -> HTTPResponse {
        let id = try call.id()
        try await acting(call, "endpoint.enable", "endpoint:\(id)") { connection, _, entry in
            let endpoint = try await DeskDeliveries.lockEndpoint(id, on: connection)
                .orThrow(DeskCall.notFound)
            guard let reason = endpoint.reason else {
                throw APIError(.conflict, "This endpoint is not disabled.")
            }
            try await DeskDeliveries.enable(id, on: connection)
            (entry.before, entry.person) = (["reason": .string(reason)], endpoint.owner)
        }
        return try await one(DeskDeliveries.oneEndpoint, [id])
    }

    private func test(_ call: DeskCall) async throws -> HTTPResponse {
        let id = try call.id()
        let owner = try await acting(call, "endpoint.test", "endpoint:\(id)") { connection, _, _ in
            try await DeskDeliveries.lockEndpoint(id, on: connection).orThrow(DeskCall.notFound).owner
        }
        let outcome = try await test(id, owner)
        let answer: JSONValue = [
            "deliveryId": .string(outcome.id), "outcome": .string(outcome.outcome),
            "detail": .string(outcome.detail.description),
            "milliseconds": outcome.milliseconds.map { .integer($0) } ?? .null,
        ]
        return DeskCall.json(answer)
    }
}
