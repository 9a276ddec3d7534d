import Glibc
import Reactor

extension Testbed {
    /// Makes a testbed with the server in the folder of programs, which is the one of this program unless
    /// another is given.
    static func of(programs folder: String?) throws(BenchError) -> Testbed {
        try Testbed(server: "\(folder ?? ownFolder)/letsswitch-server")
    }

    private static var ownFolder: String {
        let program = realpath("/proc/self/exe", nil)
        defer { free(program) }
        let path = program.map { String(cString: $0) } ?? ""
        return String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)])
    }

    /// Runs the work, and ends the testbed afterwards; a signal ends both, and the process.
    func lend(_ work: @escaping @Sendable () async throws -> CInt) async throws -> CInt {
        let signals = try EventLoopGroup(count: 1, name: "signals")
        return try await withThrowingTaskGroup(of: CInt.self) { group in
            group.addTask {
                await Interruption.wait(on: signals.loops[0])
                if !Task.isCancelled {
                    await self.end()
                    exit(130)
                }
                return 0
            }
            group.addTask {
                do {
                    let code = try await work()
                    await self.end()
                    return code
                } catch {
                    await self.printLogs()
                    await self.end()
                    throw error
                }
            }
            defer { group.cancelAll() }
            return try await group.next() ?? 1
        }
    }
}
