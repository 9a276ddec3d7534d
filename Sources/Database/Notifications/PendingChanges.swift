package import Contract
package import Scheduling

/// Change events that wait to be dealt with: each kind and key once. If there are more keys of a kind than
/// `bound`, only that fact is kept: then all of the kind has to be looked at.
package struct PendingChanges: Equatable, Sendable {
    package static let standardBound = 4096

    private let bound: Int
    package private(set) var notifications = false
    package private(set) var presence = false
    package private(set) var slots: Set<Timestamp> = []
    /// The slots of whose rooms members left.
    package private(set) var left: Set<Timestamp> = []
    /// The server that has opened each slot.
    package private(set) var opened: [Timestamp: Identifier] = [:]
    package private(set) var rooms: Set<Identifier> = []
    package private(set) var users: Set<Identifier> = []
    package private(set) var accounts: Set<Identifier> = []
    package private(set) var announcements: Set<Int64> = []
    package private(set) var drains: Set<Identifier> = []
    /// The server to which each room is to go.
    package private(set) var moves: [Identifier: Identifier] = [:]
    package private(set) var all: Set<ChangeEvent.Kind> = []

    package init(bound: Int = PendingChanges.standardBound) { self.bound = bound }

    package var isEmpty: Bool { self == PendingChanges(bound: bound) }

    /// The number of kinds and keys that wait.
    package var count: Int {
        (notifications ? 1 : 0) + (presence ? 1 : 0) + slots.count + left.count + opened.count + rooms.count
            + users.count
            + accounts.count + announcements.count + drains.count + moves.count + all.count
    }

    package mutating func insert(_ changeEvent: ChangeEvent) {
        switch changeEvent {
        case .notifications: notifications = true
        case .presence: presence = true
        case .slot(let startsAt):
            if all.contains(.slots) { return }
            slots.insert(startsAt)
            if slots.count > bound { insert(.all(.slots)) }
        case .left(let startsAt):
            if all.contains(.slots) { return }
            left.insert(startsAt)
            if left.count > bound { insert(.all(.slots)) }
        case .opened(let startsAt, let origin):
            if all.contains(.rooms) { return }
            // If two processes have written rooms of a slot, both read them.
            let isSame = opened[startsAt].map { $0 == origin } ?? true
            opened[startsAt] = isSame ? origin : ChangeEvent.noProcess
            if opened.count > bound { insert(.all(.rooms)) }
        case .room(let id):
            if all.contains(.rooms) { return }
            rooms.insert(id)
            if rooms.count > bound { insert(.all(.rooms)) }
        case .user(let id):
            if all.contains(.users) { return }
            users.insert(id)
            if users.count > bound { insert(.all(.users)) }
        case .account(let id):
            if all.contains(.users) { return }
            accounts.insert(id)
            if accounts.count > bound { insert(.all(.users)) }
        // Operators make few of these. The oldest ones give way: people have them as notifications too.
        case .announcement(let id):
            announcements.insert(id)
            if announcements.count > bound, let first = announcements.min() { announcements.remove(first) }
        case .drain(let id): if drains.count < bound { drains.insert(id) }
        case .move(let room, let server):
            if moves.count < bound || moves[room] != nil { moves[room] = server }
        case .all(let kind):
            all.insert(kind)
            switch kind {
            case .slots: (slots, left) = ([], [])
            case .rooms: (rooms, opened) = ([], [:])
            case .users: (users, accounts) = ([], [])
            }
        }
    }

    package mutating func removeAll() { self = PendingChanges(bound: bound) }

    package mutating func formUnion(_ other: PendingChanges) {
        for changeEvent in other.changeEvents { insert(changeEvent) }
    }

    /// The changes as change events, each once.
    package var changeEvents: [ChangeEvent] {
        var changeEvents: [ChangeEvent] = []
        if notifications { changeEvents.append(.notifications) }
        if presence { changeEvents.append(.presence) }
        changeEvents += slots.map { .slot($0) }
        changeEvents += left.map { .left($0) }
        changeEvents += opened.map { .opened($0.key, by: $0.value) }
        changeEvents += rooms.map { .room($0) }
        changeEvents += users.map { .user($0) }
        changeEvents += accounts.map { .account($0) }
        changeEvents += announcements.sorted().map { .announcement($0) }
        changeEvents += drains.map { .drain($0) }
        changeEvents += moves.map { .move($0.key, to: $0.value) }
        changeEvents += all.map { .all($0) }
        return changeEvents
    }
}
