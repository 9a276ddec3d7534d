import Contract
import Database
import Scheduling

/// The dispatcher of change events to the parts of this server that they concern. The kinds are handled
/// separately, so that many of one kind do not delay another.
struct ChangeDispatcher: Sendable {
    /// The handler of each kind. Those of rooms and users are tried again if they throw.
    struct Actions: Sendable {
        /// Handles new notifications, and perhaps new deliveries.
        var notifications: @Sendable () async -> Void
        var presence: @Sendable () async -> Void
        var slot: @Sendable (Timestamp) async -> Void
        /// Handles that members left rooms of a slot.
        var left: @Sendable (Timestamp) async -> Void = { _ in }
        var allSlots: @Sendable () async -> Void
        var rooms: @Sendable (PendingChanges) async throws -> Void
        var users: @Sendable (PendingChanges) async throws -> Void
        /// Shows an announcement to people in rooms; it is tried again if it throws.
        var announcement: @Sendable (Int64) async throws -> Void = { _ in }
        /// Handles that a server is to stop.
        var drain: @Sendable (Identifier) async -> Void = { _ in }
        /// Hands a room, if it is here, to a server.
        var move: @Sendable (_ room: Identifier, _ server: Identifier) async -> Void = { _, _ in }
    }

    /// The change events whose handlers do not wait for the database.
    private let quick = ChangeQueue()
    private let rooms = ChangeQueue()
    /// The change events of users, which have their own queue because a revoked token is urgent.
    private let users = ChangeQueue()
    private let announcements = ChangeQueue()
    private let moves = ChangeQueue()

    /// Enqueues a change event. It may be called from any thread, and never waits.
    func receive(_ changeEvent: ChangeEvent) {
        switch changeEvent {
        case .notifications, .presence, .slot, .left, .all(.slots), .drain: quick.add(changeEvent)
        // This process has read the rooms that it opened.
        case .opened(_, by: ChangeEvent.origin): break
        case .opened, .room, .all(.rooms): rooms.add(changeEvent)
        case .user, .all(.users): users.add(changeEvent)
        // The cache of sign-ins, which waits for nothing, has dropped it.
        case .account: break
        case .announcement: announcements.add(changeEvent)
        case .move: moves.add(changeEvent)
        }
    }

    /// The figures of the queues, by what the change events in them are about.
    var figures: [(name: String, figures: ChangeQueue.Figures)] {
        [
            ("slots", quick.figures), ("rooms", rooms.figures), ("users", users.figures),
            ("announcements", announcements.figures), ("moves", moves.figures),
        ]
    }

    /// Handles change events until the task is cancelled.
    func run(_ actions: Actions) async {
        await withTaskGroup { group in
            group.addTask {
                await quick.run("changes") { changes in
                    if changes.notifications { await actions.notifications() }
                    if changes.presence { await actions.presence() }
                    if changes.all.contains(.slots) { await actions.allSlots() }
                    for server in changes.drains { await actions.drain(server) }
                    for slot in changes.slots { await actions.slot(slot) }
                    for slot in changes.left { await actions.left(slot) }
                }
            }
            group.addTask { await rooms.run("reading rooms") { try await actions.rooms($0) } }
            group.addTask { await users.run("ending sessions") { try await actions.users($0) } }
            group.addTask {
                await announcements.run("announcing") { changes in
                    for id in changes.announcements.sorted() { try await actions.announcement(id) }
                }
            }
            group.addTask {
                await moves.run("moving rooms") { changes in
                    for (room, server) in changes.moves { await actions.move(room, server) }
                }
            }
        }
    }
}
