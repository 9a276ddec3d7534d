/// Runs the work in a task of its own, which a cancellation of the caller does not reach, and waits for its
/// result. The task prefers the executor, or none.
package func shielded<Value: Sendable, Failure: Error>(
    on executor: (any TaskExecutor)? = nil,
    _ work: @escaping @Sendable () async throws(Failure) -> Value
) async throws(Failure) -> Value {
    try await Task(executorPreference: executor) { await Result(awaiting: work) }.value.get()
}

extension Result {
    /// Creates what the body returns or throws, so that work can follow in either case.
    package init(
        isolation: isolated (any Actor)? = #isolation, awaiting body: () async throws(Failure) -> Success
    ) async {
        do throws(Failure) {
            self = .success(try await body())
        } catch {
            self = .failure(error)
        }
    }
}
