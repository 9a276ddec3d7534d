import Contract
import Matching

@testable import Scheduling

/// The people and edges that the matching reads.
extension ModelTables {
    /// Returns the registered people without a room.
    func people(of startsAt: Timestamp) -> [SlotPerson] {
        registrations(of: startsAt).compactMap { registration -> SlotPerson? in
            guard registration.isLive, let user = registration.user, member(of: registration.id) == nil else {
                return nil
            }
            let aloneAt = leftAlone.filter { $0.user == user && $0.startsAt < startsAt }.map(\.startsAt).max()
            let hasMetSince = registrations.values.contains { later in
                guard let aloneAt, later.user == user else { return false }
                return later.startsAt > aloneAt && later.startsAt < startsAt && member(of: later.id) != nil
            }
            return SlotPerson(
                registration: registration.id, user: user, tag: registration.tag, aloneAt: aloneAt,
                wasAloneLast: aloneAt != nil && !hasMetSince, intent: registration.intent)
        }
    }

    /// Returns the member as the matching reads it; nil if its account was deleted.
    func slotMember(_ member: Member) -> SlotMember? {
        guard let registration = registrations[member.registration], let user = registration.user else {
            return nil
        }
        return SlotMember(
            room: member.room, registration: member.registration, user: user, tag: registration.tag,
            hasEntered: member.enteredAt != nil, isPresent: member.presentOn != nil,
            awaySince: member.awaySince, intent: registration.intent)
    }

    func blocks(in startsAt: Timestamp) -> [SlotEdge] { pairs(blocks, startsAt, .block) }

    /// Returns the edges between the slot's people, or those that concern at least one of `some`.
    func edges(in startsAt: Timestamp, of some: [Identifier]?) -> [SlotEdge] {
        let opinions = blocks(in: startsAt) + pairs(favourites, startsAt, .favourite)
        return opinions.filter { edge in
            some.map { $0.contains(edge.first) || $0.contains(edge.second) } ?? true
        } + meetings(in: startsAt, of: some)
    }

    private func live(_ startsAt: Timestamp) -> [Registration] {
        registrations(of: startsAt).filter(\.isLive)
    }

    private func pairs(_ opinions: [Opinion], _ startsAt: Timestamp, _ kind: SlotEdge.Kind) -> [SlotEdge] {
        if opinions.isEmpty { return [] }
        let here = live(startsAt)
        return opinions.flatMap { opinion in
            here.filter { $0.user == opinion.user }.flatMap { one in
                here.filter { $0.user == opinion.other }
                    .map { SlotEdge(first: one.id, second: $0.id, kind: kind) }
            }
        }
    }

    private func meetings(in startsAt: Timestamp, of some: [Identifier]?) -> [SlotEdge] {
        let entered = members.filter { $0.enteredAt != nil }
        if entered.isEmpty { return [] }
        struct Presence {
            var member: Member
            var user: Identifier
            var startsAt: Timestamp

            /// Whether the two were in one room at the same time.
            func isMet(by other: Presence) -> Bool {
                member.room == other.member.room
                    && other.member.joinedRevision < member.leftRevision ?? .max
                    && member.joinedRevision < other.member.leftRevision ?? .max
            }
        }
        let presences = entered.compactMap { member -> Presence? in
            guard let registration = registrations[member.registration], let user = registration.user,
                registration.startsAt < startsAt
            else { return nil }
            return Presence(member: member, user: user, startsAt: registration.startsAt)
        }
        if presences.isEmpty { return [] }
        let here = live(startsAt)
        var edges: [SlotEdge] = []
        for one in here {
            for other in here where one.user != other.user {
                if let some, !some.contains(one.id) { continue }
                if some == nil && other.id < one.id { continue }
                let sessions = presences.filter { mine in
                    mine.user == one.user
                        && presences.contains { $0.user == other.user && $0.isMet(by: mine) }
                }
                let days = Set(sessions.map(\.startsAt)).map {
                    Int(startsAt.since($0).wholeMicroseconds / 86_400_000_000)
                }
                let cost = MatchWeights.meetings(daysAgo: days)
                if cost > 0 {
                    edges.append(SlotEdge(first: one.id, second: other.id, kind: .meetings(cost)))
                }
            }
        }
        return edges
    }
}
