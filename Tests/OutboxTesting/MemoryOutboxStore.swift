package import Contract
package import Outbox
import Synchronization

/// One delivery worker's view of a `MemoryOutbox`.
package struct MemoryOutboxStore: OutboxStore {
    let outbox: MemoryOutbox
    let name: String

    package func renew(for lease: Duration) async throws {
        let uptime = outbox.clock.uptime()
        try asking { state in
            for (id, row) in state.rows where row.deliveryWorker == name {
                state.rows[id]?.deliveryWorker = nil
            }
            state.aliveUntil[name] = uptime + lease
        }
        await pause(outbox.renewalDelay)
    }

    package func prolong(for lease: Duration) async throws -> Bool {
        let uptime = outbox.clock.uptime()
        let isKept = try asking { state in
            let isKept = isAlive(name, state, at: uptime)
            if isKept { state.aliveUntil[name] = uptime + lease }
            return isKept
        }
        await pause(outbox.renewalDelay)
        return isKept
    }

    package func claim(limit: Int, bounds: ClaimBounds) async throws -> [Delivery<String>] {
        await pause(outbox.claimDelay)
        let (now, uptime) = (outbox.clock.now(), outbox.clock.uptime())
        return try asking { state in
            state.claims += 1
            guard isAlive(name, state, at: uptime), !state.isLocked else { return [] }
            let due = state.rows.values.filter { isFree($0, state, at: uptime) && $0.dueAt <= now }
                .sorted { ($0.priority, $0.dueAt, $0.delivery.id) < ($1.priority, $1.dueAt, $1.delivery.id) }
            var (hosts, users) = ([String: Int](), [Identifier: Int]())
            var claimed: [Delivery<String>] = []
            for row in due where claimed.count < limit {
                let (host, user) = (row.delivery.host, row.delivery.user)
                func part(_ bound: Int) -> Int {
                    row.priority < ClaimBounds.replayed ? bound : max(1, bound / 4)
                }
                guard Self.takes(row, bounds), hosts[host, default: 0] < part(bounds[host]),
                    users[user, default: 0] < part(bounds.perUser)
                else { continue }
                hosts[host, default: 0] += 1
                users[user, default: 0] += 1
                state.rows[row.delivery.id]?.deliveryWorker = name
                claimed.append(
                    Delivery(
                        id: row.delivery.id, endpoint: row.delivery.endpoint, user: user, host: host,
                        priority: row.priority, attempts: row.attempts, expiresAt: row.delivery.expiresAt,
                        message: row.delivery.message))
            }
            return claimed
        }
    }

    package func settle(_ settlements: [Settlement]) async throws {
        try asking { state in
            for settlement in settlements {
                guard var row = state.rows[settlement.delivery], row.deliveryWorker == name else { continue }
                row.deliveryWorker = nil
                if settlement.duration != nil { row.attempts += 1 }
                switch settlement.verdict {
                case .retry(let at):
                    row.dueAt = at
                    row.details.append(settlement.detail.description)
                case .postponed: break
                case .deferred(let at): row.dueAt = at
                case .delivered, .exhausted, .refused, .expired, .gone:
                    row.verdict = settlement.verdict
                    row.details.append(settlement.detail.description)
                }
                state.rows[settlement.delivery] = row
                if settlement.verdict == .gone { end(settlement.endpoint, in: &state) }
                if settlement.verdict == .delivered { state.failingSince[settlement.endpoint] = nil }
                if case .retry = settlement.verdict, state.failingSince[settlement.endpoint] == nil {
                    state.failingSince[settlement.endpoint] = settlement.at
                }
            }
            for settlement in settlements { hold(settlement, in: &state) }
        }
    }

    /// Delays the deliveries that wait for an endpoint whose receiver answered with an error.
    private func hold(_ failure: Settlement, in state: inout MemoryOutbox.State) {
        guard let asked = failure.askedPause else { return }
        let failing = state.failingSince[failure.endpoint].map { failure.at.since($0) } ?? .zero
        guard max(asked, failing) > .zero else { return }
        for (id, row) in state.rows where row.delivery.endpoint == failure.endpoint {
            guard row.verdict == nil, row.deliveryWorker == nil, row.dueAt <= failure.at else { continue }
            let longest = Duration.seconds(row.priority <= 0 ? 10 : 300)
            state.rows[id]?.dueAt = failure.at.adding(max(asked, min(failing, longest)))
        }
    }

    /// Settles the other deliveries to an endpoint that is gone.
    private func end(_ endpoint: Identifier, in state: inout MemoryOutbox.State) {
        for (id, row) in state.rows where row.delivery.endpoint == endpoint && row.verdict == nil {
            state.rows[id]?.verdict = .gone
            state.rows[id]?.deliveryWorker = nil
        }
    }

    /// Whether a claim within the bounds may take any such delivery.
    private static func takes(_ row: MemoryOutbox.Row, _ bounds: ClaimBounds) -> Bool {
        let host = row.delivery.host
        return bounds[host] > 0 && (row.priority <= 0 || !bounds.urgentOnly.contains(host))
            && !bounds.served.contains(row.delivery.user)
    }

    package func nextDue(bounds: ClaimBounds) async throws -> Timestamp? {
        let (now, uptime) = (outbox.clock.now(), outbox.clock.uptime())
        return try asking { state in
            let due = state.rows.values.compactMap { row -> Timestamp? in
                isFree(row, state, at: uptime) && Self.takes(row, bounds) ? row.dueAt : nil
            }.min()
            let end = state.aliveUntil.filter { $0.key != name && uptime < $0.value }.values.min()
            return [due, end.map { now.adding($0 - uptime) }].compactMap(\.self).min()
        }
    }

    private func pause(_ delay: Duration) async {
        if delay > .zero { await outbox.clock.sleep(for: delay) }
    }

    private func asking<Value>(_ body: (inout MemoryOutbox.State) throws -> Value) throws -> Value {
        try outbox.state.withLock { state in
            state.questions += 1
            if state.isDown { throw MemoryOutbox.Away() }
            return try body(&state)
        }
    }

    private func isFree(_ row: MemoryOutbox.Row, _ state: MemoryOutbox.State, at uptime: Duration) -> Bool {
        guard row.verdict == nil else { return false }
        return row.deliveryWorker.map { !isAlive($0, state, at: uptime) } ?? true
    }

    private func isAlive(_ deliveryWorker: String, _ state: MemoryOutbox.State, at uptime: Duration) -> Bool {
        state.aliveUntil[deliveryWorker].map { uptime < $0 } ?? false
    }
}
