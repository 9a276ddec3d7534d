/// Waits until the condition holds, or the task is cancelled. Each question takes a while by itself, or
/// yields.
package func eventually(
    isolation: isolated (any Actor)? = #isolation, _ condition: () async throws -> Bool
) async throws {
    while try await !condition() {
        try Task.checkCancellation()
        await Task.yield()
    }
}
