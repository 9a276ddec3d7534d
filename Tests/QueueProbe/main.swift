import CLinux
import Client
import Contract
import Glibc
import Reactor

/// Queues ales in the file that the first argument names, which the kernel limits to 16 KiB, and one more
/// when the limit is lifted. Prints how many were accepted before the first was refused, and the reason.
///
/// It is a process of its own, since such a limit applies to the whole process.
func limitFiles(to bytes: rlim_t) {
    var limit = rlimit(rlim_cur: bytes, rlim_max: .max)
    precondition(setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit) == 0)
}

limitFiles(to: 16 * 1024)
let status = MainThread.run {
    do throws(ClientError) {
        var configuration = ConnectionConfiguration()
        configuration.queuePath = CommandLine.arguments[1]
        var generator = SystemRandomNumberGenerator()
        let room = Identifier.v4(using: &generator)
        let api = try APIClient(server: Server("http://127.0.0.1:9"), token: "t")
        let connection = try api.connection(in: room, configuration: configuration)
        var taken = 0
        do throws(ClientError) {
            while true {
                try await connection.send(.ale(id: "\(taken + 1)"), by: .queuedOnly)
                taken += 1
            }
        } catch {
            print("\(taken): \(error.detail)")
        }
        limitFiles(to: .max)
        try await connection.send(.ale(id: "last"), by: .queuedOnly)
        print(await connection.queueDepth)
        return 0
    } catch {
        print("unexpected: \(error.detail)")
        return 1
    }
}
exit(status)
