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
        let seq: Int64
        do throws(ClientError) {
            seq = try await connection.sendWhenReady(message)
        } catch {
            let state = await connection.state
            await connection.stop()
            await lines?.value
            if case .closed(let reason) = state { try RoomEnd.check(reason) }
            throw error
        }
        await connection.stop()
        await lines?.value
        invocation.console.json(
            ["event": "acked", "messageId": .string(message.id), "room": "\(room.id)", "seq": .integer(seq)])
        invocation.console.note("The ale has arrived.")
    }
}
