/// The main thread of a program whose signals are read by a loop.
///
/// An asynchronous `main` would give the thread to the runtime's queue, which unblocks every signal in it; so
/// the work is a task, and the main thread only waits for its end.
package enum MainThread {
    /// Runs the body to its end, and returns its exit code.
    package static func run(_ body: @escaping @Sendable () async -> CInt) -> CInt {
        let code = Monitor<CInt?>(nil)
        Task {
            let result = await body()
            code.change { $0 = result }
        }
        return code.wait { $0.map { .found($0) } ?? .nothing(until: nil) }
    }
}
