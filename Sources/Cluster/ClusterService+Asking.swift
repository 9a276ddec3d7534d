package import Contract
package import Database
package import HTTPServer

/// The answer to a device's request that was sent on to the owner of its room.
package enum OwnerAnswer<Link: Sendable>: Sendable {
    /// The owner has let the device in.
    case open(Link)
    /// The owner does not let the device in; the client gets this answer.
    case answered(HTTPResponse)
    /// The server does not own the room any more.
    case notOwner
    /// There is no answer of the owner. `refused` says that nothing listens at its address.
    case noAnswer(refused: Bool)
    /// This server has no descriptor to ask the owner, which says nothing of the owner.
    case full
}

/// The outcome of bringing a device to the owner of its room.
package enum TunnelOutcome<Link: Sendable>: Sendable {
    /// The owner has let the device in.
    case open(Link)
    /// The owner does not let the device in; the client gets this answer.
    case answered(HTTPResponse)
    /// The server does not own the room any more.
    case notOwner
    /// The owner is gone: this server may take its room over.
    case mayTake(RoomOwners.Ground)
    /// The owner does not answer, and may still live. The client comes back after that time.
    case unreachable(retryAfter: Duration)
    /// This server has no descriptor for a connection to the owner. The client comes back later.
    case full

    var kind: ClusterMetrics.Tunnel {
        switch self {
        case .open: .open
        case .answered: .refused
        case .notOwner: .notOwner
        case .mayTake: .gone
        case .unreachable: .unreachable
        case .full: .full
        }
    }
}

extension ClusterService {
    /// Sends a device's request to the owner of its room by `send`, whose argument is the owner's address;
    /// finds out whether the owner is gone if it gives no answer.
    package nonisolated func ask<Link>(
        _ owner: Identifier, _ send: (String) async -> OwnerAnswer<Link>
    ) async -> TunnelOutcome<Link> {
        // A connection to a machine that is gone takes two seconds to fail, and many devices may come.
        if let ground = await mayTakeAtOnce(owner) { return .mayTake(ground) }
        guard let address = await address(of: owner) else { return await judge(owner, refused: false) }
        switch await send(address) {
        case .open(let link): return .open(link)
        case .answered(let response): return .answered(response)
        case .notOwner: return .notOwner
        case .noAnswer(let refused): return await judge(owner, refused: refused)
        case .full: return .full
        }
    }

    private nonisolated func judge<Link>(_ owner: Identifier, refused: Bool) async -> TunnelOutcome<Link> {
        switch await mayTake(owner, refused: refused) {
        case .claim(let ground): .mayTake(ground)
        case .refuse(let wait): .unreachable(retryAfter: wait)
        case .ask: .unreachable(retryAfter: .seconds(1))
        }
    }
}
