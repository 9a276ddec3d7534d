import Cluster
import Contract
import Database
import Logging
import Postgres
import Reactor
import Scheduling
import Settings

/// `letsswitch-server deliveries`, which lists the outcomes of deliveries for an operator.
struct DeliveriesCommand: Sendable {
    /// The number of deliveries that are listed, the latest first.
    private static let count: Int64 = 100

    let configuration: ServerConfiguration
    let request: DeliveriesRequest
    /// The number of seconds for which a replay waits while too many replayed deliveries wait.
    var patience = 60

    /// Lines for standard output. Throws `StartFailure` where there is nothing to replay.
    func run() async throws -> [String] {
        try await CommandDatabase.run(configuration, "deliveries") { pool, now in
            switch request {
            case .latest: try await list(onlyFailing: false, on: pool)
            case .failing: try await list(onlyFailing: true, on: pool)
            case .replay(let id): [try await replay(id, at: now, on: pool)]
            case .replayFailed(let failed): try await replay(failed, at: now, on: pool)
            }
        }
    }

    private func list(onlyFailing: Bool, on pool: PostgresPool) async throws -> [String] {
        let deliveries = try await DeliveryReader.latest(Self.count, onlyFailing: onlyFailing, from: pool)
        if deliveries.isEmpty {
            return [onlyFailing ? "No delivery has failed." : "There are no deliveries."]
        }
        let rows = deliveries.map {
            [
                "\($0.id)", "\($0.dueAt)", $0.type, $0.kind, $0.host, "\($0.attempts)", $0.outcome, $0.detail,
            ].map(Log.escaped)
        }
        let header = ["id", "due (UTC)", "notification", "to", "host", "attempts", "outcome", "detail"]
        return TextTable(header: header, rows: rows).lines
    }

    private func replay(_ id: Int64, at now: Timestamp, on pool: PostgresPool) async throws -> String {
        do {
            try await DeliveryReplay.begin(id, at: now, in: pool)
        } catch let error as ReplayError {
            let reason =
                switch error {
                case .unknown: "There is no delivery \(id)."
                case .pending: "Delivery \(id) is not over yet."
                case .expired: "Delivery \(id) has expired, and would not be sent."
                case .superseded: "Delivery \(id) was replaced by a later one, and is not sent."
                case .disabled(let reason): "The endpoint of delivery \(id) is disabled: \(reason)."
                }
            throw StartFailure(reason)
        }
        return "Delivery \(id) is made again."
    }

    private func replay(
        _ failed: FailedDeliveries, at now: Timestamp, on pool: PostgresPool
    ) async throws -> [String] {
        let audit = AuditLog(
            key: try await ServerKey.read(configuration.auditKey, orKept: "audit-key", in: pool))
        let replay = BulkReplay(
            failed, at: now, by: "command line", requestID: "command line", audit: audit)
        var (position, deliveries, disabled, waits): (BulkReplay.Position?, Int, Int, Int) = (nil, 0, 0, 0)
        let begin = ContinuousClock.now
        while true {
            let step: BulkReplay.Step
            do {
                step = try await replay.step(
                    after: position, at: now.adding(ContinuousClock.now - begin), in: pool)
            } catch ReplayError.unknown {
                throw StartFailure("There is no such host or endpoint.")
            }
            deliveries += step.deliveries
            disabled += step.disabled
            if step.deliveries > 0 {
                try await pool.withConnection { try await ChangeEvent.send([.notifications], on: $0) }
            }
            waits = step.isFull ? waits + 1 : 0
            if waits > patience {
                return [
                    Self.text(deliveries),
                    "\(BulkReplay.mostWaiting) replayed deliveries are waiting; more would delay others. "
                        + "Run the command again later, with --until \(replay.until).",
                ]
            }
            if step.isFull {
                try await Task.sleep(for: .seconds(1))
            } else {
                guard let next = step.next else { break }
                position = next
            }
        }
        guard disabled > 0 else { return [Self.text(deliveries)] }
        return [
            Self.text(deliveries),
            "Left out, since their endpoints are disabled: \(disabled). Enable the endpoints first.",
        ]
    }

    private static func text(_ deliveries: Int) -> String {
        "\(counted(deliveries, "failed delivery is", "failed deliveries are")) made again."
    }
}
