import Codecs
import Contract
import Reactor
import Scheduling

/// The counts and latencies of the scheduler, for `/metrics`.
final class ScheduleMetrics: ScheduleRecorder {
    private static let seconds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 60]
    private static let sizes: [Double] = [1, 2, 5, 10, 50, 100, 500, 1_000, 10_000, 100_000, 1_000_000]
    /// The time after an opening from which a notification counts as written later than the opening.
    private static let opening = Duration.seconds(5)

    struct Values {
        var matches = 0
        var people = 0
        var rematched = 0
        var matchSeconds = Histogram(bounds: ScheduleMetrics.seconds)
        /// The times from the commit of a slot's first match to its rooms' being open here.
        var openingSeconds = Histogram(bounds: ScheduleMetrics.seconds)
        /// The times that closing a slot took in the database.
        var closingSeconds = Histogram(bounds: ScheduleMetrics.seconds)
        /// The number of people in the first match of each slot.
        var slotSizes = Histogram(bounds: ScheduleMetrics.sizes)
        /// The delay of `room.opened` at event streams, in seconds.
        var noticeLateness = Histogram(bounds: ScheduleMetrics.seconds)
        /// The delay of the latest first match of a slot, from the instant at which it was due to its commit.
        var lastLatenessSeconds = 0.0
        var maximumLatenessSeconds = 0.0

        /// Returns the figures; a match is `overdue` now.
        func figures(overdue: Duration) -> [Figure] {
            [
                Figure("matches_total", "Matches that were made.", matches),
                Figure("matched_people_total", "People that were matched.", people),
                Figure(
                    "rematched_people_total", "People who were alone and went to another room.", rematched),
                Figure("match_duration_seconds", "How long matches took.", matchSeconds),
                Figure(
                    "slot_opening_duration_seconds",
                    "From the commit of a slot's first match to its rooms being open here.", openingSeconds),
                Figure(
                    "slot_closing_duration_seconds", "How long it took to close slots in the database.",
                    closingSeconds),
                Figure("slot_people", "How many were matched at the opening of a slot.", slotSizes),
                Figure(
                    "notice_lateness_seconds",
                    "From the instant that a room.opened was due to its going out on an event stream.",
                    noticeLateness),
                Figure(
                    "match_lateness_seconds", "From the instant that the latest match was due to its commit.",
                    lastLatenessSeconds),
                Figure(
                    "match_overdue_seconds",
                    "For how long the match of the first slot that is due has been waited for; "
                        + "0 if none is due.",
                    overdue.inSeconds),
                Figure(
                    "match_lateness_seconds_maximum",
                    "From the instant that a match was due to its commit, the worst since the start.",
                    maximumLatenessSeconds),
            ]
        }
    }

    private let values = Lock(Values())

    func matched(people: Int, rematched: Int, seconds: Double, isFirst: Bool, lateness: Duration) {
        values.withLock { values in
            values.matches += 1
            values.people += people
            values.rematched += rematched
            values.matchSeconds.add(seconds)
            guard isFirst else { return }
            values.slotSizes.add(Double(people))
            values.lastLatenessSeconds = lateness.inSeconds
            values.maximumLatenessSeconds = max(values.maximumLatenessSeconds, values.lastLatenessSeconds)
        }
    }

    func opened(seconds: Double) { values.withLock { $0.openingSeconds.add(seconds) } }

    func closed(seconds: Double) { values.withLock { $0.closingSeconds.add(seconds) } }

    /// Records that a stream got a `room.opened`. It was due at the opening, or, for a late member, when it
    /// was written.
    func told(writtenAt: Timestamp, opensAt: Timestamp, at now: Timestamp) {
        let due = writtenAt.since(opensAt) < Self.opening ? opensAt : writtenAt
        let seconds = now.since(due).inSeconds
        values.withLock { $0.noticeLateness.add(seconds) }
    }

    var current: Values { values.withLock { $0 } }
}
