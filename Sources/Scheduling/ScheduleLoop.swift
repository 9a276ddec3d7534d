/// Where the scheduler lives: the loop of the background, or one of a simulation that chooses what runs next.
package protocol ScheduleLoop: SerialExecutor {
    /// Runs the body there, soon.
    func execute(_ body: @escaping @Sendable () -> Void)
}
