package import Database

/// The decision about fail-over: whether the rooms of another server may be claimed (take-over).
package enum TakeOver {
    /// The facts about the owner, as this server has just learnt them.
    package struct Facts: Equatable, Sendable {
        /// The owner as the database knows it; nil if it has no row.
        package var row: Row?
        /// Whether a connection to its address was refused just now.
        package var isRefused = false
        /// Whether this incarnation has answered a signed probe at that address before: else a refusal may
        /// come from a wrong address or a firewall.
        package var hasAnswered = false
        /// Whether the owner has answered a probe of this server just now.
        package var isReached = false
        /// The answers of the serving peers, without the owner, to the question whether they reach it; nil
        /// until they are asked.
        package var reports: [Report]?

        package init(row: Row?) { self.row = row }
    }

    /// The lease of the owner, its lock and its host.
    package struct Row: Equatable, Sendable {
        /// The time that is left of the lease; nil for a server that has none.
        package var leaseLeft: Duration?
        /// Whether no connection of the process holds its lock.
        package var isLockFree: Bool
        /// Whether the address of the owner is one of this host, whose kernel then refuses the connection.
        package var isOfThisHost: Bool

        package init(leaseLeft: Duration?, isLockFree: Bool, isOfThisHost: Bool = false) {
            self.leaseLeft = leaseLeft
            self.isLockFree = isLockFree
            self.isOfThisHost = isOfThisHost
        }
    }

    /// The answer of a peer to the question whether it reaches the owner.
    package enum Report: Equatable, Sendable {
        case reached
        case notReached
        /// The peer itself did not answer.
        case silent
    }

    package enum Decision: Equatable, Sendable {
        /// The rooms may be claimed, as long as the ground holds.
        case claim(RoomOwners.Ground)
        /// The facts do not suffice: the owner and the peers are to be asked.
        case ask
        case refuse(retryAfter: Duration)
    }

    private static let pause = Duration.seconds(1)

    package static func decide(_ facts: Facts) -> Decision {
        // It ended by itself; or it has been away from the database for long, and may go on by its peers,
        // which tell it of the claim.
        guard let row = facts.row else { return .claim(.leaseIsPast) }
        if facts.isReached { return .refuse(retryAfter: pause) }
        // Nothing listens where it listened, and its connection to the database has ended too: it is no more.
        let isKnownAddress = facts.hasAnswered || row.isOfThisHost
        if facts.isRefused && isKnownAddress && row.isLockFree { return .claim(.processHasEnded) }
        if let left = row.leaseLeft {
            if left > .zero { return .refuse(retryAfter: max(pause, left)) }
        } else if !row.isLockFree {
            return .refuse(retryAfter: pause)
        }
        guard let reports = facts.reports else { return .ask }
        if reports.contains(.reached) { return .refuse(retryAfter: pause) }
        // With peers of which none answers this server is the one that is cut off. Peers that are gone are no
        // serving peers any more as soon as their leases are past.
        if !reports.isEmpty && reports.allSatisfy({ $0 == .silent }) { return .refuse(retryAfter: pause) }
        return .claim(.leaseIsPast)
    }
}

extension RoomOwners.Ground {
    /// The time between a claim and the first answer. An owner whose lease is past may still live, and learns
    /// of the claim meanwhile: it is as long as an owner relies on an answer of its peers (`Lease.grant`).
    package var pause: Duration {
        switch self {
        case .leaseIsPast: .microseconds(Lease.grant)
        case .processHasEnded: .zero
        }
    }
}
