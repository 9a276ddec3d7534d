package import Contract
import HTTP1
import HTTPServer

/// The requests by which a server hands its rooms to another one.
extension PeerTalk {
    /// The path of the call that takes the state of rooms.
    package static let roomsPath = "/cluster/rooms"
    /// The path of the call that tells the other server that it owns rooms now.
    package static let ownedPath = "/cluster/owned"
    /// The most bytes of rooms in one request: a room of 64 people whose logs are full takes 900 KiB.
    package static let maximumRoomBytes = 2 << 20

    /// Sends rooms to another server, which keeps them aside. Returns the rooms that it has taken; nil if it
    /// gives no answer, or takes none.
    package func offer(
        _ rooms: [UInt8], to peer: Identifier, at address: String
    ) async -> Set<Identifier>? {
        taken(
            await ask(
                .rooms, .post, Self.roomsPath, of: peer, at: address, body: rooms,
                type: "application/octet-stream", timeout: Self.timeout * 2), of: peer)
    }

    /// Notifies another server that rooms were given to it, or that they were not after all: it reads their
    /// rows. Returns those that it has now; nil if it gives no answer, or cannot read them.
    package func tellOwned(
        _ rooms: [Identifier], to peer: Identifier, at address: String
    ) async -> Set<Identifier>? {
        taken(
            await ask(
                .owned, .post, Self.ownedPath, of: peer, at: address, body: Self.list(rooms).bytes,
                timeout: Self.timeout * 2), of: peer)
    }

    package static func list(_ rooms: some Sequence<Identifier>) -> JSONValue {
        ["rooms": .array(rooms.map { .string($0.description) })]
    }

    /// Reads the JSON of a list of rooms; nil if it is none, or too long.
    package static func rooms(in body: [UInt8]) -> [Identifier]? {
        guard let list = (try? JSONValue.parse(body))?["rooms"]?.array, list.count <= maximumRooms else {
            return nil
        }
        return list.compactMap { $0.string.flatMap { Identifier($0) } }
    }

    private func taken(
        _ result: Result<Answered, PeerLinkError>, of peer: Identifier
    ) -> Set<Identifier>? {
        guard case .success(let (assertion, answer)) = result, answer.status == 200,
            isSigned(answer, by: peer, to: assertion), let rooms = Self.rooms(in: answer.body)
        else { return nil }
        return Set(rooms)
    }
}
