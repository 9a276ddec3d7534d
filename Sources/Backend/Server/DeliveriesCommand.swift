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

    /// Lines for standard output. Throws `StartFailure` where there is nothing to replay.
    func run() async throws -> [String] {
        try await CommandDatabase.run(configuration, "deliveries") { pool, now in
            switch request {
            case .latest: try await list(onlyFailing: false, on: pool)
            case .failing: try await list(onlyFailing: true, on: pool)
            case .replay(let id): [try await replay(id, at: now, on: pool)]
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
}
