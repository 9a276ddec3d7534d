import Contract
import Database
import Scheduling

/// The dispatcher of change events to the parts of this server that they concern. The kinds are handled
/// separately, so that many of one kind do not delay another.
struct ChangeDispatcher: Sendable {
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

    /// Has the parts handle change events until the task is cancelled, each queue by itself.
    func run(_ parts: [any Part]) async {
        await withTaskGroup { group in
            for (queue, what) in [
                (quick, "changes"), (rooms, "reading rooms"), (users, "ending sessions"),
                (announcements, "announcing"), (moves, "moving rooms"),
            ] {
                group.addTask {
                    await queue.run(what) { for part in parts { try await part.changed($0) } }
                }
            }
        }
    }
}
