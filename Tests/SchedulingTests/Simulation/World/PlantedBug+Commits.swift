import Contract
import Scheduling

/// Planted bugs of commits.
extension PlantedBug {
    /// Spoils the tables after a commit.
    func spoil(_ tables: inout ModelTables, since before: ModelTables) {
        switch self {
        case .losesOpening, .losesChange, .losesEnd, .repeatsOpening, .repeatsChange, .repeatsEnd,
            .mistakesChange, .namesAnotherRoom, .namesOldRevision, .missesWhoCame, .completesWhoDidNot,
            .lapsesWhatRan:
            spoilNotifications(&tables, since: before)
        case .keepsRevision, .dropsRoom, .splitsRoom, .mergesRooms, .keepsSeat, .losesCancelling,
            .losesRegistration, .forgetsClosing:
            spoilRooms(&tables, since: before)
        case .keepsOpinions, .keepsOwner, .deletesTooMuch: spoilDeletion(&tables, since: before)
        default: break
        }
    }

    private func spoilNotifications(_ tables: inout ModelTables, since before: ModelTables) {
        let new = tables.notifications.indices.filter {
            tables.notifications[$0].id > before.lastNotification
        }
        func last(_ condition: (NotificationType) -> Bool) -> Int? {
            new.last { condition(tables.notifications[$0].notice.type) }
        }
        switch self {
        case .losesOpening:
            if let index = last({ $0 == .roomOpened }) { tables.notifications.remove(at: index) }
        case .losesChange:
            if let index = last({ $0 == .roomChanged }) { tables.notifications.remove(at: index) }
        case .losesEnd: if let index = last(\.isEnd) { tables.notifications.remove(at: index) }
        case .repeatsOpening: if let index = last({ $0 == .roomOpened }) { tables.repeatNotification(index) }
        case .repeatsChange: if let index = last({ $0 == .roomChanged }) { tables.repeatNotification(index) }
        case .repeatsEnd: if let index = last(\.isEnd) { tables.repeatNotification(index) }
        case .mistakesChange:
            if let index = last({ $0 == .roomChanged }) {
                tables.notifications[index].notice.type = .roomOpened
            }
        case .namesAnotherRoom:
            guard let index = last({ !$0.isEnd }), let room = tables.notifications[index].notice.room,
                let startsAt = tables.rooms[room]?.startsAt,
                let other = tables.rooms(of: startsAt).first(where: { $0.id != room })
            else { return }
            tables.notifications[index].notice.room = other.id
        case .namesOldRevision:
            if let index = last({ $0 == .roomChanged }) { tables.notifications[index].notice.revision? -= 1 }
        case .missesWhoCame:
            if let index = last({ $0 == .sessionCompleted }) {
                tables.notifications[index].notice.type = .sessionMissed
            }
        case .completesWhoDidNot:
            if let index = last({ $0 == .sessionMissed }) {
                tables.notifications[index].notice.type = .sessionCompleted
            }
        case .lapsesWhatRan:
            if let index = last({ $0 == .sessionMissed }) {
                tables.notifications[index].notice.type = .sessionLapsed
            }
        default: break
        }
    }

    private func spoilRooms(_ tables: inout ModelTables, since before: ModelTables) {
        let rooms = tables.rooms.keys.filter { before.rooms[$0] == nil }.sorted()
        switch self {
        case .keepsRevision:
            for (id, room) in before.rooms { tables.rooms[id]?.revision = room.revision }
        case .dropsRoom:
            guard rooms.count > 1, let room = rooms.last else { return }
            tables.rooms[room] = nil
            tables.members.removeAll { $0.room == room }
            tables.notifications.removeAll { $0.notice.room == room }
        case .splitsRoom:
            guard let room = rooms.last, let record = tables.rooms[room],
                let last = tables.members.lastIndex(where: { $0.room == room }),
                tables.members.count(where: { $0.room == room }) > 1
            else { return }
            let other = Identifier(value: room.value ^ 1)
            tables.rooms[other] = ModelTables.Room(
                id: other, startsAt: record.startsAt, openedAt: record.openedAt)
            tables.members[last].room = other
            tables.move(tables.members[last].registration, to: other)
        case .mergesRooms:
            guard rooms.count > 1, let first = rooms.first, let last = rooms.last else { return }
            for index in tables.members.indices where tables.members[index].room == last {
                tables.members[index].room = first
                tables.move(tables.members[index].registration, to: first)
            }
        case .keepsSeat:
            for index in tables.members.indices where index < before.members.count {
                let id = tables.members[index].registration
                if before.members[index].leftRevision == nil, tables.registrations[id]?.cancelledAt != nil {
                    tables.members[index].leftRevision = nil
                }
            }
        case .losesCancelling:
            for (id, known) in before.registrations where known.cancelledAt == nil && known.user != nil {
                if tables.registrations[id]?.user != nil { tables.registrations[id]?.cancelledAt = nil }
            }
        case .losesRegistration:
            guard let room = rooms.last, let last = tables.members.last(where: { $0.room == room }) else {
                return
            }
            tables.registrations[last.registration] = nil
            tables.members.removeAll { $0.registration == last.registration }
            tables.notifications.removeAll { $0.notice.registration == last.registration }
        case .forgetsClosing:
            for (startsAt, slot) in before.slots where slot.closedAt == nil {
                tables.slots[startsAt]?.closedAt = nil
            }
        default: break
        }
    }

    private func spoilDeletion(_ tables: inout ModelTables, since before: ModelTables) {
        let gone = before.users.subtracting(tables.users)
        if gone.isEmpty { return }
        switch self {
        case .keepsOpinions: (tables.blocks, tables.favourites) = (before.blocks, before.favourites)
        case .keepsOwner:
            for (id, known) in before.registrations where known.user.map(gone.contains) == true {
                tables.registrations[id]?.user = known.user
            }
        case .deletesTooMuch:
            if let index = tables.notifications.lastIndex(where: { $0.notice.type == .roomOpened }) {
                tables.notifications.remove(at: index)
            }
        default: break
        }
    }
}

extension ModelTables {
    fileprivate mutating func repeatNotification(_ index: Int) { notifications.append(notifications[index]) }

    fileprivate mutating func move(_ registration: Identifier, to room: Identifier) {
        for index in notifications.indices where notifications[index].notice.registration == registration {
            if notifications[index].notice.room != nil { notifications[index].notice.room = room }
        }
    }
}
