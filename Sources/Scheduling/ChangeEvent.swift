package import Contract

/// A message between servers that share a database. A change event shortens a wait; nothing depends on it.
package enum ChangeEvent: Hashable, Sendable {
    /// The id of this process, so that it does not read again what it has just written.
    package static let origin: Identifier = {
        var random = SystemRandomNumberGenerator()
        return Identifier.v4(using: &random)
    }()

    /// An id of no process: every server reads the rooms again.
    package static let noProcess = Identifier(value: 0)

    /// The kinds of change of which there can be too many to name one by one.
    package enum Kind: String, Hashable, Sendable { case slots, rooms, users }

    /// There are new notifications.
    case notifications
    /// A person registered for a slot.
    case slot(Timestamp)
    /// Members of rooms of the slot cancelled, or were removed: others may have no partner left. The previous
    /// release ignores it.
    case left(Timestamp)
    /// The rooms of a slot were opened by that process.
    case opened(Timestamp, by: Identifier)
    /// The members of a room have changed. It names no owner: only the owner has the room in memory, and
    /// other servers do not read it.
    case room(Identifier)
    /// A member entered or left a room of this server. Other servers are not notified.
    case presence
    /// A user's token was replaced, or the account deleted.
    case user(Identifier)
    /// An account has another name, time zone or language. The previous release ignores it.
    case account(Identifier)
    /// An operator has announced something, which people in rooms are to see. The previous release ignores
    /// it.
    case announcement(Int64)
    /// That process is to stop as at SIGTERM. The previous release ignores it.
    case drain(Identifier)
    /// The server that has a room is to hand it to another one. The previous release ignores it.
    case move(Identifier, to: Identifier)
    /// There are more changes of a kind than can be named. The previous release ignores this event.
    case all(Kind)

    package var text: String {
        switch self {
        case .notifications: "notifications"
        case .slot(let startsAt): "slot \(startsAt)"
        case .left(let startsAt): "left \(startsAt)"
        case .opened(let startsAt, let origin): "opened \(startsAt) \(origin)"
        case .room(let id): "room \(id)"
        case .presence: "presence"
        case .user(let id): "user \(id)"
        case .account(let id): "account \(id)"
        case .announcement(let id): "announcement \(id)"
        case .drain(let id): "drain \(id)"
        case .move(let room, let server): "move \(room) \(server)"
        case .all(let kind): "all \(kind.rawValue)"
        }
    }

    /// Reads a change event; nil for one of another version of the server.
    package init?(_ text: String) {
        let words = text.split(separator: " ").map(String.init)
        switch (words.first, words.count) {
        case ("notifications", 1): self = .notifications
        case ("slot", 2):
            guard let time = Timestamp(words[1]) else { return nil }
            self = .slot(time)
        case ("left", 2):
            guard let time = Timestamp(words[1]) else { return nil }
            self = .left(time)
        case ("opened", 3):
            guard let time = Timestamp(words[1]), let origin = Identifier(words[2]) else { return nil }
            self = .opened(time, by: origin)
        case ("room", 2):
            guard let id = Identifier(words[1]) else { return nil }
            self = .room(id)
        case ("user", 2):
            guard let id = Identifier(words[1]) else { return nil }
            self = .user(id)
        case ("account", 2):
            guard let id = Identifier(words[1]) else { return nil }
            self = .account(id)
        case ("announcement", 2):
            guard let id = Int64(words[1]) else { return nil }
            self = .announcement(id)
        case ("drain", 2):
            guard let id = Identifier(words[1]) else { return nil }
            self = .drain(id)
        case ("move", 3):
            guard let room = Identifier(words[1]), let server = Identifier(words[2]) else { return nil }
            self = .move(room, to: server)
        case ("all", 2):
            guard let kind = Kind(rawValue: words[1]) else { return nil }
            self = .all(kind)
        default: return nil
        }
    }
}
