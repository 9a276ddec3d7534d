package import Contract

extension RoomHost {
    /// Opens a room, or applies changes to an open one: members who joined or left, and replaced tokens.
    ///
    /// A room is here only while this server owns it: if another server does, or has done meanwhile, the
    /// room is given up.
    package func apply(_ membership: Membership) {
        guard isOwn(membership) else { return }
        if membership.isClosed { return closeEarly(membership) }
        guard let room = rooms[membership.room] else {
            if configuration.now() < membership.closesAt { open(membership) }
            return
        }
        // An answer of the database may have been overtaken by a later one.
        guard membership.revision >= room.revision else { return }
        room.revision = membership.revision
        let changed = update(room, membership)
        if changed {
            for member in room.members where member.isPresent {
                send(.members(room.members(seenBy: member)), to: member.peers)
            }
        }
    }

    /// Updates the members. Returns whether any member or name has changed.
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
            // An answer of the database may have been overtaken by one with later words.
            if listed.wordsRevision > before.wordsRevision {
                member.details.words = listed.words
                member.details.wordsRevision = listed.wordsRevision
                tellWords(of: member, before: before.words, in: room)
            }
            member.details.tokens.update(from: listed.tokens)
            if member.details.tokens != before.tokens { turnOut(member, of: room) }
        }
        return hasChanged
    }

    /// Sends a member's changed words to all devices of version 2, the member's own included.
    private func tellWords(of member: LiveMember, before: SessionWords, in room: LiveRoom) {
        let (id, words) = (member.details.id, member.details.words)
        if words.checkIn != before.checkIn {
            send(.checkIn(member: id, checkIn: words.checkIn), to: room.peers)
        }
        if words.outcome != before.outcome || words.note != before.note {
            send(.outcome(member: id, outcome: words.outcome, note: words.note), to: room.peers)
        }
    }

    /// Disconnects the devices of a member whose tokens are no longer valid.
    private func turnOut(_ member: LiveMember, of room: LiveRoom) {
        let ended = member.peers.filter { !member.details.tokens.contains($0.tokenVersion) }
        if ended.isEmpty { return }
        for peer in ended {
            let reason = peer.tokenVersion > 0 ? "the token was replaced" : "the token is no longer valid"
            dismiss(peer, .notAllowed, reason: reason)
        }
        if member.isPresent { return }
        report(member, in: room, present: false)
        send(.presence(member: member.details.id, present: false), to: room.peers)
    }

    private func depart(_ member: LiveMember, from room: LiveRoom, to target: Identifier?) {
        member.hasLeft = true
        _ = room.setStatus(nil, of: member)
        if let target {
            sendMoved(member, to: target, until: room.closesAt)
            dismiss(member, .moved)
        } else {
            dismiss(member, .notAllowed, reason: "no longer a member")
        }
        room.departed.append(member)
    }

    /// Redirects the devices of a member, each with a ticket under the token that it came in under.
    func sendMoved(_ member: LiveMember, to target: Identifier, until closesAt: Timestamp) {
        for (tokenVersion, peers) in Dictionary(grouping: member.peers, by: \.tokenVersion) {
            let url = configuration.socketURL(target, member.details.user, tokenVersion, closesAt)
            send(.moved(id: target, socketUrl: url), to: peers)
        }
    }

    /// Closes a device of the member that has missed a ping; returns false if there is none.
    func dismissSilentDevice(of member: LiveMember) -> Bool {
        guard let silent = member.peers.first(where: { $0.device?.hasMissedPing ?? false }) else {
            return false
        }
        dismiss(silent, .heartbeatMissed, reason: RetryAfter.reason(.milliseconds(500)))
        return true
    }

    /// Closes a room that an operator has closed, as at its end. An older answer of the database, which comes
    /// later, does not open it again.
    private func closeEarly(_ membership: Membership) {
        let id = membership.room
        leastTerms.note(id, .max, until: membership.closesAt)
        forgetSaved(id, ifTermUpTo: .max)
        arrivals.forget(id)
        guard let room = rooms[id] else { return }
        send(.roomClosed, to: room.peers)
        for member in room.members where member.isPresent {
            dismiss(member, .roomClosed)
            report(member, in: room, present: false)
        }
        close(room)
    }

    /// Closes the rooms that have ended, and returns all counts since the last time.
    package func closeEnded(at now: Timestamp) -> [AleCount] {
        let ended = rooms.values.filter { $0.closesAt <= now }
        for room in ended {
            send(.roomClosed, to: room.peers)
            for member in room.members { dismiss(member, .roomClosed) }
            close(room)
        }
        forgetSaved(endedBy: now)
        leastTerms.forget(endedBy: now)
        return takeCounts()
    }

    /// Shows an announcement to the devices of version 2 in these rooms; to one user's alone where one is
    /// named.
    package func announce(_ text: String, at now: Timestamp, in ids: [Identifier], to user: Identifier?) {
        let message = ServerMessage.announcement(text: text, at: now)
        for room in ids.compactMap({ rooms[$0] }) {
            guard let user else {
                send(message, to: room.peers)
                continue
            }
            if let member = room.member(of: user) { send(message, to: member.peers) }
        }
    }

    /// Closes about `limit` connections, with the code and a reason for each. Returns false if there are no
    /// more.
    package func closeDevices(_ code: RoomClose, limit: Int, reason: () -> String) -> Bool {
        var left = limit
        for (_, room) in rooms.sorted(by: { $0.key < $1.key }) {
            for member in room.members where member.isPresent {
                if left <= 0 { return true }
                left -= member.peers.count
                dismiss(member, code, reason: reason())
            }
        }
        return false
    }

    /// Reports every member who is present to the journal again.
    package func reportPresence() {
        for room in rooms.values {
            for member in room.members where member.isPresent {
                report(member, in: room, present: true)
            }
        }
    }

    /// The rooms in which a member is present.
    package var occupied: [Identifier] {
        rooms.values.filter { $0.members.contains(where: \.isPresent) }.map(\.id)
    }

    /// Returns the present members and the number of ales; nil if they are not known here.
    package func snapshot(of id: Identifier) -> RoomSnapshot? {
        guard let room = rooms[id], room.wasVisited else { return nil }
        return RoomSnapshot(
            present: Set(room.members.filter(\.isPresent).map(\.details.id)),
            ales: room.storedAles + room.countedAles,
            statuses: Dictionary(
                uniqueKeysWithValues: room.members.compactMap { member in
                    room.status(of: member).map { (member.details.id, $0) }
                }))
    }
}

/// The state of a room that the database learns with a delay.
package struct RoomSnapshot: Sendable {
    /// The registrations of the members who are present.
    package var present: Set<Identifier>
    package var ales: Int64
    /// The statuses of members by their registrations; members without one are left out.
    package var statuses: [Identifier: MemberStatus] = [:]
}
