package import Contract
import Database
import Logging
import Reactor

/// A decision about one owner, shared by all clients that knock until it is made.
enum TakeOverTurn {
    case underWay([CheckedContinuation<TakeOver.Decision, Never>])
    /// The decision, and until when it holds.
    case decided(TakeOver.Decision, until: UInt64)
}

extension ClusterService {
    /// The time for which a decision holds, since every knock at a room of that owner asks for it.
    private static let validity: UInt64 = 500_000_000
    /// The number of times that the lock of a server is read again to which a connection was refused.
    private static let lockReadings = 5
    /// The most owners whose decisions are kept.
    private static let maximumDecisions = 256

    /// Decides whether this server may claim rooms of that owner. `refused` says that a connection to its
    /// address has just been refused. The database is asked, then the owner, and its peers if need be.
    ///
    /// A claim changes a room's owner only if its row says still what it said before the call, and if the
    /// ground of the decision holds still.
    package func mayTake(_ owner: Identifier, refused: Bool) async -> TakeOver.Decision {
        switch decisions[owner] {
        case .underWay:
            return await withCheckedContinuation { enqueue($0, for: owner) }
        case .decided(let decision, let until) where time.monotonic() < until:
            return decision
        case .decided, nil:
            break
        }
        if decisions.count >= Self.maximumDecisions { forgetDecisions() }
        decisions[owner] = .underWay([])
        // The decision is for all who wait for it: it goes on if the client that asked first goes away.
        let decision = await Task(executorPreference: time.executor) {
            await self.decide(owner, refused: refused)
        }.value
        if case .underWay(let waiters) = decisions[owner] {
            decisions[owner] = .decided(decision, until: time.monotonic() + Self.validity)
            for waiter in waiters { waiter.resume(returning: decision) }
        }
        return decision
    }

    /// Returns the ground on which rooms of that owner may be claimed without trying to reach it through a
    /// tunnel: it was decided a moment ago, or its lease was past when this server last renewed its own, and
    /// the decision is the same now. Else returns nil.
    func mayTakeAtOnce(_ owner: Identifier) async -> RoomOwners.Ground? {
        if case .decided(.claim(let ground), let until) = decisions[owner], time.monotonic() < until {
            return ground
        }
        guard peers.find(owner)?.isAlive == false,
            case .claim(let ground) = await mayTake(owner, refused: false)
        else { return nil }
        return ground
    }

    /// Returns the URL at which a server is reached; nil if it has none. A server that came after the last
    /// renewal is looked up, and one that had no address yet: at its start its row is there before its lease.
    nonisolated func address(of server: Identifier) async -> String? {
        if let known = peers.find(server)?.address { return known }
        return try? await directory.read(server, boot: nil)?.entry.address
    }

    /// Adds a waiter to those of the decision, which may have been made since the caller looked.
    private func enqueue(
        _ waiter: CheckedContinuation<TakeOver.Decision, Never>, for owner: Identifier
    ) {
        switch decisions[owner] {
        case .underWay(let waiters): decisions[owner] = .underWay(waiters + [waiter])
        case .decided(let decision, _): waiter.resume(returning: decision)
        case nil: waiter.resume(returning: .refuse(retryAfter: .seconds(1)))
        }
    }

    private func forgetDecisions() {
        decisions = decisions.filter { entry in
            if case .underWay = entry.value { true } else { false }
        }
    }

    private func decide(_ owner: Identifier, refused: Bool) async -> TakeOver.Decision {
        do {
            guard let found = try await directory.read(owner, boot: own.boot) else {
                return TakeOver.decide(TakeOver.Facts(row: nil))
            }
            var facts = TakeOver.Facts(row: found.row)
            facts.isRefused = refused
            if let address = found.entry.address {
                facts.hasAnswered = answered[owner] == address
                switch await talk.probe(owner, at: address) {
                case .reached:
                    answered[owner] = address
                    facts.isReached = true
                case .refused: facts.isRefused = true
                // Here is its address now, so it is here no longer.
                case .stranger(own.incarnation) where found.isOfThisHost: facts.isRefused = true
                case .stranger, .rejected, .unsigned, .noAnswer: break
                case .notAsked: return .refuse(retryAfter: .seconds(1))
                }
            }
            // The database notices a moment later than the network that a process has ended.
            for _ in 0..<Self.lockReadings where facts.isRefused && facts.row?.isLockFree == false {
                try await time.sleep(.milliseconds(200))
                facts.row = try await directory.read(owner, boot: own.boot)?.row
            }
            let first = TakeOver.decide(facts)
            guard first == .ask else { return note(first, owner) }
            if let address = found.entry.address {
                facts.reports = await reports(about: owner, at: address)
            } else {
                facts.reports = []
            }
            // The owner may have renewed its lease meanwhile.
            facts.row = try await directory.read(owner, boot: own.boot)?.row
            return note(TakeOver.decide(facts), owner)
        } catch {
            // Without the database nothing is taken over.
            return .refuse(retryAfter: .seconds(1))
        }
    }

    private func note(_ decision: TakeOver.Decision, _ owner: Identifier) -> TakeOver.Decision {
        if case .claim = decision {
            Log.info("server gone; its rooms can be taken over", ["server": "\(owner)"])
        }
        return decision
    }

    /// Asks all serving peers but the owner whether they reach it.
    private func reports(about owner: Identifier, at address: String) async -> [TakeOver.Report] {
        let talk = talk
        let serving = peers.all.filter { $0.incarnation != owner && $0.entry.isAlive }
        return await withTaskGroup(of: TakeOver.Report.self) { group in
            for peer in serving {
                group.addTask {
                    guard let peerAddress = peer.entry.address else { return .silent }
                    return await talk.reach(owner, at: address, from: peer.incarnation, at: peerAddress)
                }
            }
            var reports: [TakeOver.Report] = []
            for await report in group { reports.append(report) }
            return reports
        }
    }
}

extension ServerDirectory.Finding {
    fileprivate var row: TakeOver.Row {
        TakeOver.Row(leaseLeft: entry.leaseLeft, isLockFree: isLockFree, isOfThisHost: isOfThisHost)
    }
}
