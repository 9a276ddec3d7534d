import Contract
import Database
import HTTP1
import HTTPServer
import Reactor
import Rooms
import Settings

/// The answers to devices that are not let into a room.
extension SocketEndpoint {
    /// Refuses a device, at once or a little later: see `SocketErrorMemory`.
    func refuse(
        _ connection: LoopBound<WebSocketConnection>, _ error: any Error, to source: Source
    ) async {
        if case .client(let request) = source { refusals.note(error, for: request) }
        let response = Answer.refusal(for: error, id: source.id, in: source.language)
        await refuse(connection, response, to: source)
    }

    func refuse(
        _ connection: LoopBound<WebSocketConnection>, _ response: HTTPResponse, to source: Source
    ) async {
        if case .client(let request) = source { await refusals.hold(response.status, for: request) }
        refuse(connection.value, response, to: source)
    }

    func refuse(_ connection: WebSocketConnection, _ response: HTTPResponse, to source: Source) {
        var response = response
        switch source {
        case .client: response.move(below: application.configuration.basePath)
        case .server(let server):
            var body: [UInt8] = []
            if case .bytes(let bytes) = response.body { body = bytes }
            let field = server.signed(body)
            response.headers.append(field.name, field.value)
        }
        connection.refuse(response)
    }

    static func problem(for error: RoomHost.JoinError) -> APIError {
        switch error {
        case .unknownRoom, .notAMember: noSuchRoom
        case .staleToken:
            unauthenticated("This token, or the one that the ticket was made under, has been replaced.")
        case .closed: closed
        case .tooManyDevices:
            APIError(
                .tooManyDevices,
                "You are in this room on as many devices as may be. Leave it on one of them.",
                headers: ["Retry-After": "5"])
        case .draining:
            APIError(
                .draining, "The server is about to stop. Try again in a moment.",
                headers: ["Retry-After": "2"])
        // The device is gone and does not read the answer, which must not answer its next attempt either.
        case .uncertain, .gone: elsewhere
        }
    }

    static func unauthenticated(_ detail: Text) -> APIError {
        APIError(
            .unauthenticated, detail,
            headers: ["WWW-Authenticate": "Bearer realm=\"letsswitch\", error=\"invalid_token\""])
    }

    static let noSuchRoom = APIError(
        .notFound, "There is no such room, or you are not a member of it.")
    static let elsewhere = APIError(
        .unavailable, "Another server has this room. Try again in a moment.", headers: ["Retry-After": "1"])
    static let closed = APIError(.gone, "This room has closed.")
}
