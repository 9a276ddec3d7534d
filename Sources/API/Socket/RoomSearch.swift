package import Cluster
package import Contract
import Database
package import HTTPServer

/// A device at this server that wants to enter a room. It is admitted here, or brought to the server that has
/// the room.
package protocol RoomEntrant: Sendable {
    /// A connection to the server that has the room.
    associatedtype Link: Sendable

    var room: Identifier { get }
    /// Whether another server has brought the device. One hop is enough: if the room is not here, the device
    /// is sent back.
    var isFromServer: Bool { get }
    /// Whether that server asks all, since its database is away.
    var asksAll: Bool { get }
    /// Whether this server relies on its lease.
    var isCertain: Bool { get }
    /// Whether the database was away at the last renewal of the lease.
    var isWithoutDatabase: Bool { get }

    /// Waits until this server may rely on its lease, or for two seconds.
    func untilCertain() async
    /// Lets the device into the room, if it is here. Returns false if it is not let in.
    func join() -> Bool
    /// Lets the device into the room. Returns false if the room is not here; throws any other reason for
    /// which the device is not let in.
    func joinIfHere() throws -> Bool
    /// Lets the device into the room, or throws the reason for which it is not let in. Of a room that is
    /// not here this says that it has closed, if the device was a member.
    func joinOrFail() async throws
    /// Answers the server that has brought the device that the room is not here.
    func sendBack()
    /// As `RoomTunnels.open`.
    func open(at owner: Identifier, term: Int32) async -> TunnelOutcome<Link>
    /// As `RoomTunnels.openAnywhere`.
    func openAnywhere() async -> TunnelOutcome<Link>?
    /// Passes on all bytes from now on. Returns false if the owner is no longer connected.
    func relay(to link: Link) -> Bool
    /// Refuses the device with the owner's answer.
    func answer(_ response: HTTPResponse) async
    /// Counts a step of a take-over.
    func count(_ step: TakeOverStep)
}

/// A step of a take-over for which a device waits.
package enum TakeOverStep: Sendable {
    /// The owner does not answer.
    case unreachable
    case taken
    case opened
}

extension OwnedRooms {
    /// The number of times that the owner of a room is looked for: it may change meanwhile.
    private static var searches: Int { 3 }

    /// Finds the server that has the room of a device, by the database, and lets the device in there. Throws
    /// the reason for which the device is refused.
    package func admit(_ device: some RoomEntrant) async throws {
        // A server that has just started, or was paused, waits for its lease. Then it need not ask further if
        // it knows the room.
        if !device.isCertain {
            await device.untilCertain()
            if device.join() { return }
        }
        if device.asksAll { return device.sendBack() }
        var hasTaken = false
        for _ in 0..<Self.searches {
            guard let place = try await locate(for: device) else { return }
            switch place {
            case .here:
                // Another server may have taken the room since its row was read.
                guard try device.joinIfHere() else { continue }
                if hasTaken { device.count(.opened) }
                return
            case .unknown: return try await device.joinOrFail()
            case .elsewhere(let owner, let term):
                if device.isFromServer { return device.sendBack() }
                switch try await pass(device, to: owner, term) {
                case .done: return
                case .notThere: break
                case .taken: hasTaken = true
                }
            }
        }
        throw SocketEndpoint.elsewhere
    }

    /// Returns the server that has the room; nil if the device has got its answer. Without the database all
    /// servers are asked, so that a device that has lost its connection gets back into an open
    /// room.
    private func locate(for device: some RoomEntrant) async throws -> RoomPlace? {
        if device.isFromServer { return try await locate(device.room) }
        if device.isWithoutDatabase, await passAnywhere(device) { return nil }
        do {
            return try await locate(device.room)
        } catch {
            if await passAnywhere(device) { return nil }
            throw error
        }
    }

    /// Brings the device to the server that has its room, whichever that is. Returns false if none says so.
    private func passAnywhere(_ device: some RoomEntrant) async -> Bool {
        switch await device.openAnywhere() {
        case .open(let link): return device.relay(to: link)
        case .answered(let response):
            await device.answer(response)
            return true
        case .notOwner, .mayTake, .unreachable, .full, nil: return false
        }
    }

    /// Brings the device to the owner of its room, or takes the room over from an owner that is gone.
    private func pass(
        _ device: some RoomEntrant, to owner: Identifier, _ term: Int32
    ) async throws -> Passage {
        switch await device.open(at: owner, term: term) {
        case .open(let link): return device.relay(to: link) ? .done : .notThere
        case .answered(let response):
            await device.answer(response)
            return .done
        case .notOwner: return .notThere
        case .mayTake(let ground):
            guard try await take(device.room, from: owner, term: term, on: ground) else { return .notThere }
            device.count(.taken)
            return .taken
        case .unreachable(let wait):
            device.count(.unreachable)
            throw APIError(
                .unavailable, "The server that has this room does not answer. Try again in a moment.",
                headers: ["Retry-After": "\(max(1, Int(wait.components.seconds)))"])
        case .full:
            throw APIError(
                .unavailable, "There are too many connections. Try again soon.",
                headers: ["Retry-After": "5"])
        }
    }
}

/// The result of bringing a device to the owner of its room.
private enum Passage {
    /// The device has its answer.
    case done
    /// The owner has to be looked for again.
    case notThere
    /// This server has taken the room over.
    case taken
}
