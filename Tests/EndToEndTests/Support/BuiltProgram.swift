import Reactor
import TestKit

/// A program that the build has put beside the tests, or one in the folder `LETSSWITCH_PROGRAMS`, so that a
/// release build can be tested too.
enum BuiltProgram: String {
    case server = "letsswitch-server"
    case client = "letsswitch"
    /// A server whose statements fail, or are mistaken, as a test asks: always the one beside the tests.
    case faultyServer = "faulty-server"
    /// The server with another page, which `makeOther` makes of the one beside the tests.
    case otherServer = "other-server"
    /// The server of the previous release, at the path that `LETSSWITCH_PREVIOUS` names.
    case previousServer = "previous-server"

    private static let folder = ProcessEnvironment.current()["LETSSWITCH_PROGRAMS"]
    private static let previous = ProcessEnvironment.current()["LETSSWITCH_PREVIOUS"]

    static var hasPrevious: Bool { previous != nil }

    func path() throws -> String {
        if self == .previousServer, let previous = Self.previous { return previous }
        if let folder = Self.folder, self != .faultyServer { return "\(folder)/\(rawValue)" }
        return try pathOfBuilt(rawValue)
    }

    /// Makes the server of another build, by `Tests/Interop/other_build.py`.
    static func makeOther() async throws {
        let root = "/" + #filePath.split(separator: "/").dropLast(4).joined(separator: "/")
        let server = try BuiltProgram.server.path()
        let made = try await Finished.run(
            "\(root)/Tests/Interop/other_build.py",
            [server, "\(server.dropLast(BuiltProgram.server.rawValue.count))other-server"])
        guard made.status == 0 else { throw TestError("\(made)") }
    }

    /// Returns an environment with nothing of the caller's but what a program needs to find others, and the
    /// way in which servers wait for sockets: all tests run on either.
    static func environment(_ variables: [String: String]) -> [String: String] {
        let own = ProcessEnvironment.current()
        var environment = ["PATH": own["PATH"] ?? "/usr/bin:/bin", "TZ": "UTC"]
        environment["REACTOR"] = own["REACTOR"]
        environment.merge(variables) { $1 }
        return environment
    }
}
