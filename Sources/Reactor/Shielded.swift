/// Runs the work in a task of its own, which a cancellation of the caller does not reach, and waits for its
/// result. The task prefers the executor, or none.
package func shielded<Value: Sendable, Failure: Error>(
    on executor: (any TaskExecutor)? = nil,
    _ work: @escaping @Sendable () async throws(Failure) -> Value
) async throws(Failure) -> Value {
    let task = Task(executorPreference: executor) { () async -> Result<Value, Failure> in
        do throws(Failure) {
            return .success(try await work())
        } catch {
            return .failure(error)
        }
    }
    return try await task.value.get()
}
