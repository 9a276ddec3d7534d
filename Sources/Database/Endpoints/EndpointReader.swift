package import Contract
import Crypto
package import Postgres
package import Settings

/// Reads endpoints as their owner sees them.
package struct EndpointReader: Sendable {
    package let database: PostgresPool
    /// Whether webhooks, and push services that are not listed, are to be verified.
    package let verifies: Bool
    /// The push services that count as verified.
    package let pushServices: PushServices

    package init(database: PostgresPool, verifies: Bool, pushServices: PushServices) {
        self.database = database
        self.verifies = verifies
        self.pushServices = pushServices
    }

    private static let select = """
        SELECT id, kind, address, environment, types, created_at, failing_since, disabled_at, reason,
            verified_at IS NOT NULL, reason_code
        FROM endpoints
        """

    private static let ofUser = "\(select) WHERE user_id = $1 ORDER BY id"

    private static let one = "\(select) WHERE id = $1 AND user_id = $2"

    private static let outcomes = """
        SELECT attempt.delivery_id, coalesce(notice.type, 'test'), attempt.at, attempt.outcome,
            attempt.detail,
            attempt.seconds, attempt.endpoint_id, attempt.detail_code
        FROM unnest($1::uuid[]) AS endpoint (id)
        CROSS JOIN LATERAL (
            SELECT * FROM attempts WHERE endpoint_id = endpoint.id ORDER BY id DESC LIMIT $2
        ) AS attempt
        LEFT JOIN deliveries AS delivery ON delivery.id = attempt.delivery_id
        LEFT JOIN notifications AS notice ON notice.id = delivery.notification_id
        ORDER BY attempt.id DESC
        """

    /// Returns the user's endpoints, with their latest outcomes.
    package func all(of user: SignedInUser) async throws(PostgresError) -> [Endpoint] {
        try await read(Self.ofUser, [user.id])
    }

    /// Returns one endpoint; nil if there is none, or it belongs to another user.
    package func one(_ id: Identifier, of user: SignedInUser) async throws(PostgresError) -> Endpoint? {
        try await read(Self.one, [id, user.id]).first
    }

    private func read(_ statement: String, _ parameters: [Identifier]) async throws(PostgresError)
        -> [Endpoint]
    {
        var endpoints = try await database.query(statement, parameters, retrying: true)
            .map { row throws(PostgresError) in try endpoint(row) }
        if endpoints.isEmpty { return [] }
        var outcomes: [Identifier: [EndpointOutcome]] = [:]
        for row in try await database.query(
            Self.outcomes, [endpoints.map(\.id), Int64(Limits.outcomes)], retrying: true)
        {
            outcomes[try row.decode(6, Identifier.self), default: []].append(try Self.outcome(row))
        }
        for index in endpoints.indices { endpoints[index].outcomes = outcomes[endpoints[index].id] ?? [] }
        return endpoints
    }

    private func endpoint(_ row: PostgresRow) throws(PostgresError) -> Endpoint {
        let kind = try row.decode(1, EndpointKind.self)
        let address = try row.decode(2, String.self)
        let failingSince = try row.decode(6, Timestamp?.self)
        let isDisabled = try row.decode(7, Timestamp?.self) != nil
        let isVerified = try row.decode(9, Bool.self) || kind == .webpush && pushServices.contain(address)
        let code = try row.decode(10, String?.self)
        let isUnverified = verifies && kind != .apns && !isVerified
        return Endpoint(
            id: try row.decode(0, Identifier.self), kind: kind, url: kind == .apns ? nil : address,
            deviceToken: kind == .apns ? address : nil,
            environment: try row.decode(3, String?.self).flatMap(PushEnvironment.init(rawValue:)),
            types: try row.decode(4, [String]?.self),
            state: isDisabled
                ? .disabled : isUnverified ? .unverified : failingSince == nil ? .active : .failing,
            reason: try row.decode(8, String?.self).map { Text(stored: code, english: $0) },
            failingSince: failingSince,
            createdAt: try row.decode(5, Timestamp.self))
    }

    private static func outcome(_ row: PostgresRow) throws(PostgresError) -> EndpointOutcome {
        EndpointOutcome(
            id: WebhookSignature.messageID(try row.decode(0, Int64.self)),
            type: try row.decode(1, String.self),
            at: try row.decode(2, Timestamp.self), outcome: try row.decode(3, String.self),
            detail: Text(stored: try row.decode(7, String?.self), english: try row.decode(4, String.self)),
            milliseconds: try row.decode(5, Double?.self).map { Int64($0 * 1_000) })
    }
}
