package import Contract
import Matching

/// A transaction on one slot, which nobody else matches, leaves or closes meanwhile. Each call sees what
/// those before it have written.
package protocol SlotTransaction: Sendable {
    /// Nil where nobody ever registered for the slot.
    func slot() async throws -> SlotRecord?

    /// Who is registered and has no room, by their registrations.
    func arrivals() async throws -> [SlotPerson]

    /// Who of the slot's people has blocked whom.
    func blocks() async throws -> [SlotEdge]

    /// In which of these, by their indices, two are about to meet who may not, as it is now. Everybody waits
    /// for the answer.
    func parted(_ gatherings: [Gathering]) async throws -> Set<Int>

    /// What the slot's people know of each other, blocks among it: all of it, or at least what concerns one
    /// of `some`.
    ///
    /// Throws `PreferencesTakeTooLong` where everybody would wait for it; then the transaction has failed.
    func edges(of some: [Identifier]?) async throws -> [SlotEdge]

    /// The members of the slot's rooms, room after room, the oldest room first, each room's members by their
    /// ids. Of very many rooms, those where the fewest are, but somebody: who went away before `limit` does
    /// not count.
    func members(awayAfter limit: Timestamp?) async throws -> [SlotMember]

    /// Takes the slot for a match in several parts, or keeps it. Nobody else matches it before the lease is
    /// over.
    func lease(_ lease: SlotLease) async throws

    /// Which of these are registered and have no room.
    func unplaced(_ registrations: [Identifier]) async throws -> Set<Identifier>

    /// Writes a first match, as a whole; or a part of it. The last part opens the slot and ends the lease.
    func open(_ opening: SlotOpening, at now: Timestamp) async throws

    /// Writes the notifications of what `open` has written. All other writers of notifications wait from here
    /// to the end of the transaction.
    func tell(_ opening: SlotOpening, at now: Timestamp) async throws

    /// Writes what late ones and moves have changed, and then the notifications, for which all other writers
    /// wait.
    ///
    /// Throws `MatchOvertaken` where somebody who was to be moved has entered meanwhile: the match has to be
    /// planned anew.
    func write(_ changes: MatchChanges, at now: Timestamp) async throws

    /// Tells the next of those who are registered, after that one, how it went. From the first call on nobody
    /// registers for the slot any more. Answers the last of them; nil where everybody was told, and the slot
    /// is closed.
    func close(after last: Identifier, at now: Timestamp) async throws -> Identifier?
}

package struct SlotRecord: Equatable, Sendable {
    package var endsAt: Timestamp
    package var isOpened: Bool
    package var isClosed: Bool
    /// The lease of a match that is being written in parts.
    package var lease: SlotLease?

    package init(endsAt: Timestamp, isOpened: Bool, isClosed: Bool, lease: SlotLease? = nil) {
        self.endsAt = endsAt
        self.isOpened = isOpened
        self.isClosed = isClosed
        self.lease = lease
    }
}

/// For so long a slot is one server's alone to match.
package struct SlotLease: Equatable, Sendable {
    /// The server, in this run of it.
    package var holder: String
    package var until: Timestamp

    package init(holder: String, until: Timestamp) {
        self.holder = holder
        self.until = until
    }
}

package struct SlotMember: Equatable, Sendable {
    package var room: Identifier
    package var registration: Identifier
    package var user: Identifier
    package var tag: String?
    package var hasEntered: Bool
    /// One of its sockets is open.
    package var isPresent = false
    /// Since when it is not there: since it left, or has been expected.
    package var awaySince: Timestamp?

    package init(
        room: Identifier, registration: Identifier, user: Identifier, tag: String? = nil, hasEntered: Bool,
        isPresent: Bool = false, awaySince: Timestamp? = nil
    ) {
        self.room = room
        self.registration = registration
        self.user = user
        self.tag = tag
        self.hasEntered = hasEntered
        self.isPresent = isPresent
        self.awaySince = awaySince
    }
}

/// What people know of each other cannot be read while they wait.
package struct PreferencesTakeTooLong: Error {
    package init() {}
}

/// Somebody who was to be moved has entered a room meanwhile.
package struct MatchOvertaken: Error {
    package init() {}
}
