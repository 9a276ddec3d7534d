package import Contract
package import Outbox
import Synchronization

/// One courier's view of a `MemoryOutbox`.
package struct MemoryOutboxStore: OutboxStore {
    let outbox: MemoryOutbox
    let name: String

    package func renew(for lease: Duration) async throws {
        let now = outbox.clock.now()
        try outbox.state.withLock { state in
            if state.isDown { throw MemoryOutbox.Away() }
            // Who was gone has lost what it had claimed, and begins anew.
            if let until = state.aliveUntil[name], until <= now {
                for (id, row) in state.rows where row.courier == name { state.rows[id]?.courier = nil }
            }
            state.aliveUntil[name] = now.adding(lease)
        }
    }

    package func claim(limit: Int, bounds: HostBounds) async throws -> [Delivery<String>] {
        let now = outbox.clock.now()
        return try outbox.state.withLock { state in
            if state.isDown { throw MemoryOutbox.Away() }
            guard isAlive(name, state, at: now) else { return [] }
            let due = state.rows.values.filter { isFree($0, state, at: now) && $0.dueAt <= now }
                .sorted { ($0.priority, $0.dueAt, $0.delivery.id) < ($1.priority, $1.dueAt, $1.delivery.id) }
            var taken: [String: Int] = [:]
            var claimed: [Delivery<String>] = []
            for row in due where claimed.count < limit {
                let host = row.delivery.host
                guard taken[host, default: 0] < bounds[host] else { continue }
                taken[host, default: 0] += 1
                state.rows[row.delivery.id]?.courier = name
                claimed.append(
                    Delivery(
                        id: row.delivery.id, endpoint: row.delivery.endpoint, host: host,
                        attempts: row.attempts, expiresAt: row.delivery.expiresAt,
                        message: row.delivery.message))
            }
            return claimed
        }
    }

    package func settle(_ settlements: [Settlement]) async throws {
        try outbox.state.withLock { state in
            if state.isDown { throw MemoryOutbox.Away() }
            for settlement in settlements {
                guard var row = state.rows[settlement.delivery], row.courier == name else { continue }
                row.courier = nil
                if settlement.duration != nil { row.attempts += 1 }
                row.details.append(settlement.detail)
                switch settlement.verdict {
                case .retry(let at): row.dueAt = at
                case .postponed: break
                case .delivered, .exhausted, .refused, .expired, .gone: row.verdict = settlement.verdict
                }
                state.rows[settlement.delivery] = row
            }
        }
    }

    package func nextDue(bounds: HostBounds) async throws -> Timestamp? {
        return try outbox.state.withLock { state in
            if state.isDown { throw MemoryOutbox.Away() }
            return state.rows.values.compactMap { row -> Timestamp? in
                guard row.verdict == nil, row.courier != name, bounds[row.delivery.host] > 0 else {
                    return nil
                }
                let free = row.courier.flatMap { state.aliveUntil[$0] } ?? row.dueAt
                return max(row.dueAt, free)
            }.min()
        }
    }

    private func isFree(_ row: MemoryOutbox.Row, _ state: MemoryOutbox.State, at now: Timestamp) -> Bool {
        guard row.verdict == nil else { return false }
        return row.courier.map { !isAlive($0, state, at: now) } ?? true
    }

    private func isAlive(_ courier: String, _ state: MemoryOutbox.State, at now: Timestamp) -> Bool {
        state.aliveUntil[courier].map { now < $0 } ?? false
    }
}
