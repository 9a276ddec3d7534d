import Client
import Contract
import Glibc
import Reactor

enum JoinCommand {
    @Sendable static func run(_ invocation: Invocation) async throws {
        let hasSound = try JoinSound.isOn(
            setting: Environment[JoinSound.variable], isSwitchedOff: invocation.arguments.has("no-bell"))
        let api = try await invocation.signedIn()
        let (inputs, continuation) = AsyncStream.makeStream(of: JoinInput.self)
        let isInteractive = isInteractive(invocation)
        let input = StandardInput(on: invocation.loop) { bytes in
            continuation.yield(bytes.map { .typed(Array($0)) } ?? .typedAll)
        }
        let show: any JoinView
        if isInteractive {
            show = try JoinDisplay(
                on: invocation.loop, hasColor: invocation.console.hasColor, hasSound: hasSound
            ) { continuation.yield(.tick) }
        } else {
            show = JoinLines(invocation.console)
        }
        var join = Join(view: show, input: input, isInteractive: isInteractive)
        do {
            defer { show.end() }
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { await attend(api, invocation, continuation) }
                input.resume()
                defer { input.pause() }
                try await join.run(inputs)
                group.cancelAll()
            }
        }
        if isInteractive {
            invocation.console.note(join.model.farewell)
            if let suggestion = join.model.suggestion { invocation.console.advise(suggestion) }
        }
    }

    /// Whether there is a screen to draw on, and nothing else writes to it.
    private static func isInteractive(_ invocation: Invocation) -> Bool {
        guard invocation.console.isTerminal, isatty(STDIN_FILENO) == 1 else { return false }
        if invocation.arguments.has("diagnostics") && isatty(STDERR_FILENO) == 1 { return false }
        return !invocation.console.isJSON && Environment["TERM"] != "dumb"
    }

    /// Finds the room, stays in it, and passes on its events.
    private static func attend(
        _ api: APIClient, _ invocation: Invocation, _ inputs: AsyncStream<JoinInput>.Continuation
    ) async {
        do {
            let id = try await invocation.room(api)
            let room = try await RoomFinder(api: api).nextRoom(id) {
                inputs.yield(.waiting($0))
            }
            let connection = try api.connection(in: room.id)
            let (events, health) = (connection.events, connection.healthChanges)
            let lines = DiagnosticLines.follow(connection, invocation)
            inputs.yield(.found(room, connection))
            await withTaskGroup { group in
                group.addTask { for await health in health { inputs.yield(.health(health)) } }
                await connection.start()
                for await event in events { inputs.yield(.event(event)) }
                await connection.stop()
            }
            await lines?.value
            inputs.yield(.ended(nil))
        } catch {
            inputs.yield(.ended(error))
        }
    }
}
