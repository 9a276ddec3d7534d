package import Contract
package import Postgres

/// The servers that own the rooms. An owner changes by compare-and-set on the term, so that of several
/// servers that take a room one does.
///
/// Sessions have `synchronous_commit` on, so that an owner that was answered is not forgotten. Where a commit
/// got no answer, the row has the outcome: it names this process or it does not.
package enum RoomOwners {
    /// The reason why a room may be taken from its owner. The claim itself checks it again, since the
    /// owner may have renewed its lease after the decision; an owner without a row is gone for any reason.
    package enum Ground: Equatable, Sendable {
        /// The lease of the owner has expired. A server of the previous version has none: then its lock is
        /// free.
        case leaseIsPast
        /// Nothing listens at the owner's address, and its lock is free, whatever its lease.
        case processHasEnded
    }

    /// The number of times that a claim with an unknown outcome is tried.
    private static let attempts = 3

    /// Makes `me` the owner of the room, as below. Returns the new term; nil if another server was faster, or
    /// the owner lives after all.
    package static func claim(
        _ room: Identifier, from owner: Identifier?, term: Int32, on ground: Ground = .leaseIsPast,
        by me: Identifier, in rows: some RoomRows
    ) async throws(PostgresError) -> Int32? {
        try await claim([(room, term)], from: owner, on: ground, by: me, in: rows)[room]
    }

    /// Makes `me` the owner of those of the rooms that still have that owner and the terms given, if the
    /// ground still holds for the owner. Returns their new terms. The previous owner finds them among those
    /// that it has lost.
    package static func claim(
        _ rooms: [(id: Identifier, term: Int32)], from owner: Identifier?,
        on ground: Ground = .leaseIsPast, by me: Identifier, in rows: some RoomRows
    ) async throws(PostgresError) -> [Identifier: Int32] {
        var left = attempts
        while true {
            left -= 1
            do throws(PostgresError) {
                let claimed = try await rows.take(rooms, from: owner, on: ground, by: me)
                let others = rooms.filter { claimed[$0.id] == nil }
                if others.isEmpty { return claimed }
                // An earlier statement may have claimed them, without an answer.
                let found = try await terms(of: others.map(\.id), in: rows)
                return claimed.merging(own(others, me, found)) { $1 }
            } catch {
                guard error.leavesDoubt else { throw error }
                // The statement may still be under way: then rows change after they were read here, and they
                // name this process, which will find that out when it next reads them.
                let found = try await terms(of: rooms.map(\.id), in: rows)
                let isDecided = rooms.allSatisfy { found[$0.id]?.term != $0.term }
                if isDecided { return own(rooms, me, found) }
                if left <= 0 { throw error }
            }
        }
    }

    /// Returns the terms of those of the rooms that `me` owns in the term after the one given.
    private static func own(
        _ rooms: [(id: Identifier, term: Int32)], _ me: Identifier,
        _ found: [Identifier: (owner: Identifier?, term: Int32)]
    ) -> [Identifier: Int32] {
        var own: [Identifier: Int32] = [:]
        for room in rooms {
            guard let row = found[room.id], row.owner == me, row.term == room.term + 1 else { continue }
            own[room.id] = row.term
        }
        return own
    }

    /// Makes `me` the owner of the rooms that an earlier process has left here, each with the term in which
    /// that process owned it. Returns the new terms of those that no other server has owned since. After a
    /// failure it may be called again.
    package static func claimSaved(
        _ rooms: [(id: Identifier, term: Int32)], by me: Identifier, in rows: some RoomRows
    ) async throws(PostgresError) -> [Identifier: Int32] {
        if rooms.isEmpty { return [:] }
        try await rows.takeSaved(rooms, by: me)
        // A room that an earlier call has claimed, without an answer, has the next term too.
        return own(rooms, me, try await terms(of: rooms.map(\.id), in: rows))
    }

    /// The result of giving rooms to another server.
    package enum Gift: Equatable, Sendable {
        /// The other server owns these rooms now; others than this one own the rest.
        case given(Set<Identifier>)
        /// Nothing has changed.
        case refused
        /// The owner of the rooms is uncertain.
        case unknown
    }

    /// Makes another server the owner of rooms of this one, each if it still has that term.
    package static func give(
        _ rooms: [(id: Identifier, term: Int32)], of me: Identifier, to other: Identifier,
        in rows: some RoomRows
    ) async -> Gift {
        var isInDoubt = false
        for _ in 0..<attempts {
            do throws(PostgresError) {
                // Whatever the outcome of an earlier attempt, the rows are settled once this one was
                // answered.
                try await rows.give(rooms, of: me, to: other)
                isInDoubt = true
                let found = try await terms(of: rooms.map(\.id), in: rows)
                let given = rooms.filter { found[$0.id]?.owner == other && found[$0.id]?.term == $0.term + 1 }
                return .given(Set(given.map(\.id)))
            } catch {
                if error.leavesDoubt { isInDoubt = true }
            }
        }
        return isInDoubt ? .unknown : .refused
    }

    /// Returns the owners and terms of those of the rooms that there are.
    package static func terms(
        of rooms: [Identifier], in rows: some RoomRows
    ) async throws(PostgresError) -> [Identifier: (owner: Identifier?, term: Int32)] {
        try await rows.owners(of: rooms)
    }

    /// Returns the rooms that were taken from this process, each at least once. Some may be its own again:
    /// the caller compares with the terms. They are deleted once they have been read, and returned again if
    /// that fails.
    package static func takeLost(
        of me: Identifier, in rows: some RoomRows
    ) async throws(PostgresError) -> [Identifier] {
        let lost = try await rows.lost(of: me)
        if lost.isEmpty { return [] }
        do throws(PostgresError) {
            try await rows.forget(lost: lost, of: me)
        } catch {
            // The rooms were read, and may be read again: giving up a room twice does no harm.
            guard error.meansUnavailable else { throw error }
        }
        return lost
    }
}

extension PostgresError {
    /// Whether a statement that changes something may have taken effect all the same.
    fileprivate var leavesDoubt: Bool {
        switch self {
        case .connectionLost, .commitUnknown, .timedOut: true
        case .server, .rolledBack, .unavailable, .cancelled, .configuration, .decoding, .invalid: false
        }
    }
}
