import Client
import Contract
import Reactor

enum AleCommand {
    private struct Answer: Encodable {
        let event = "acked"
        let room: UUID
        let messageId: String
        let seq: Int64
    }

    @Sendable static func run(_ invocation: Invocation) async throws {
        let api = try invocation.signedIn()
        let room = try await RoomFinder(api: api).openRoom(invocation.arguments[0])
        let session = api.session(in: room.id)
        let sent = await session.cheer()
        while let event = try await session.next() {
            switch event {
            case .acknowledged(let messageId, let seq) where messageId == sent:
                await session.leave()
                invocation.console.json(Answer(room: room.id, messageId: messageId, seq: seq))
                invocation.console.note("The ale has arrived.")
                return
            case .refused(let code, let detail, _):
                await session.leave()
                let isRate = code == SocketErrorCode.rateLimited.rawValue
                throw Failure(isRate ? .rateLimited : .other, "The ale was not taken", detail)
            case .closed(let code, let reason):
                throw RoomEnd.failure(code: code, reason: reason)
                    ?? Failure(.notFound, "The room closed", "The room closed before the ale arrived.")
            case .acknowledged, .connected, .ale, .presence, .members, .moved, .interrupted:
                continue
            }
        }
    }
}
