import Client
import Contract
import Glibc
import Reactor

enum PingCommand {
    private struct Answer: Encodable {
        let seq: Int
        let milliseconds: Double
    }

    @Sendable static func run(_ invocation: Invocation) async throws {
        let count = try count(invocation)
        let pause = try pause(invocation)
        let room = try await room(invocation)
        let statistics = Lock(PingStatistics())
        let console = invocation.console
        let finish: @Sendable () -> Void = {
            let statistics = statistics.withLock(\.self)
            console.json(statistics)
            console.note("--- \(room.name) ---\n\(statistics.text)")
        }
        Interruption.before(finish)
        console.note("PING \(room.name)")
        var seq = 0
        while seq < count {
            if seq > 0 { try await Task.sleep(for: pause) }
            seq += 1
            do throws(ClientError) {
                let time = try await room.roundTrip()
                statistics.withLock { $0.answered(after: time) }
                let milliseconds = PingStatistics.milliseconds(time)
                console.json(Answer(seq: seq, milliseconds: milliseconds))
                console.line("answer from \(room.source): seq=\(seq) time=\(milliseconds) ms")
            } catch {
                guard room.goesOn(after: error) else { throw error }
                statistics.withLock { $0.lost() }
                console.warn("seq=\(seq): \(SafeText.escape(error.text.local))")
            }
        }
        Interruption.before(nil)
        await room.connection?.stop()
        await room.diagnostics?.value
        finish()
        if statistics.withLock({ $0.received }) == 0 {
            throw Failure(.network, "No answer", "The server did not answer once.")
        }
    }

    /// The target of the pings: the room's connection if there is one, else the server.
    private struct Target: Sendable {
        static let patience = Duration.seconds(5)

        let name: String
        let source: String
        let probe: ServerProbe
        var connection: RoomConnection?
        var diagnostics: Task<Void, Never>?

        func roundTrip() async throws(ClientError) -> Duration {
            guard let connection else { return try await probe.roundTrip() }
            return try await connection.roundTrip(timeout: Self.patience)
        }

        /// Whether another attempt may be answered.
        func goesOn(after error: ClientError) -> Bool {
            switch error {
            case .network, .timedOut: true
            case .badAddress, .problem, .untrusted, .unexpected, .cancelled, .queueFull, .badMessage,
                .storage:
                false
            }
        }
    }

    private static func room(_ invocation: Invocation) async throws -> Target {
        let server = invocation.server.url
        let anonymous = invocation.api(token: nil)
        var target = Target(
            name: "\(server)\(Routes.live), as no room of yours is open", source: server,
            probe: ServerProbe(anonymous))
        let isSignedIn = try? invocation.tokens.isSignedIn(
            at: invocation.server, usual: invocation.usualServer)
        guard invocation.arguments[0] != nil || isSignedIn == true else { return target }
        let finder = RoomFinder(api: try await invocation.signedIn())
        let id = try await invocation.room(finder.api)
        let found = id == nil ? try await finder.currentRoom() : try await finder.openRoom(id)
        guard let found else { return target }
        let connection = try finder.api.connection(in: found.id)
        target = Target(
            name: "room \(found.id) at \(server)", source: "the room", probe: target.probe,
            connection: connection)
        target.diagnostics = DiagnosticLines.follow(connection, invocation)
        return target
    }

    private static func count(_ invocation: Invocation) throws(Failure) -> Int {
        try invocation.arguments.number("count", in: 1...) {
            .usage("--count takes a number from 1, and not \"\($0)\".")
        } ?? .max
    }

    private static func pause(_ invocation: Invocation) throws(Failure) -> Duration {
        let seconds = try invocation.arguments.number("interval", in: 0.01...86_400) {
            .usage("--interval takes seconds from 0.01, and not \"\($0)\".")
        }
        return .milliseconds(Int64(((seconds ?? 1) * 1000).rounded()))
    }
}
