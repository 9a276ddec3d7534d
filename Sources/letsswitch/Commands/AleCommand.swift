import Client
import Contract
import Reactor

enum AleCommand {
    @Sendable static func run(_ invocation: Invocation) async throws {
        let api = try await invocation.signedIn()
        let room = try await RoomFinder(api: api).openRoom(try await invocation.room(api))
        let connection = try api.connection(in: room.id)
        let lines = DiagnosticLines.follow(connection, invocation)
        let message = OutgoingMessage.ale()
        let result = await Result { () async throws(ClientError) in
            try await connection.sendWhenReady(message)
        }
        let state = await connection.state
        await connection.stop()
        await lines?.value
        if case .failure = result, case .closed(let reason) = state { try RoomEnd.check(reason) }
        let seq = try result.get()
        invocation.console.json(
            ["event": "acked", "messageId": .string(message.id), "room": "\(room.id)", "seq": .integer(seq)])
        invocation.console.note("The ale has arrived.")
    }
}
