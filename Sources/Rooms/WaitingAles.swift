import Contract

/// The back-pressure on ales: a device that reads slowly and asked for it gets the waiting ales merged, one
/// entry for each sender. So no more can wait than the room has members.
struct WaitingAles {
    private struct Entry {
        let from: Identifier
        let sender: Int32
        let first: Int64
        var last: Int64
        var at: Timestamp
        var count: Int64
    }

    private var entries: [Entry] = []

    var isEmpty: Bool { entries.isEmpty }

    /// Adds the room's next ale.
    mutating func add(from member: LiveMember, _ number: Int64, at now: Timestamp) {
        guard let index = entries.firstIndex(where: { $0.sender == member.index }) else {
            entries.append(
                Entry(
                    from: member.details.id, sender: member.index, first: number, last: number, at: now,
                    count: 1))
            return
        }
        entries[index].last = number
        entries[index].at = now
        entries[index].count += 1
    }

    mutating func forget() { entries = [] }

    /// Returns the messages for the device, in the order of their last ales, and forgets them.
    ///
    /// The numbers of several senders may interleave. Then a message but the last names the position below
    /// the first ale that is still to come, so that a connection that ends between two of them loses none.
    mutating func take() -> [ServerMessage.Ale] {
        entries.sort { $0.last < $1.last }
        defer { entries = [] }
        var least = Int64.max
        return entries.reversed().map { entry in
            let position = min(entry.last, least - 1)
            least = min(least, entry.first)
            let isPlain = entry.count == 1 && position == entry.last
            return ServerMessage.Ale(
                from: entry.from, seq: entry.last, at: entry.at,
                merged: isPlain
                    ? nil
                    : ServerMessage.Ale.Merged(
                        first: entry.first, count: entry.count,
                        since: position < entry.last ? position : nil))
        }.reversed()
    }
}
