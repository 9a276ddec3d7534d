import Contract
import Postgres

@testable import BackendTesting
@testable import Scheduling

/// One change of a transaction, made when it commits.
enum ModelEffect: Sendable {
    case addRoom(ModelTables.Room)
    case bump(Identifier)
    /// The member leaves with the revision that the room has at the commit. An earlier statement has checked
    /// that it may leave.
    case leave(MatchChanges.Move)
    /// The member joins. `awaySince` is set for a member of an open slot: its absence counts from then.
    case join(MatchChanges.Move, awaySince: Timestamp?)
    case lease(Timestamp, SlotLease)
    case markOpened(Timestamp, at: Timestamp)
    case noteAlone(ModelTables.Alone)
    /// The notification is stored. One about a changed room has the revision of the room at the commit.
    case tell(Notice, at: Timestamp)
    /// The ends of the registrations after the first number and up to the second are stored as notifications.
    case tellEnd(Timestamp, after: UInt64, upTo: UInt64, at: Timestamp)
    /// The slot takes no registrations from then on.
    case beginClosing(Timestamp, at: Timestamp)
    case close(Timestamp, at: Timestamp)
    case cancel(ModelTables.Registration, at: Timestamp)
    /// The registration leaves its room, if any, and the others are told.
    case depart(ModelTables.Registration, at: Timestamp)
    case forget(Contract.Identifier, at: Timestamp)
}

extension ModelTables {
    mutating func apply(_ effect: ModelEffect) throws {
        switch effect {
        case .addRoom(let room): rooms[room.id] = room
        case .bump(let room): rooms[room]?.revision += 1
        case .leave(let move): try leave(move)
        case .join(let move, let awaySince): try join(move, awaySince: awaySince)
        case .lease(let startsAt, let lease): slots[startsAt]?.lease = lease
        case .noteAlone(let alone): noteAlone(alone)
        case .markOpened(let startsAt, let now): markOpened(startsAt, at: now)
        case .tell(let notice, let now): tell(notice, at: now)
        case .tellEnd(let startsAt, let first, let last, let now):
            tellEnd(of: startsAt, after: first, upTo: last, at: now)
        case .beginClosing(let startsAt, let now):
            if slots[startsAt]?.closingAt == nil { slots[startsAt]?.closingAt = now }
        case .close(let startsAt, let now): slots[startsAt]?.closedAt = now
        case .cancel(let registration, let now): registrations[registration.id]?.cancelledAt = now
        case .depart(let registration, let now): depart(registration, at: now)
        case .forget(let user, let now): forget(user, at: now)
        }
    }

    /// Whether a statement would take the member out of the room.
    func mayLeave(_ move: MatchChanges.Move, isAlone: Bool) -> Bool {
        guard let current = member(of: move.registration), current.room == move.room else { return false }
        if !isAlone { return current.enteredAt == nil }
        return !members(of: move.room).contains {
            $0.registration != move.registration && $0.presentOn != nil
        }
    }

    private mutating func leave(_ move: MatchChanges.Move) throws {
        let index = members.firstIndex {
            $0.room == move.room && $0.registration == move.registration && $0.leftRevision == nil
        }
        guard let index, let room = rooms[move.room] else { throw MatchOvertaken() }
        members[index].leftRevision = room.revision
        members[index].presentOn = nil
    }

    private mutating func join(_ move: MatchChanges.Move, awaySince: Timestamp?) throws {
        guard let room = rooms[move.room] else { throw PostgresError.refused(.foreignKeyViolation) }
        if member(of: move.registration) != nil { throw PostgresError.refused(.uniqueViolation) }
        members.append(
            Member(
                room: move.room, registration: move.registration, joinedRevision: room.revision,
                awaySince: awaySince))
    }

    private mutating func markOpened(_ startsAt: Timestamp, at now: Timestamp) {
        guard var slot = slots[startsAt] else { return }
        if slot.openedAt == nil { slot.openedAt = now }
        if slot.servedAt == nil && now >= startsAt { slot.servedAt = now }
        slot.lease = nil
        slots[startsAt] = slot
    }

    private mutating func noteAlone(_ alone: Alone) {
        guard let registration = registrations[alone.registration], registration.isLive else { return }
        if !leftAlone.contains(where: { $0.registration == alone.registration }) { leftAlone.append(alone) }
    }

    private mutating func tell(_ notice: Notice, at now: Timestamp) {
        var notice = notice
        if let room = notice.room { notice.revision = rooms[room]?.revision }
        add(notice, at: now)
    }

    private mutating func tellEnd(
        of startsAt: Timestamp, after first: UInt64, upTo last: UInt64, at now: Timestamp
    ) {
        for registration in registrations(of: startsAt) where registration.cancelledAt == nil {
            guard let user = registration.user, registration.id.number > first,
                registration.id.number <= last
            else {
                continue
            }
            let room = member(of: registration.id).flatMap { rooms[$0.room] }
            var notice = Notice(user: user, type: .sessionMissed, registration: registration.id)
            if let room, hasEntered(registration.id) {
                notice.type = .sessionCompleted
                notice.room = room.id
                notice.revision = room.revision
            } else if room == nil || slots[startsAt]?.servedAt == nil {
                notice.type = .sessionLapsed
            }
            add(notice, at: now)
        }
    }

    private mutating func depart(_ registration: Registration, at now: Timestamp) {
        guard let current = member(of: registration.id) else { return }
        rooms[current.room]?.revision += 1
        for index in members.indices where members[index] == current {
            members[index].leftRevision = rooms[current.room]?.revision
            members[index].presentOn = nil
        }
        for member in members(of: current.room) {
            guard let user = registrations[member.registration]?.user, user != registration.user else {
                continue
            }
            tell(
                Notice(user: user, type: .roomChanged, registration: member.registration, room: current.room),
                at: now)
        }
    }

    private mutating func forget(_ user: Contract.Identifier, at now: Timestamp) {
        users.remove(user)
        notifications.removeAll { $0.notice.user == user }
        blocks.removeAll { $0.user == user || $0.other == user }
        favourites.removeAll { $0.user == user || $0.other == user }
        leftAlone.removeAll { $0.user == user }
        for registration in registrations.values where registration.user == user {
            if !members.contains(where: { $0.registration == registration.id }) {
                registrations[registration.id] = nil
                continue
            }
            registrations[registration.id]?.user = nil
            if slots[registration.startsAt]?.closedAt == nil && registration.cancelledAt == nil {
                registrations[registration.id]?.cancelledAt = now
            }
        }
    }
}
