import Contract
import Postgres

/// What servers that share a database tell each other. A hint shortens a wait; nothing depends on it.
enum Hint: Equatable, Sendable {
    static let channel = "letsswitch"

    /// There are new notifications.
    case notifications
    /// Somebody registered for, or left, a slot.
    case slot(Timestamp)
    /// The rooms of a slot have opened.
    case opened(Timestamp)
    /// Who belongs to a room has changed.
    case room(UUID)
    /// A user's token was replaced, or the account deleted.
    case user(UUID)

    /// Inside a transaction it is heard when that commits, and not otherwise.
    func send(on connection: PostgresConnection) async throws(PostgresError) {
        try await connection.query("SELECT pg_notify($1, $2)", [Self.channel, text])
    }

    var text: String {
        switch self {
        case .notifications: "notifications"
        case .slot(let startsAt): "slot \(startsAt)"
        case .opened(let startsAt): "opened \(startsAt)"
        case .room(let id): "room \(id)"
        case .user(let id): "user \(id)"
        }
    }

    /// Nil for what another version of the server may have said.
    init?(_ text: String) {
        let words = text.split(separator: " ", maxSplits: 1)
        let argument = words.count > 1 ? String(words[1]) : ""
        switch words.first {
        case "notifications": self = .notifications
        case "slot": if let time = Timestamp(argument) { self = .slot(time) } else { return nil }
        case "opened": if let time = Timestamp(argument) { self = .opened(time) } else { return nil }
        case "room": if let id = UUID(argument) { self = .room(id) } else { return nil }
        case "user": if let id = UUID(argument) { self = .user(id) } else { return nil }
        default: return nil
        }
    }
}
