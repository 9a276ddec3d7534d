import Contract
import Postgres

/// What servers that share a database tell each other. A hint shortens a wait; nothing depends on it.
enum Hint: Hashable, Sendable {
    static let channel = "letsswitch"

    /// This process, so that it does not read again what it has just written.
    static let origin: UUID = {
        var random = SystemRandomNumberGenerator()
        return UUID.v4(using: &random)
    }()

    /// Nobody in particular: every server reads the rooms anew.
    static let nobody = UUID(value: 0)

    /// The kinds of which there can be too many to be named one by one.
    enum Kind: String, Hashable, Sendable { case slots, rooms, users }

    /// There are new notifications.
    case notifications
    /// Somebody registered for, or left, a slot.
    case slot(Timestamp)
    /// The rooms of a slot have opened, by the doing of that process.
    case opened(Timestamp, by: UUID)
    /// Who belongs to a room has changed.
    case room(UUID)
    /// Somebody entered a room of this server, or left one. It is not told to others.
    case presence
    /// A user's token was replaced, or the account deleted.
    case user(UUID)
    /// More of a kind have changed than are named. The release before this one does not know it, and ignores it.
    case all(Kind)

    private static let notify = "SELECT pg_notify($1, hint) FROM unnest($2::text[]) AS hint"

    /// Sends all of them in a transaction of their own. A commit that notifies takes a lock of the whole database, so
    /// this is never done inside a transaction that writes.
    static func send(_ hints: [Hint], on connection: PostgresConnection) async throws(PostgresError) {
        try await connection.query(notify, [channel, hints.map(\.text)])
    }

    var text: String {
        switch self {
        case .notifications: "notifications"
        case .slot(let startsAt): "slot \(startsAt)"
        case .opened(let startsAt, let origin): "opened \(startsAt) \(origin)"
        case .room(let id): "room \(id)"
        case .presence: "presence"
        case .user(let id): "user \(id)"
        case .all(let kind): "all \(kind.rawValue)"
        }
    }

    /// Nil for what another version of the server may have said.
    init?(_ text: String) {
        let words = text.split(separator: " ").map(String.init)
        switch (words.first, words.count) {
        case ("notifications", 1): self = .notifications
        case ("slot", 2):
            guard let time = Timestamp(words[1]) else { return nil }
            self = .slot(time)
        case ("opened", 3):
            guard let time = Timestamp(words[1]), let origin = UUID(words[2]) else { return nil }
            self = .opened(time, by: origin)
        case ("room", 2):
            guard let id = UUID(words[1]) else { return nil }
            self = .room(id)
        case ("user", 2):
            guard let id = UUID(words[1]) else { return nil }
            self = .user(id)
        case ("all", 2):
            guard let kind = Kind(rawValue: words[1]) else { return nil }
            self = .all(kind)
        default: return nil
        }
    }
}
