import Contract
import Matching

@testable import Scheduling

/// Checks of every commit, of any server.
extension SimulatedWorld {
    func checkCommit(_ transaction: ModelTransaction, _ before: ModelTables) {
        let told = tables.notifications.filter { $0.id > before.lastNotification }
        let slots = transaction.locks.compactMap(\.slot) + [transaction.matchedAt?.slot].compactMap { $0 }
        for startsAt in Set(slots).sorted() {
            let check = CommitCheck(
                startsAt: startsAt, before: RoomAssignment(startsAt, in: before),
                after: RoomAssignment(startsAt, in: tables),
                registrations: tables.registrations(of: startsAt),
                told: told.filter { tables.registrations[$0.notice.registration]?.startsAt == startsAt })
            checkMembers(check)
            checkMoves(check, transaction)
            checkBlocks(check, transaction)
            if plan.hasIntents && !check.after.isClosed { checkIntents(check, transaction) }
            checkNotices(check)
            if let matched = transaction.matchedAt, matched.slot == startsAt {
                checkMatch(check, transaction, at: matched.now)
            }
            checkEnds(check)
            if check.after.isClosed && !check.before.isClosed { checkClosing(check) }
        }
    }

    /// A commit, as one slot sees it.
    struct CommitCheck {
        let startsAt: Timestamp
        let before: RoomAssignment
        let after: RoomAssignment
        /// All registrations that ever were, as they are now.
        let registrations: [ModelTables.Registration]
        let told: [ModelTables.UserNotification]

        func told(_ registration: Identifier) -> [Notice] {
            told.filter { $0.notice.registration == registration }.map(\.notice)
        }
    }

    /// Checks that every member is registered, and that no person is matched with themself or with a person
    /// they cannot meet.
    private func checkMembers(_ check: CommitCheck) {
        if check.after.isClosed { return }
        // An account that is deleted between the end and the closing leaves its place empty.
        let isOver = now >= plan.rules.endsAt(check.startsAt)
        for registration in check.registrations where !registration.isLive && !isOver {
            if check.after.memberOf[registration.id] != nil {
                fail("r\(registration.id.number) has cancelled and sits in a room")
            }
        }
        for (room, members) in check.after.rooms.sorted(by: { $0.key < $1.key }) {
            let users = members.compactMap { tables.registrations[$0]?.user }
            if Set(users).count != users.count { fail("a person meets themself in room \(room.number)") }
        }
    }

    /// Checks that a member who has entered moves to another room only when it was alone there.
    private func checkMoves(_ check: CommitCheck, _ transaction: ModelTransaction) {
        for (id, current) in check.before.memberOf.sorted(by: { $0.key < $1.key }) {
            guard let next = check.after.memberOf[id], next.room != current.room else { continue }
            statistics.moves += 1
            if transaction.alone.contains(id) { statistics.rematches += 1 }
            if current.presentOn != nil && chance(0.9) { after(draw(10_000...500_000)) { $0.enter(id) } }
            let isAlone = transaction.alone.contains(id) || check.before.partners(of: id).isEmpty
            if current.enteredAt != nil && !isAlone {
                fail("r\(id.number) was taken out of room \(current.room.number) after coming in")
            }
        }
    }

    func isAbsent(_ member: ModelTables.Member, _ startsAt: Timestamp, at now: Timestamp) -> Bool {
        guard let noShow = plan.rules.noShow else { return false }
        return member.presentOn == nil && max(startsAt, member.awaySince ?? startsAt).adding(noShow) <= now
    }

    /// Checks that no person meets another one that they had blocked, or were blocked by, before the
    /// transaction got its last lock, and before the opening if it got that lock earlier.
    private func checkBlocks(_ check: CommitCheck, _ transaction: ModelTransaction) {
        if tables.blocks.isEmpty { return }
        let opening = openingShown(to: transaction, check.startsAt)
        for (id, current) in check.after.memberOf.sorted(by: { $0.key < $1.key }) {
            guard check.before.memberOf[id]?.room != current.room, let user = tables.registrations[id]?.user
            else {
                continue
            }
            for partner in check.after.partners(of: id) {
                guard let other = tables.registrations[partner]?.user else { continue }
                if tables.isBlocked(user, other, after: transaction.lockedAfter, before: opening) {
                    fail("r\(id.number) meets r\(partner.number), and one has blocked the other")
                }
            }
        }
    }

    /// Returns the instant at which a server whose clock is as far ahead as it may be shows the opening, in
    /// microseconds; zero for a match in parts, which is not awaited.
    private func openingShown(to transaction: ModelTransaction, _ startsAt: Timestamp) -> Int64 {
        if transaction.server == nil || transaction.isLeased { return 0 }
        return plan.rules.opensAt(startsAt).microseconds - plan.begin.microseconds - plan.clockError
    }

    /// Checks that each change of rooms or members notifies all people concerned in the same commit, and that
    /// nothing else does.
    private func checkNotices(_ check: CommitCheck) {
        for registration in check.registrations where registration.isLive {
            let id = registration.id
            let told = check.told(id).filter { !$0.type.isEnd }
            let name = "r\(id.number)"
            guard let current = check.after.memberOf[id] else {
                if !told.isEmpty { fail("\(name) is told of a room and has none") }
                continue
            }
            let isNew = check.before.memberOf[id] == nil
            let isChanged =
                check.before.memberOf[id]?.room != current.room
                || check.before.partners(of: id) != check.after.partners(of: id)
            if isNew { statistics.rooms += 1 }
            let expected: [NotificationType] = isNew ? [.roomOpened] : isChanged ? [.roomChanged] : []
            if told.map(\.type) != expected {
                fail("\(name) should hear \(expected.map(\.rawValue)) and hears \(told.map(\.type.rawValue))")
            }
            for notice in told {
                if notice.room != current.room || notice.revision != tables.rooms[current.room]?.revision {
                    fail("\(name) is told of a room that is not the one it has")
                }
            }
        }
    }

    /// Checks that a match has each person once, in rooms of the right sizes, and is not made too early.
    private func checkMatch(_ check: CommitCheck, _ transaction: ModelTransaction, at matchedAt: Timestamp) {
        if let server = transaction.server {
            // A match is committed a moment after it is made.
            if now.adding(.microseconds(plan.clockError)) < matchedAt {
                fail("server \(server.index) matched at \(matchedAt), which it was not yet")
            }
            note("server \(server.index) matched \(check.startsAt): \(describe(check.after))")
        }
        if matchedAt < plan.rules.opensAt(check.startsAt) { fail("\(check.startsAt) was matched too early") }
        if matchedAt >= plan.rules.endsAt(check.startsAt) { fail("\(check.startsAt) was matched too late") }
        if check.before.isOpened { checkLate(check, transaction, at: matchedAt) }
        let isWhole = check.before.rooms.isEmpty && check.after.isOpened && !check.before.isOpened
        if !isWhole && !check.before.isOpened { return }
        for arrival in transaction.arrivals {
            let isLive = tables.registrations[arrival]?.isLive ?? false
            if isLive && check.after.memberOf[arrival] == nil && plan.rules.roomsAtOnce > 12 {
                fail("r\(arrival.number) was passed over")
            }
        }
        if isWhole && !check.after.rooms.isEmpty { checkSizes(check) }
        checkCompany(check, transaction, at: matchedAt)
    }

    private func checkSizes(_ check: CommitCheck) {
        if !tables.blocks.isEmpty || !hasUsualSizes(check) { return }
        let sizes = check.after.rooms.values.map(\.count).sorted(by: >)
        let people = check.after.memberOf.count
        let roomSize = plan.rules.roomSize
        let expected =
            plan.rules.trios || roomSize != .pair
            ? Partition.roomSizes(people: people, roomSize: roomSize)
            : Array(repeating: 2, count: people / 2) + Array(repeating: 1, count: people % 2)
        if sizes != expected { fail("rooms of \(sizes) instead of \(expected)") }
    }

    /// The most people that another person may join.
    var largestToJoin: Int {
        plan.rules.roomSize == .pair && !plan.rules.trios ? 1 : plan.rules.roomSize.people
    }

    /// Returns the people who counted as company when the match was made: the members that it found present,
    /// or waited for, and those who join.
    func company(
        _ members: [Identifier], _ check: CommitCheck, _ transaction: ModelTransaction, at now: Timestamp
    ) -> [Identifier] {
        members.filter { id in
            transaction.members[id].map { !isAbsent($0, check.startsAt, at: now) } ?? true
        }
    }

    /// Checks that no person is alone who could have joined a room, or been joined by one of its members.
    private func checkCompany(_ check: CommitCheck, _ transaction: ModelTransaction, at now: Timestamp) {
        let size = plan.rules.roomSize.people
        for (room, members) in check.after.rooms.sorted(by: { $0.key < $1.key }) {
            guard members.count == 1, check.before.memberOf[members[0]] == nil else { continue }
            for (other, others) in check.after.rooms.sorted(by: { $0.key < $1.key }) where other != room {
                let here = company(others, check, transaction, at: now)
                let mayJoin =
                    (1...largestToJoin).contains(here.count)
                    && others.allSatisfy { mayMeet(members[0], $0) }
                let mayTake =
                    here.count > size
                    && here.contains {
                        transaction.members[$0]?.enteredAt == nil && mayMeet(members[0], $0)
                            && !isTied($0, to: here)
                    }
                if mayJoin || mayTake {
                    fail("r\(members[0].number) is alone where room \(other.number) was to be had")
                }
            }
        }
    }

    func mayMeet(_ one: Identifier, _ other: Identifier) -> Bool {
        if plan.hasIntents && !isWelcome(one, other) { return false }
        guard let one = tables.registrations[one]?.user, let other = tables.registrations[other]?.user else {
            return false
        }
        return one != other && !tables.isBlocked(one, other)
    }

    /// Checks that late arrivals join existing rooms, and that no room is larger than it must be.
    private func checkLate(_ check: CommitCheck, _ transaction: ModelTransaction, at now: Timestamp) {
        for (room, members) in check.after.rooms.sorted(by: { $0.key < $1.key }) {
            let joined = members.filter { check.before.memberOf[$0] == nil }.count
            if joined == 0 { continue }
            statistics.lateJoins += joined
            let here = company(members, check, transaction, at: now)
            if check.before.rooms[room] != nil && here.count > largestToJoin + 1 {
                fail("a person was put into room \(room.number), which has \(here.count) now")
            }
        }
    }

    /// Checks that each notification of the end has the right outcome, and comes once.
    private func checkEnds(_ check: CommitCheck) {
        let isServed = tables.slots[check.startsAt]?.servedAt != nil
        for registration in check.registrations {
            let ends = check.told(registration.id).map(\.type).filter(\.isEnd)
            if ends.isEmpty { continue }
            let isInRoom = check.after.memberOf[registration.id] != nil
            let expected: [NotificationType] =
                if !registration.isLive {
                    []
                } else if isInRoom && tables.hasEntered(registration.id) {
                    [.sessionCompleted]
                } else if isInRoom && isServed {
                    [.sessionMissed]
                } else {
                    [.sessionLapsed]
                }
            if ends != expected {
                fail(
                    "r\(registration.id.number) ends with \(ends.map(\.rawValue)), not "
                        + "\(expected.map(\.rawValue))"
                )
            }
        }
    }

    /// Checks that all people were notified of the end, and not before it.
    private func checkClosing(_ check: CommitCheck) {
        note("closed \(check.startsAt)")
        if now.adding(.microseconds(plan.clockError)) < plan.rules.endsAt(check.startsAt) {
            fail("\(check.startsAt) was closed before its end")
        }
        let told = Set(tables.notifications.filter(\.notice.type.isEnd).map(\.notice.registration))
        for registration in check.registrations where registration.isLive {
            if !told.contains(registration.id) { fail("r\(registration.id.number) is not told of the end") }
        }
    }

    private func describe(_ assignment: RoomAssignment) -> String {
        assignment.rooms.sorted { $0.key < $1.key }
            .map { "room \($0.key.number): " + $0.value.map { "r\($0.number)" }.joined(separator: " ") }
            .joined(separator: ", ")
    }
}
