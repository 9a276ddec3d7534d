import Crypto
import Database
import Postgres
import Settings

/// The key by which browsers know this service: the operator's, or else one that is made once and kept in the
/// database.
enum VAPIDKey {
    static func read(_ configuration: ServerConfiguration, from pool: PostgresPool) async throws
        -> P256PrivateKey
    {
        if let text = configuration.vapidPrivateKey { return try P256PrivateKey(text: text) }
        let candidate = try P256PrivateKey().bytes()
        return try P256PrivateKey(
            bytes: try await StoredSecret.read("vapid-key", orKeep: candidate, in: pool))
    }

    /// Returns the warning that pushes to browsers do not name the operator; nil if they do.
    static func warning(_ configuration: ServerConfiguration) -> String? {
        guard configuration.vapidSubject == nil else { return nil }
        return "pushes to browsers name no operator, which some push services refuse: set VAPID_SUBJECT, or "
            + "a PUBLIC_URL with https"
    }
}
