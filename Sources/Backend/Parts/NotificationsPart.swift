import API
import Codecs
import Contract
import Database
import Scheduling

/// The notifications that streams of events get.
struct NotificationsPart: Part {
    let feed: NotificationFeed
    private let reader: NotificationReader
    private let limits: RequestLimits

    /// `schedule` records the lateness of `room.opened`.
    init(_ context: PartContext, schedule: ScheduleMetrics) {
        let (rules, now) = (context.rules, context.now)
        limits = context.application.limits
        reader = NotificationReader(tickets: context.application.tickets)
        feed = NotificationFeed(pool: context.pool, reader: reader, now: now) { notification in
            guard case .roomOpened(let details) = notification.data else { return }
            schedule.told(
                writtenAt: notification.createdAt, opensAt: rules.opensAt(details.startsAt), at: now())
        }
    }

    func routes(_ rest: REST, into routers: inout Routers) {
        routers.open.add(NotificationEndpoints(rest), EventEndpoints(rest, feed, reader))
    }

    var tasks: [@Sendable () async -> Void] { [feed.run] }

    func changed(_ changes: PendingChanges) async throws {
        if changes.notifications { await feed.wake() }
        if changes.all.contains(.users) { try await feed.endOutdated() }
        for user in changes.users { await feed.end(user) }
    }

    func figures() async -> [Figure] {
        [
            Figure("event_streams", "Open streams of events.", await feed.streamCount),
            Figure(
                "event_streams_replaced_total", "Streams of events that gave their places to newer ones.",
                limits.replacedStreams),
        ]
    }

    func compare() async throws { try await feed.endOutdated() }
}
