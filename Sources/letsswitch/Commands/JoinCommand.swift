import Client
import Contract
import Glibc
import Reactor

enum JoinCommand {
    @Sendable static func run(_ invocation: Invocation) async throws {
        let api = try invocation.signedIn()
        let (inputs, continuation) = AsyncStream.makeStream(of: JoinInput.self)
        let isInteractive =
            invocation.console.isTerminal && isatty(STDIN_FILENO) == 1 && !invocation.console.isJSON
        let input = StandardInput(on: invocation.loop) { bytes in
            if let bytes { continuation.yield(.typed(Array(bytes))) }
        }
        let room = invocation.arguments[0]
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await attend(api, room, continuation) }
            let show: any JoinView
            if isInteractive {
                show = try JoinDisplay(on: invocation.loop) { continuation.yield(.tick) }
            } else {
                show = JoinLines(invocation.console)
            }
            defer { show.end() }
            input.resume()
            defer { input.pause() }
            var join = Join(view: show, input: input, isInteractive: isInteractive)
            try await join.run(inputs)
            group.cancelAll()
        }
    }

    /// Finds the room, stays in it, and passes on what happens.
    private static func attend(
        _ api: APIClient, _ room: String?, _ inputs: AsyncStream<JoinInput>.Continuation
    ) async {
        do {
            let room = try await RoomFinder(api: api).nextRoom(room) { inputs.yield(.waiting($0)) }
            let connection = try api.connection(in: room.id)
            let events = connection.events
            inputs.yield(.found(room, connection))
            await connection.start()
            for await event in events { inputs.yield(.event(event)) }
            await connection.stop()
            inputs.yield(.ended(nil))
        } catch {
            inputs.yield(.ended(error))
        }
    }
}
