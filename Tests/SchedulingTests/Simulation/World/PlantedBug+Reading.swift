import Contract

@testable import Scheduling

/// Planted bugs of reading transactions.
extension PlantedBug {
    func read(_ slot: SlotRecord?) -> SlotRecord? {
        var slot = slot
        if self == .ignoresLease { slot?.lease = nil }
        return slot
    }

    func read(_ people: [SlotPerson], of startsAt: Timestamp, in tables: ModelTables) -> [SlotPerson] {
        switch self {
        case .overlooksArrival: return people.count > 1 ? people.dropLast() : people
        case .matchesCancelled:
            return people
                + tables.registrations(of: startsAt).compactMap { registration in
                    guard registration.cancelledAt != nil, let user = registration.user,
                        tables.member(of: registration.id) == nil
                    else { return nil }
                    return SlotPerson(registration: registration.id, user: user)
                }
        default:
            return people.map { person in
                var person = person
                person.intent = read(person.intent)
                return person
            }
        }
    }

    func read(_ members: [SlotMember], of startsAt: Timestamp) -> [SlotMember] {
        members.map { member in
            var member = member
            member.intent = read(member.intent)
            switch self {
            case .movesEntered:
                member.hasEntered = false
                member.isPresent = false
            case .believesPresence: member.isPresent = true
            case .believesAbsence:
                member.hasEntered = false
                member.isPresent = false
                member.awaySince = startsAt.adding(.seconds(-3600))
            default: break
            }
            return member
        }
    }

    private func read(_ intent: SlotIntent) -> SlotIntent {
        var intent = intent
        if self == .partsInvited { intent.invitedBy = nil }
        if self == .forgetsFavouritesOnly { intent.favouritesOnly = false }
        return intent
    }

    func read(_ edges: [SlotEdge]) -> [SlotEdge] {
        switch self {
        case .forgetsBlocks: return edges.filter { $0.kind != .block }
        case .overlooksABlock:
            guard let last = edges.lastIndex(where: { $0.kind == .block }) else { return edges }
            return Array(edges[..<last] + edges[(last + 1)...])
        default: return edges
        }
    }
}
