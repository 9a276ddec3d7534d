import Client
import Glibc
import Reactor
import TestKit

/// A server as a process of its own, at a free port.
///
/// With `TEST_SERVERS=3` in the environment it is three servers that share a database, behind a proxy that
/// takes them in turn; they are stopped and killed together. One with a private database stays alone.
final class ServerProcess: Sendable {
    /// The time limit of a server, however its test goes wrong.
    private static let timeLimit = Duration.seconds(600)

    /// The settings without limits, since one address asks for more than people do. Tests of the limits set
    /// their own; an empty value is the default.
    static let unlimited: [String: String] = {
        let tests = "/" + #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
        let lines = (try? SmallFile.read("\(tests)/unlimited.env"))?.split(separator: "\n") ?? []
        return Dictionary(lines.map { (String($0.prefix { $0 != "=" }), "0") }) { $1 }
    }()

    /// The DATA_DIR unless another one is given.
    private let folder: TemporaryFolder
    /// The process; the first one where several stand for one.
    let child: ChildProcess
    /// The address `http://127.0.0.1:PORT`, which is that of the proxy where several stand for one; or
    /// `unix:PATH` of a server at a Unix socket, whose ports are 0.
    let url: String
    let port: UInt16
    /// The port of this process itself.
    let ownPort: UInt16

    var server: Server { get throws { try Server(url) } }

    /// Whether several servers stand for one.
    static var areSeveral: Bool { count > 1 }
    private static let count = ProcessEnvironment.current()["TEST_SERVERS"].flatMap { Int($0) } ?? 1

    /// The proxy, and the servers behind it beside this one.
    private let proxy: TCPProxy?
    private let siblings: [ServerProcess]

    /// The processes that stand for this one.
    var members: [ServerProcess] { [self] + siblings }

    /// The log of this process so far.
    var ownLog: String { child.output(.standardError) }

    /// The logs of all members so far.
    var log: String { members.map(\.ownLog).joined(separator: "\n— the next server —\n") }

    /// Starts a server, or as many as stand for one, and waits until it listens: at a new address, or at the
    /// one of an earlier server, which has ended.
    convenience init(_ settings: [String: String], inPlaceOf earlier: ServerProcess? = nil) async throws {
        if !Self.areSeveral || settings["DATABASE_URL"] == nil || earlier != nil && earlier?.proxy == nil {
            let port = earlier.map { ["PORT": "\($0.port)"] } ?? [:]
            try await self.init(one: settings.merging(port) { $1 })
            return
        }
        let proxy = if let old = earlier?.proxy { old } else { try await TCPProxy() }
        let settings = ["PUBLIC_URL": "http://127.0.0.1:\(proxy.port)"].merging(settings) { $1 }
        var siblings: [ServerProcess] = []
        for _ in 1..<Self.count { siblings.append(try await ServerProcess(one: settings)) }
        try await self.init(settings, of: .server, openFiles: nil, behind: proxy, beside: siblings)
        await proxy.redirect(to: members.map(\.ownPort))
    }

    /// Starts one server, also where several stand for one: for a test that names each of its servers, or is
    /// about a single process. `openFiles` is its limit of open files.
    convenience init(
        one settings: [String: String], of program: BuiltProgram = .server, openFiles: Int? = nil
    ) async throws {
        try await self.init(settings, of: program, openFiles: openFiles, behind: nil, beside: [])
    }

    private init(
        _ settings: [String: String], of program: BuiltProgram, openFiles: Int?, behind proxy: TCPProxy?,
        beside siblings: [ServerProcess]
    ) async throws {
        var command = ChildProcess.Command(try program.path())
        if let openFiles {
            // This program becomes the server, and keeps its process id.
            command = ChildProcess.Command(
                "prlimit", ["--nofile=\(openFiles):\(openFiles)", try program.path()])
        }
        folder = TemporaryFolder()
        command.environment = BuiltProgram.environment(
            ["PORT": "0", "WORKERS": "1", "DATA_DIR": folder.path].merging(Self.unlimited) { $1 }
                .merging(settings) { $1 })
        command.timeLimit = Self.timeLimit
        child = try ChildProcess(command)
        guard await child.hasPrinted("listening", on: .standardError) else {
            throw TestError("the server did not start:\n\(child.output(.standardError))")
        }
        let line =
            child.output(.standardError).split(separator: "\n").first { $0.contains("listening") } ?? ""
        let address = line.split(separator: " ").first { $0.hasPrefix("address=") }?.dropFirst(8) ?? ""
        let socket = address.hasPrefix("unix:") ? String(address) : nil
        guard let ownPort = socket == nil ? address.split(separator: ":").last.flatMap({ UInt16($0) }) : 0
        else { throw TestError("the server does not say where it listens: \(line)") }
        self.ownPort = ownPort
        self.proxy = proxy
        self.siblings = siblings
        port = proxy?.port ?? ownPort
        url = socket ?? "http://127.0.0.1:\(port)"
    }

    /// Starts a server and waits until it is ready.
    static func ready(_ settings: [String: String]) async throws -> ServerProcess {
        let server = try await ServerProcess(settings)
        try await server.waitUntilReady()
        return server
    }

    func waitUntilReady() async throws {
        guard await child.hasPrinted("ready url=", on: .standardError) else {
            throw TestError("the server is not ready:\n\(log)")
        }
        for sibling in siblings { try await sibling.waitUntilReady() }
    }

    /// Sends a signal to each member.
    func signal(_ number: CInt) {
        for member in members { member.child.signal(number) }
    }

    /// Has each member stand still, as a process that is not given the processor, and waits until it does.
    func standStill() async throws {
        signal(SIGSTOP)
        for member in members {
            let figures = ProcessFigures(processID: member.child.processID)
            try await eventually { try figures.standsStill() }
        }
    }

    /// Waits until each member has logged the text; returns false if one ends without it.
    func hasLogged(_ text: String) async -> Bool {
        for member in members {
            if await !member.child.hasPrinted(text, on: .standardError) { return false }
        }
        return true
    }

    /// Waits for the end of all members; returns the first ending that is out of order, if there is one.
    @discardableResult
    func ending() async -> ChildProcess.Ending {
        var endings: [ChildProcess.Ending] = []
        for member in members { endings.append(await member.child.ending()) }
        return endings.first { $0 != .exited(0) } ?? .exited(0)
    }

    /// Stops the server in order, and waits for its end.
    @discardableResult
    func stop() async -> ChildProcess.Ending {
        signal(SIGTERM)
        return await ending()
    }

    /// Kills the server, as the loss of the machine would.
    func kill() async {
        signal(SIGKILL)
        await ending()
    }
}
