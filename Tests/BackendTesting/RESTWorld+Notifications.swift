import Contract
import Postgres
import Scheduling
import Testing

@testable import Database

extension RESTWorld {
    /// Writes a notification for the owner of a registration.
    func tell(_ registration: Identifier, _ type: NotificationType, _ room: Identifier?, revision: Int32?)
        async throws
    {
        let user = try await pool.query("SELECT user_id FROM registrations WHERE id = $1", [registration])[0]
            .decode(0, Identifier.self)
        let notice = Notice(
            user: user, type: type, registration: registration, room: room, revision: revision)
        try await pool.transaction { try await NotificationWriter.write([notice], at: clock.now, on: $0) }
    }

    func notifications(_ token: String, _ query: String = "") async throws -> [JSONValue] {
        try await send("GET", "/v1/notifications\(query)", token: token).json()["notifications"]?.array ?? []
    }
}
