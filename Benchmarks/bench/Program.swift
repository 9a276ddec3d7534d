import Glibc
import Reactor

/// Selects the command and its exit code: 0, 1 when something is wrong, 2 for an invalid command line.
enum Program {
    static let help = """
        bench: measures the room's relay, and checks every delivery.

          bench echo      a WebSocket echo server, for conformance suites
          bench rooms     makes users and rooms on a server, and prints an address for each member
          bench relay     drives a relay, and prints one JSON line
          bench return    restarts a server, and measures how soon its clients are back
          bench deploy    restarts servers one after the other under load, with a PostgreSQL of its own
          bench punctual  measures how punctual a server is, with a PostgreSQL of its own
          bench cluster   measures several servers: tunnels, take-over and hand-over of rooms

        bench COMMAND --help says more.
        """

    static func run(_ words: [String]) -> CInt {
        guard let command = words.first, command != "--help", command != "help" else {
            Output.say(help)
            return words.isEmpty ? 2 : 0
        }
        let rest = words.dropFirst()
        do {
            switch command {
            case "echo": return try EchoCommand.run(rest)
            case "rooms": return try RoomsCommand.run(rest)
            case "relay": return try RelayCommand.run(rest)
            case "return": return try ReturnCommand.run(rest)
            case "cluster": return try ClusterCommand.run(rest)
            case "deploy": return try DeployCommand.run(rest)
            case "punctual": return try PunctualCommand.run(rest)
            default: throw BenchError.usage("There is no command \(command). bench --help lists them.")
            }
        } catch {
            Output.warn("\(error)")
            if case BenchError.usage = error { return 2 }
            return 1
        }
    }

    /// Runs a command's asynchronous part, and returns its exit code: 1 when it throws an error, which is
    /// printed.
    static func perform(_ body: @escaping @Sendable () async throws -> CInt) -> CInt {
        MainThread.run {
            do {
                return try await body()
            } catch {
                Output.warn("\(error)")
                return 1
            }
        }
    }
}
