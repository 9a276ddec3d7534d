package import Contract

extension RoomHost {
    /// Opens a room, or takes over what has changed in one: who joined, who left, whose token is another.
    package func apply(_ roster: Roster) {
        guard let room = rooms[roster.room] else {
            if configuration.now() < roster.closesAt { open(roster) }
            return
        }
        // An answer of the database that was overtaken by a later one.
        guard roster.revision >= room.revision else { return }
        room.revision = roster.revision
        let changed = update(room, roster)
        if changed {
            for seat in room.seats where seat.isPresent {
                send(.members(room.members(seenBy: seat)), to: seat)
            }
        }
    }

    /// Whether the match is another than before.
    private func update(_ room: HostedRoom, _ roster: Roster) -> Bool {
        var hasChanged = false
        let staying = Set(roster.members.map(\.id))
        for seat in room.seats where !staying.contains(seat.member.id) {
            hasChanged = true
            depart(seat, from: room, to: roster.moved[seat.member.id])
        }
        room.seats.removeAll { !staying.contains($0.member.id) }
        for member in roster.members {
            guard let seat = room.seats.first(where: { $0.member.id == member.id }) else {
                hasChanged = true
                room.addSeat(member)
                continue
            }
            let before = seat.member
            seat.member.name = member.name
            seat.member.task = member.task
            seat.member.tag = member.tag
            if before.name != member.name { hasChanged = true }
            if member.tokenVersion > before.tokenVersion {
                seat.member.tokenVersion = member.tokenVersion
                turnOut(seat, of: room)
            }
        }
        return hasChanged
    }

    /// The token that the member came in with is no longer valid.
    private func turnOut(_ seat: Seat, of room: HostedRoom) {
        guard seat.isPresent else { return }
        dismiss(seat, .notAllowed, reason: "the token was replaced")
        journal.presenceChanged(room: room.id, registration: seat.member.id, present: false)
        broadcast(.presence(member: seat.member.id, present: false), in: room)
    }

    private func depart(_ seat: Seat, from room: HostedRoom, to target: UUID?) {
        seat.hasLeft = true
        if let target {
            let url = configuration.socketURL(
                target, seat.member.user, seat.member.tokenVersion, room.closesAt)
            send(.moved(id: target, socketUrl: url), to: seat)
            dismiss(seat, .moved)
        } else {
            dismiss(seat, .notAllowed, reason: "no longer a member")
        }
        room.departed.append(seat)
    }

    /// Ends the rooms whose time is over, and answers with their last counts.
    package func closeEnded(at now: Timestamp) -> [AleCount] {
        let ended = rooms.values.filter { $0.closesAt <= now }
        for room in ended {
            broadcast(.roomClosed, in: room)
            for seat in room.seats { dismiss(seat, .roomClosed) }
            close(room)
        }
        forgetSaved(endedBy: now)
        return takeCounts()
    }

    /// Ends at most `limit` connections, with the code and a reason for each; false: there are no more.
    package func closeDevices(_ code: RoomClose, limit: Int, reason: () -> String) -> Bool {
        var left = limit
        for room in rooms.values {
            for seat in room.seats where seat.isPresent {
                if left <= 0 { return true }
                left -= seat.visitors.count
                dismiss(seat, code, reason: reason())
            }
        }
        return false
    }

    /// Tells the journal once more of everybody who is present.
    package func reportPresence() {
        for room in rooms.values {
            for seat in room.seats where seat.isPresent {
                journal.presenceChanged(room: room.id, registration: seat.member.id, present: true)
            }
        }
    }

    /// The rooms in which somebody is present.
    package var occupied: [UUID] {
        rooms.values.filter { $0.seats.contains(where: \.isPresent) }.map(\.id)
    }

    /// Who is present, and how many ales there were, where that is known here.
    package func snapshot(of id: UUID) -> RoomSnapshot? {
        guard let room = rooms[id], room.wasVisited else { return nil }
        return RoomSnapshot(
            present: Set(room.seats.filter(\.isPresent).map(\.member.id)),
            ales: room.storedAles + room.countedAles)
    }
}

/// What only the room itself knows at once.
package struct RoomSnapshot: Sendable {
    /// Registrations.
    package var present: Set<UUID>
    package var ales: Int64
}
