import Contract

/// A recorder of the scheduler's matches and their lateness.
package protocol ScheduleRecorder: Sendable {
    /// Records a match that was committed `lateness` after it was due, and took `seconds` to make.
    func matched(people: Int, rematched: Int, seconds: Double, isFirst: Bool, lateness: Duration)
}
