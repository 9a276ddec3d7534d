package import Contract

/// A room that this server hands to another one, as it is from when it takes no more ales.
package struct LeavingRoom: Sendable {
    package let id: Identifier
    /// The term in which the room is here.
    package let term: Int32
    package let devices: Int
    /// The blocks of the room (`RoomBlock`).
    package let blocks: [UInt64]
}

/// Rooms that are handed from one server to another while they are open.
///
///     this server    leave ─▶ the other keeps it aside ─▶ the row names the other ─▶ left
/// └──────────▶ none accepts it ─▶ stay
///     the other      keep ─▶ it reads that it owns the room ─▶ the room goes on (`open`)
extension RoomHost {
    /// Has some rooms take no more ales, of about that many devices at most, and returns them as they are.
    /// They wait until `stay` or `left`. `isMore` says that there are others, or will be in a moment.
    package func leave(
        devices limit: Int, rooms most: Int, except those: Set<Identifier>
    ) -> (rooms: [LeavingRoom], isMore: Bool) {
        var leaving: [LeavingRoom] = []
        var devices = 0
        var isMore = false
        // The order of their ids is the same each time that a simulation runs.
        let ids = rooms.keys.filter { !those.contains($0) }.sorted()
        for room in ids.compactMap({ rooms[$0] }) where room.flow != .leaving {
            // A room that was just taken over goes once its owner before takes no more ales.
            if devices >= limit || leaving.count >= most || room.flow == .frozen {
                isMore = true
                continue
            }
            guard let room = leave(room.id) else { continue }
            devices += room.devices
            leaving.append(room)
        }
        return (leaving, isMore)
    }

    /// Has one room take no more ales, as above; nil if it is not here, or waits already.
    package func leave(_ id: Identifier) -> LeavingRoom? {
        guard let room = rooms[id], room.flow == .open else { return nil }
        let storage = MemoryRoomStorage()
        guard RoomRecord(writing: room.saved, to: storage, configuration.log) != nil else { return nil }
        room.flow = .leaving
        return LeavingRoom(id: id, term: room.term, devices: room.peers.count, blocks: storage.words)
    }

    /// Resumes rooms that no other server has accepted. One that is here in another term by now is left
    /// alone.
    package func stay(_ leaving: [LeavingRoom]) {
        for room in leaving where rooms[room.id]?.flow == .leaving && rooms[room.id]?.term == room.term {
            rooms[room.id]?.flow = freezes[room.id] == nil ? .open : .frozen
        }
        resume()
    }

    /// Closes the devices of rooms that another server has now, in the term after the one here.
    package func left(_ leaving: [LeavingRoom]) {
        for room in leaving {
            relinquish(room.id, ifTermBelow: room.term + 1, closing: .restarting)
            statistics.handedOver += 1
        }
    }

    /// Keeps a room aside that another server hands to this one. Returns false if this server does not take
    /// it.
    package func keep(_ room: SavedRoom) -> Bool {
        if isDraining || rooms[room.id] != nil || leastTerms.isOutdated(room.id, room.term) { return false }
        return arrivals.keep(room, at: configuration.now())
    }

    /// The rooms that are kept aside.
    package var arriving: [Identifier] { arrivals.ids }

    /// Returns the rooms that were opened with what another server had since the last call.
    package func takeAdopted() -> [Identifier] {
        defer { newlyAdopted = [] }
        return newlyAdopted
    }

    /// Forgets rooms that are kept aside, since they are not handed to this server after all.
    package func forgetArriving(_ ids: [Identifier]) {
        for id in ids { arrivals.forget(id) }
    }

    /// The time for which an offer may have waited here. The owner waits two seconds for the answer.
    private static let longestOffer = Duration.seconds(10)

    /// Forgets a room that this server is about to claim, and does not keep it, for as long as an offer may
    /// wait, as an owner of that term or of an earlier one has it: the owner may have gone on after it has
    /// sent the room here.
    package func refuseArrival(of id: Identifier, from term: Int32) {
        arrivals.forget(id)
        leastTerms.note(id, term &+ 1, until: configuration.now().adding(Self.longestOffer))
    }

    /// Forgets the rooms that were kept aside for too long.
    package func forgetArriving(endedBy now: Timestamp) { arrivals.forget(endedBy: now) }
}
