import ClientTesting
import Glibc
import Reactor
import TestKit
import Testing

/// The built command, run as a process with sockets for its standard streams.
struct CommandProcess {
    struct Outcome: Sendable {
        var status: Int32
        var output: String
        var errors: String
    }

    private let folder = TemporaryFolder(mode: 0o700)
    /// The folder of its configuration.
    var home: String { folder.path }

    var tokenPath: String { "\(home)/letsswitch/token" }

    /// Returns a command that is signed in.
    static func signedIn() throws -> CommandProcess {
        let process = CommandProcess()
        try process.signIn()
        return process
    }

    func signIn() throws {
        #expect(mkdir("\(home)/letsswitch", 0o700) == 0)
        try writeToken()
    }

    func writeToken() throws {
        let file = open(tokenPath, O_WRONLY | O_CREAT | O_EXCL, 0o600)
        try #require(file >= 0)
        #expect(write(file, "secret\n", 7) == 7)
        close(file)
    }

    /// Replaces the stored token.
    func replaceToken(_ token: String) throws {
        let text = Array("\(token)\n".utf8)
        let file = open(tokenPath, O_WRONLY | O_TRUNC)
        try #require(file >= 0)
        #expect(write(file, text, text.count) == text.count)
        close(file)
    }

    /// Runs the command to its end. `signal` is sent once its output contains `until`.
    func run(
        _ arguments: [String], server: String, input: String = "", signal: Int32 = SIGINT,
        until: String? = nil, environment: [String] = []
    ) async throws -> Outcome {
        try await run(
            path: try Child.command(), arguments, input: input, signal: signal, until: until,
            environment: ["LETSSWITCH_URL=\(server)", "XDG_CONFIG_HOME=\(home)", "TZ=UTC"] + environment)
    }

    /// Runs commands one after the other as a user who is signed in, and returns their outcomes.
    static func run(_ commands: [[String]], at server: ScriptedServer) async throws -> [Outcome] {
        let process = try signedIn()
        var outcomes: [Outcome] = []
        for command in commands { outcomes.append(try await process.run(command, server: server.url)) }
        return outcomes
    }

    /// Runs any program to its end.
    func run(
        path: String, _ arguments: [String], input: String = "", signal: Int32 = SIGINT,
        until: String? = nil, environment: [String], nonBlockingOutput: Bool = false
    ) async throws -> Outcome {
        let group = try EventLoopGroup(count: 1, name: "child")
        let child = try Child(path, arguments, environment, nonBlockingOutput: nonBlockingOutput)
        let loop = group.loops[0]
        let (output, errors) = (Pipe(until: until), Pipe(until: nil))
        let id = child.id
        await output.read(child.output, on: loop) { kill(id, signal) }
        await errors.read(child.errors, on: loop) {}
        child.write(input)
        let outcome = Outcome(
            status: 0, output: await output.text(on: loop), errors: await errors.text(on: loop))
        let status = child.wait()
        group.shutdown()
        return Outcome(status: status, output: outcome.output, errors: outcome.errors)
    }
}
