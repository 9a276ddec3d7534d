import TestKit
import Testing

@testable import Reactor

@Suite("Shielded work")
struct ShieldedTests {
    private struct Fault: Error {}

    @Test("is not cancelled with its caller")
    func cancelled() async {
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            let inside = await shielded { Task.isCancelled }
            return (inside, Task.isCancelled)
        }
        #expect(await task.value == (false, true))
    }

    @Test("throws its error to its caller")
    func failing() async {
        await #expect(throws: Fault.self) { try await shielded { throw Fault() } }
    }

    @Test("runs on the executor that it is given")
    func executor() async {
        let loop = TestLoops.next()
        #expect(await shielded(on: loop) { loop.isCurrent })
    }
}
