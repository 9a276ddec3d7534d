import Contract
import HTTP1
import Reactor

/// The wait for a server on loopback that was started.
enum Readiness {
    private static let look = Duration.milliseconds(10)

    /// Returns the instant of the first successful answer of `/readyz`; throws if the server ends before, or
    /// after the patience.
    static func wait(for server: ChildProcess, port: UInt16, patience: Duration) async throws -> UInt64 {
        let group = try EventLoopGroup(count: 1, name: "ready")
        defer { group.shutdown() }
        let address = try Loopback.address(port: port)
        let question = RequestPump.Request(method: .get, path: Routes.ready)
        let clock = ContinuousClock()
        let deadline = clock.now + patience
        while clock.now < deadline {
            if (try? await RequestPump.run([question], to: address, on: group.loops[0])) != nil {
                return Monotonic.nanoseconds()
            }
            if let ending = server.currentEnding {
                throw BenchError.failed("The server that was started has ended: \(ending).")
            }
            try await clock.sleep(for: look)
        }
        throw BenchError.failed("The server that was started does not become ready.")
    }
}
