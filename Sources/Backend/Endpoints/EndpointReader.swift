import Contract
import Postgres

/// Reads endpoints as their owner sees them.
struct EndpointReader: Sendable {
    let database: PostgresPool

    private static let select = """
        SELECT id, kind, address, environment, types, created_at, failing_since, disabled_at, reason
        FROM endpoints
        """

    private static let ofUser = "\(select) WHERE user_id = $1 ORDER BY id"

    private static let one = "\(select) WHERE id = $1 AND user_id = $2"

    private static let outcomes = """
        SELECT attempt.delivery_id, coalesce(notice.type, 'test'), attempt.at, attempt.outcome, attempt.detail,
            attempt.seconds
        FROM attempts AS attempt
        LEFT JOIN deliveries AS delivery ON delivery.id = attempt.delivery_id
        LEFT JOIN notifications AS notice ON notice.id = delivery.notification_id
        WHERE attempt.endpoint_id = $1
        ORDER BY attempt.id DESC
        LIMIT $2
        """

    func all(of user: SignedInUser) async throws(PostgresError) -> [Endpoint] {
        var endpoints: [Endpoint] = []
        for row in try await database.query(Self.ofUser, [user.id], retrying: true) {
            endpoints.append(try Self.endpoint(row))
        }
        return endpoints
    }

    /// With its latest outcomes. Nil where there is none, or it is somebody else's.
    func one(_ id: UUID, of user: SignedInUser) async throws(PostgresError) -> Endpoint? {
        guard let row = try await database.query(Self.one, [id, user.id], retrying: true).first else {
            return nil
        }
        var endpoint = try Self.endpoint(row)
        var outcomes: [EndpointOutcome] = []
        for row in try await database.query(
            Self.outcomes, [id, Int64(Limits.outcomes)], retrying: true)
        {
            outcomes.append(try Self.outcome(row))
        }
        endpoint.outcomes = outcomes
        return endpoint
    }

    private static func endpoint(_ row: PostgresRow) throws(PostgresError) -> Endpoint {
        guard let kind = EndpointKind(rawValue: try row.decode(1, String.self)) else {
            throw .decoding("an endpoint of an unknown kind")
        }
        let address = try row.decode(2, String.self)
        let failingSince = try row.decode(6, Timestamp?.self)
        let isDisabled = try row.decode(7, Timestamp?.self) != nil
        return Endpoint(
            id: try row.decode(0, UUID.self), kind: kind, url: kind == .apns ? nil : address,
            deviceToken: kind == .apns ? address : nil,
            environment: try row.decode(3, String?.self).flatMap(PushEnvironment.init(rawValue:)),
            types: try row.decode(4, [String]?.self),
            state: isDisabled ? .disabled : failingSince == nil ? .active : .failing,
            reason: try row.decode(8, String?.self), failingSince: failingSince,
            createdAt: try row.decode(5, Timestamp.self))
    }

    private static func outcome(_ row: PostgresRow) throws(PostgresError) -> EndpointOutcome {
        EndpointOutcome(
            id: WebhookSink.messageID(try row.decode(0, Int64.self)), type: try row.decode(1, String.self),
            at: try row.decode(2, Timestamp.self), outcome: try row.decode(3, String.self),
            detail: try row.decode(4, String.self),
            milliseconds: try row.decode(5, Double?.self).map { Int64($0 * 1_000) })
    }
}
