import Contract
import Postgres

/// The notices to the owners of endpoints that their failures have disabled. They are announcements, which
/// reach the list of notifications, streams, and the owner's other endpoints.
enum DisabledEndpoints {
    private static let longestReason = 200
    /// The maximum of the table `announcements`, in characters of Unicode.
    private static let longestText = 500

    private static let select = """
        SELECT endpoint.user_id, endpoint.kind, endpoint.host, endpoint.reason, account.language,
            endpoint.reason_code
        FROM endpoints AS endpoint JOIN accounts AS account ON account.id = endpoint.user_id
        WHERE endpoint.id = ANY ($1::uuid[])
        ORDER BY endpoint.id
        """

    /// Writes a notice for each of the endpoints, in its owner's language; `AnnouncementWorker` sends it.
    static func tell(
        _ endpoints: [Identifier], at now: Timestamp, on connection: PostgresConnection
    ) async throws(PostgresError) {
        for row in try await connection.query(select, [endpoints]) {
            let (owner, kind, host, reason, language, code) = try row.decode(
                Identifier.self, String.self, String.self, String?.self, String?.self, String?.self)
            let spoken = language.flatMap { Language(rawValue: $0) } ?? .english
            let because = Text(stored: code, english: reason ?? "").said(in: spoken).prefix(longestReason)
            let said = notice(EndpointKind(rawValue: kind), host, String(because)).said(in: spoken)
            _ = try await Announcements.add(
                String(String.UnicodeScalarView(said.unicodeScalars.prefix(longestText))), to: .person(owner),
                by: Announcements.serviceName, at: now,
                on: connection)
        }
    }

    private static func notice(_ kind: EndpointKind?, _ host: String, _ reason: String) -> Text {
        switch kind {
        case .apns:
            "Notifications to one of your devices have stopped: \(reason). Open the app there to resume."
        case .webpush:
            "Notifications to one of your browsers have stopped: \(reason). Turn them on there to resume."
        case .webhook, nil:
            "Notifications to your webhook at \(host) have stopped: \(reason). Resume it once it works."
        }
    }
}
