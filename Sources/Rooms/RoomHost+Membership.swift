package import Contract

extension RoomHost {
    /// Opens a room, or takes over what has changed in one: who joined, who left, whose token is another.
    package func apply(_ membership: Membership) {
        guard let room = rooms[membership.room] else {
            if configuration.now() < membership.closesAt { open(membership) }
            return
        }
        // An answer of the database that was overtaken by a later one.
        guard membership.revision >= room.revision else { return }
        room.revision = membership.revision
        let changed = update(room, membership)
        if changed {
            for member in room.members where member.isPresent {
                send(.members(room.members(seenBy: member)), to: member)
            }
        }
    }

    /// Whether the match is another than before.
    private func update(_ room: LiveRoom, _ membership: Membership) -> Bool {
        var hasChanged = false
        let staying = Set(membership.members.map(\.id))
        for member in room.members where !staying.contains(member.details.id) {
            hasChanged = true
            depart(member, from: room, to: membership.moved[member.details.id])
        }
        room.members.removeAll { !staying.contains($0.details.id) }
        for listed in membership.members {
            guard let member = room.members.first(where: { $0.details.id == listed.id }) else {
                hasChanged = true
                room.addMember(listed)
                continue
            }
            let before = member.details
            member.details.name = listed.name
            member.details.task = listed.task
            member.details.tag = listed.tag
            if before.name != listed.name { hasChanged = true }
            if listed.tokenVersion > before.tokenVersion {
                member.details.tokenVersion = listed.tokenVersion
                turnOut(member, of: room)
            }
        }
        return hasChanged
    }

    /// The token that the member came in with is no longer valid.
    private func turnOut(_ member: LiveMember, of room: LiveRoom) {
        guard member.isPresent else { return }
        dismiss(member, .notAllowed, reason: "the token was replaced")
        journal.presenceChanged(room: room.id, registration: member.details.id, present: false)
        broadcast(.presence(member: member.details.id, present: false), in: room)
    }

    private func depart(_ member: LiveMember, from room: LiveRoom, to target: Identifier?) {
        member.hasLeft = true
        if let target {
            let url = configuration.socketURL(
                target, member.details.user, member.details.tokenVersion, room.closesAt)
            send(.moved(id: target, socketUrl: url), to: member)
            dismiss(member, .moved)
        } else {
            dismiss(member, .notAllowed, reason: "no longer a member")
        }
        room.departed.append(member)
    }

    /// Ends the rooms whose time is over, and answers with their last counts.
    package func closeEnded(at now: Timestamp) -> [AleCount] {
        let ended = rooms.values.filter { $0.closesAt <= now }
        for room in ended {
            broadcast(.roomClosed, in: room)
            for member in room.members { dismiss(member, .roomClosed) }
            close(room)
        }
        forgetSaved(endedBy: now)
        return takeCounts()
    }

    /// Ends at most `limit` connections, with the code and a reason for each; false: there are no more.
    package func closeDevices(_ code: RoomClose, limit: Int, reason: () -> String) -> Bool {
        var left = limit
        for room in rooms.values {
            for member in room.members where member.isPresent {
                if left <= 0 { return true }
                left -= member.peers.count
                dismiss(member, code, reason: reason())
            }
        }
        return false
    }

    /// Tells the journal once more of everybody who is present.
    package func reportPresence() {
        for room in rooms.values {
            for member in room.members where member.isPresent {
                journal.presenceChanged(room: room.id, registration: member.details.id, present: true)
            }
        }
    }

    /// The rooms in which somebody is present.
    package var occupied: [Identifier] {
        rooms.values.filter { $0.members.contains(where: \.isPresent) }.map(\.id)
    }

    /// Who is present, and how many ales there were, where that is known here.
    package func snapshot(of id: Identifier) -> RoomSnapshot? {
        guard let room = rooms[id], room.wasVisited else { return nil }
        return RoomSnapshot(
            present: Set(room.members.filter(\.isPresent).map(\.details.id)),
            ales: room.storedAles + room.countedAles)
    }
}

/// What only the room itself knows at once.
package struct RoomSnapshot: Sendable {
    /// Registrations.
    package var present: Set<Identifier>
    package var ales: Int64
}
