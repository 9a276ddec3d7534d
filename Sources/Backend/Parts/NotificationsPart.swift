import Database
import Scheduling

/// The notifications that streams of events get.
struct NotificationsPart: Part {
    let feed: NotificationFeed

    var tasks: [@Sendable () async -> Void] { [feed.run] }

    func changed(_ changes: PendingChanges) async throws {
        if changes.notifications { await feed.wake() }
        if changes.all.contains(.users) { try await feed.endOutdated() }
        for user in changes.users { await feed.end(user) }
    }

    func compare() async throws { try await feed.endOutdated() }
}
