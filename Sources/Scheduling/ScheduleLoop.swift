/// The loop that runs the scheduler: the background loop, or one of a simulation that chooses what runs next.
package protocol ScheduleLoop: SerialExecutor {
    /// Runs the body on the loop, soon.
    func execute(_ body: @escaping @Sendable () -> Void)
}
