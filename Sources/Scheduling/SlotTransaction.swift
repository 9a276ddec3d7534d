package import Contract
import Matching

/// A transaction on one slot. No other transaction matches, leaves or closes the slot at the same time. Each
/// call sees the writes of the calls before it.
package protocol SlotTransaction: Sendable {
    /// Returns the slot; nil if it never had a registration.
    func slot() async throws -> SlotRecord?

    /// Returns the registered people who have no room, in the order of their registrations.
    func arrivals() async throws -> [SlotPerson]

    /// Returns the blocks between people of the slot.
    func blocks() async throws -> [SlotEdge]

    /// Returns the indices of the gatherings in which two people are about to meet who may not, as of now.
    /// All people of the slot wait for the answer.
    func parted(_ gatherings: [Gathering]) async throws -> Set<Int>

    /// Returns the edges between the slot's people, blocks included: all of them, or at least those of the
    /// people in `some`.
    ///
    /// Throws `PreferencesTakeTooLong` if the people of the slot would wait too long; then the transaction
    /// has failed.
    func edges(of some: [Identifier]?) async throws -> [SlotEdge]

    /// Returns the members of the slot's rooms, room after room, the oldest room first, each room's members
    /// by their ids. Of very many rooms it returns only those with the fewest members, but at least one: a
    /// member who went away before `limit` does not count.
    func members(awayAfter limit: Timestamp?) async throws -> [SlotMember]

    /// Takes the slot for a match in several parts, or keeps it. No other server matches it until the lease
    /// ends.
    func lease(_ lease: SlotLease) async throws

    /// Returns those of the registrations that are in force and have no room.
    func unplaced(_ registrations: [Identifier]) async throws -> Set<Identifier>

    /// Writes a first match, or a part of it. The last part opens the slot and ends the lease.
    func open(_ opening: SlotOpening, at now: Timestamp) async throws

    /// Writes the notifications of what `open` has written. All other writers of notifications wait from here
    /// to the end of the transaction.
    func tell(_ opening: SlotOpening, at now: Timestamp) async throws

    /// Writes the changes by late members and moves, and then the notifications, for which all other writers
    /// wait.
    ///
    /// Throws `MatchOvertaken` if a member who was to be moved has entered meanwhile: the match has to be
    /// planned again.
    func write(_ changes: MatchChanges, at now: Timestamp) async throws

    /// Notifies the next registered people after `last` of the slot's outcome. From the first call on
    /// registration for the slot has ended. Returns the last person who was notified; nil once all were, and
    /// the slot is closed.
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

/// A lease of a slot: until it ends, only its holder matches the slot.
package struct SlotLease: Equatable, Sendable {
    /// The name of the holding server in its present run.
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
    /// Whether one of the member's sockets is open.
    package var isPresent = false
    /// The instant since which the member is not there: since it left, or has been expected.
    package var awaySince: Timestamp?
    package var intent = SlotIntent()

    package init(
        room: Identifier, registration: Identifier, user: Identifier, tag: String? = nil, hasEntered: Bool,
        isPresent: Bool = false, awaySince: Timestamp? = nil, intent: SlotIntent = SlotIntent()
    ) {
        self.room = room
        self.registration = registration
        self.user = user
        self.tag = tag
        self.hasEntered = hasEntered
        self.isPresent = isPresent
        self.awaySince = awaySince
        self.intent = intent
    }
}

/// The error that preferences cannot be read while people wait.
package struct PreferencesTakeTooLong: Error {
    package init() {}
}

/// The error that a member who was to be moved has entered a room meanwhile.
package struct MatchOvertaken: Error {
    package init() {}
}
