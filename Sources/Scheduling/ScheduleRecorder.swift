import Contract

/// Hears what the scheduler did, and how late.
package protocol ScheduleRecorder: Sendable {
    /// A match was committed `lateness` after it was due; `seconds` is how long it took to make.
    func matched(people: Int, rematched: Int, seconds: Double, isFirst: Bool, lateness: Duration)
}
