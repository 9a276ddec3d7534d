import Contract

/// A recorder of what the scheduler does, and how long it takes.
package protocol ScheduleRecorder: Sendable {
    /// Records a match that was committed `lateness` after it was due, and took `seconds` to make.
    func matched(people: Int, rematched: Int, seconds: Double, isFirst: Bool, lateness: Duration)
    /// Records that the rooms of a slot's first match are open in memory, `seconds` after its commit.
    func opened(seconds: Double)
    /// Records that a slot was closed in the database, which took `seconds`.
    func closed(seconds: Double)
}
