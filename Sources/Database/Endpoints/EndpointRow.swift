package import Contract
import Crypto
package import Outbox
package import Postgres

/// An endpoint as the database has it, with the columns that delivering needs.
package struct EndpointRow: Sendable {
    /// Returns the columns for `SELECT`, in the order in which they are read; `endpoint` is the table, `$now`
    /// the instant.
    package static func columns(now: String) -> String {
        """
        endpoint.id, endpoint.host, endpoint.kind, endpoint.address, endpoint.environment, endpoint.p256dh,
        endpoint.auth, endpoint.secret,
        ARRAY(
            SELECT retired.secret FROM retired_secrets AS retired
            WHERE retired.endpoint_id = endpoint.id AND retired.valid_until > \(now)
            ORDER BY retired.valid_until DESC),
        endpoint.reason, endpoint.verified_at IS NOT NULL,
        (SELECT language FROM accounts WHERE accounts.id = endpoint.user_id),
        coalesce(endpoint.registered_at, endpoint.created_at), endpoint.farewell_at IS NOT NULL,
        endpoint.reason_code, endpoint.user_id
        """
    }

    package let id: Identifier
    /// The user who owns it.
    package let user: Identifier
    package let host: String
    package let kind: EndpointKind
    package let target: DeliveryMessage.Target
    /// The target of the last push of a browser whose session has expired; nil for all other endpoints.
    package let farewell: DeliveryMessage.Target?
    /// The language of the user; English where none was chosen.
    package let language: Language
    /// The instant at which the endpoint was created, or registered for the last time.
    package let registeredAt: Timestamp

    /// Reads an endpoint; `first` is the index of the first of the columns.
    package init(_ row: PostgresRow, from first: Int) throws {
        id = try row.decode(first, Identifier.self)
        host = try row.decode(first + 1, String.self)
        kind = try row.decode(first + 2, EndpointKind.self)
        language = try row.decode(first + 11, String?.self).flatMap { Language(rawValue: $0) } ?? .english
        registeredAt = try row.decode(first + 12, Timestamp.self)
        user = try row.decode(first + 15, Identifier.self)
        let isEnding = try row.decode(first + 13, Bool.self)
        if let reason = try row.decode(first + 9, String?.self) {
            let code = try row.decode(first + 14, String?.self)
            target = .disabled(reason: Text(stored: code, english: reason))
            farewell = isEnding ? try Self.target(kind, row, from: first) : nil
        } else {
            target = try Self.target(kind, row, from: first)
            farewell = nil
        }
    }

    /// Returns the target of an endpoint that is not disabled.
    private static func target(
        _ kind: EndpointKind, _ row: PostgresRow, from first: Int
    ) throws -> DeliveryMessage.Target {
        let address = try row.decode(first + 3, String.self)
        switch kind {
        case .webhook:
            let secrets =
                [try row.decode(first + 7, [UInt8].self)] + (try row.decode(first + 8, [[UInt8]].self))
            return .webhook(
                url: address, secrets: try secrets.map { try WebhookSecret(bytes: $0) },
                isVerified: try row.decode(first + 10, Bool.self))
        case .apns:
            let environment = PushEnvironment(rawValue: try row.decode(first + 4, String.self))
            return .apns(deviceToken: address, environment: environment ?? .production)
        case .webpush:
            return .webpush(
                url: address, publicKey: try row.decode(first + 5, [UInt8].self),
                auth: try row.decode(first + 6, [UInt8].self),
                isVerified: try row.decode(first + 10, Bool.self))
        }
    }
}
