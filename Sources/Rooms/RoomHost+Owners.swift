package import Contract

/// Rooms that other servers can take over (fail-over), and rooms whose ales have to wait.
extension RoomHost {
    /// The longest time for which the term of a room is remembered that is not open here.
    private static let longestRoom = Duration.seconds(86_400)

    /// The term in which the room is open here; nil if it is not.
    package func term(of room: Identifier) -> Int32? { rooms[room]?.term }

    /// Returns the terms of those of the rooms that are open here.
    package func terms(of ids: [Identifier]) -> [Identifier: Int32] {
        var terms: [Identifier: Int32] = [:]
        for id in ids { terms[id] = rooms[id]?.term }
        return terms
    }

    /// Whether the room is open here, was left by an earlier process, is being handed to this one, or is just
    /// being read.
    package func knows(_ room: Identifier) -> Bool {
        rooms[room] != nil || saved[room] != nil || arrivals.contains(room) || readings[room] != nil
    }

    /// Notes that a room is read for a device that knocks, until `endReading`.
    package func beginReading(_ room: Identifier) { readings[room, default: 0] += 1 }

    package func endReading(_ room: Identifier) {
        guard let count = readings[room] else { return }
        readings[room] = count > 1 ? count - 1 : nil
    }

    /// The rooms that are open here.
    package var openRooms: [Identifier] { Array(rooms.keys) }

    /// Whether this server owns the room by that answer of the database. If another server does, or has done
    /// since the room was opened here, the room is given up.
    func isOwn(_ membership: Membership) -> Bool {
        guard let me = configuration.incarnation else { return true }
        let id = membership.room
        if leastTerms.isOutdated(id, membership.term) { return false }
        if let room = rooms[id], membership.term < room.term { return false }
        if membership.owner == me {
            // A room that came back after it was elsewhere has no log of that time.
            relinquish(id, ifTermBelow: membership.term)
            return true
        }
        note(id, membership.term, until: membership.closesAt)
        forgetSaved(id, ifTermUpTo: membership.term)
        arrivals.forget(id, ifTermBelow: membership.term)
        relinquish(id)
        return false
    }

    /// Gives up a room that has another owner, or is to have one: if `term` is given, only if the room was
    /// opened in an earlier one, and then no answer of an earlier term opens it again.
    ///
    /// Devices are sent back to the same room, with their positions; those of version 2 by that code. The
    /// counts until now are still reported, and the members of the room are reported as absent from this
    /// server.
    package func relinquish(
        _ id: Identifier, ifTermBelow term: Int32? = nil, closing code: RoomClose = .moved
    ) {
        let room = rooms[id]
        if let term { note(id, term, until: room?.closesAt ?? configuration.now().adding(Self.longestRoom)) }
        guard let room else { return }
        if let term, room.term >= term { return }
        // The room is no longer here when the first device is closed.
        close(room)
        for member in room.members where member.isPresent {
            if code == .moved { sendMoved(member, to: id, until: room.closesAt) }
            for peer in member.peers {
                if code == .moved && peer.version == .two {
                    dismiss(peer, .moved, reason: "")
                } else {
                    dismiss(peer, .restarting, reason: RetryAfter.reason(configuration.retryAfter()))
                }
            }
            report(member, in: room, present: false)
        }
    }

    /// A room whose first owner is the only one needs no note: no answer is older than that.
    private func note(_ id: Identifier, _ term: Int32, until: Timestamp) {
        if term > 1 { leastTerms.note(id, term, until: until) }
    }

    // Ales that wait.

    /// Whether ales may be answered now.
    var mayAnswer: Bool { configuration.mayAnswer() }

    /// Has the devices of a room keep back what they read, as soon as it is open here, until each `freeze`
    /// was followed by a `thaw`. A room that is being handed to another server waits already.
    package func freeze(_ id: Identifier) {
        freezes[id, default: 0] += 1
        if let room = rooms[id], room.flow == .open { room.flow = .frozen }
    }

    /// Ends one freeze of a room; with the last one its devices go on.
    package func thaw(_ id: Identifier) {
        guard let count = freezes[id] else { return }
        freezes[id] = count > 1 ? count - 1 : nil
        guard count == 1, let room = rooms[id], room.flow == .frozen else { return }
        room.flow = .open
        resume()
    }

    /// Takes a peer that is gone out of those that hold messages.
    func forgetHeld(_ peer: RoomPeer) { held.removeAll { $0 === peer } }

    /// Asks all devices that keep back what they have read to go on. Those that still have to wait hold their
    /// messages again.
    package func resume() {
        let waiting = held
        held = []
        for peer in waiting { peer.isHeld = false }
        for peer in waiting { peer.device?.resume() }
    }
}
