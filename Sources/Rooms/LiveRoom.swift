import Contract

/// A room that is open, on the loop that owns it.
final class LiveRoom {
    // The fields that every ale touches come first, so that they are adjacent in memory.
    let text: IdentifierText
    private(set) var log: AleLog
    /// The devices of the members who hear ales.
    private(set) var listeners: [RoomPeer] = []
    /// The devices of the members who want no ales.
    private var quietPeers: [RoomPeer] = []
    private var keeping: Keeping
    private let layout: RoomLogLayout
    /// The past and present members by their indices, each once.
    private(set) var senders: [Sender] = []
    /// The ales since counts were last taken; `storedAles` are those counted before.
    var countedAles: Int64 = 0
    /// Whether the host lists the room among those whose counts it will report.
    var isCounted = false
    /// Whether a device was ever in the room on this server: then presence is known here, not in the
    /// database.
    var wasVisited = false
    var revision: Int32
    let opensAt: Timestamp
    let startsAt: Timestamp
    let closesAt: Timestamp
    /// The name of this run of the room; positions in the log mean nothing in another run.
    let epoch: String
    private let epochNumber: UInt64
    /// The members of the room.
    var members: [LiveMember] = []
    /// The members who left and whose ales have not been counted yet.
    var departed: [LiveMember] = []
    var storedAles: Int64
    /// The term in which this server owns the room.
    let term: Int32
    /// Whether the room takes ales; on the path of every ale.
    var flow = Flow.open

    enum Flow {
        /// Ales are taken. Goes to the others.
        case open
        /// Ales wait, since the owner before may still take some. Goes to `open`.
        case frozen
        /// The room is being handed to another server: ales wait until the room is gone, or until no other
        /// server accepts it. Goes to `open`, or to `frozen` if a freeze is not over.
        case leaving
    }

    /// The state of the storage that lets the room outlive the process.
    private enum Keeping {
        /// The room is kept from its first device on, since clients get positions from then on.
        case notYet(any RoomStorage)
        case kept(RoomRecord)
        /// There is no storage, or it was full.
        case not
    }

    /// Creates a room; `epoch` is used unless an earlier process left a saved room.
    init(
        _ membership: Membership, epoch: UInt64, _ layout: RoomLogLayout, saved: SavedRoom? = nil,
        storage: (any RoomStorage)? = nil
    ) {
        text = IdentifierText(membership.room)
        revision = membership.revision
        opensAt = membership.opensAt
        startsAt = membership.startsAt
        closesAt = membership.closesAt
        storedAles = membership.ales
        term = membership.term
        self.layout = layout
        epochNumber = saved?.epoch ?? epoch
        self.epoch = String(epochNumber, radix: 36)
        if let saved {
            log = AleLog(
                capacity: layout.ales, origin: saved.origin, restoring: saved.ales, last: saved.last)
            senders = saved.senders
            keeping = storage.flatMap { RoomRecord(saved, in: $0, layout) }.map { .kept($0) } ?? .not
        } else {
            log = AleLog(capacity: layout.ales, origin: membership.opensAt)
            keeping = storage.map { .notYet($0) } ?? .not
        }
        for listed in membership.members { addMember(listed) }
    }

    func addMember(_ listed: Membership.Member) {
        // A member who comes back keeps the index of a sender.
        let index = senders.firstIndex { $0.registration == listed.id } ?? senders.count
        if index == senders.count {
            senders.append(Sender(registration: listed.id))
            if case .kept(let record) = keeping { check(record.add(listed.id), record) }
        }
        members.append(LiveMember(listed, index: Int32(truncatingIfNeeded: index)))
    }

    /// Keeps the room in the storage from now on, if there is one.
    func keep() {
        guard case .notYet(let storage) = keeping else { return }
        keeping = .not
        guard
            let record = RoomRecord(
                id, term: term, epoch: epochNumber, origin: log.origin, closesAt: closesAt, in: storage,
                layout)
        else { return }
        keeping = .kept(record)
        for sender in senders {
            guard case .kept = keeping else { return }
            check(record.add(sender.registration), record)
        }
    }

    /// Frees the record of a room that is over.
    func forget() {
        if case .kept(let record) = keeping { record.free() }
        keeping = .not
    }

    /// The state of the room for another server. The members who are present have heard every ale.
    var saved: SavedRoom {
        var senders = senders
        for member in members where member.isPresent { senders[Int(member.index)].awaySince = log.last }
        return SavedRoom(
            id: id, epoch: epochNumber, origin: log.origin, closesAt: closesAt, last: log.last,
            ales: log.words, senders: senders, blocks: nil, term: term)
    }

    /// Returns the number of the ale with that message id; nil if it is unknown.
    func number(of messageId: MessageFingerprint, from member: LiveMember) -> Int64? {
        senders[Int(member.index)].messageIds.number(of: messageId)
    }

    /// Appends an ale with its message id, counts it, and returns its number. The ale is stored before it is
    /// sent to anybody.
    func append(from member: LiveMember, at now: Timestamp, _ messageId: MessageFingerprint?) -> Int64 {
        let number = log.append(AleLog.Entry(at: now, sender: member.index))
        var known: RoomRecord.MessageId?
        if let messageId {
            let sender = Int(member.index)
            let place = senders[sender].messageIds.remember(messageId, number, capacity: layout.messageIds)
            known = RoomRecord.MessageId(fingerprint: messageId, sender: sender, place: place)
        }
        if case .kept(let record) = keeping {
            check(record.append(log.word(number), number: number, messageId: known), record)
        }
        countedAles &+= 1
        member.sent &+= 1
        return number
    }

    /// Frees the record if the storage is full; the room goes on in memory alone, since the record would be
    /// incomplete.
    private func check(_ isKept: Bool, _ record: RoomRecord) {
        if isKept { return }
        record.free()
        keeping = .not
    }

    func add(_ peer: RoomPeer) {
        let member = peer.member
        member.settle(at: log.last)
        if !member.isPresent {
            let sender = Int(member.index)
            senders[sender].unheard.add(
                after: senders[sender].awaySince, upTo: log.last, capacity: layout.ales)
            if case .kept(let record) = keeping { record.moved(sender, .here(senders[sender].status)) }
        }
        member.peers.append(peer)
        if member.hearsAles { listeners.append(peer) } else { quietPeers.append(peer) }
    }

    /// The devices of all members.
    var peers: [RoomPeer] { quietPeers.isEmpty ? listeners : listeners + quietPeers }

    func remove(_ peer: RoomPeer) {
        let member = peer.member
        member.settle(at: log.last)
        member.peers.removeAll { $0 === peer }
        if member.hearsAles {
            listeners.removeAll { $0 === peer }
        } else {
            quietPeers.removeAll { $0 === peer }
        }
        if member.isPresent { return }
        let sender = Int(member.index)
        senders[sender].awaySince = log.last
        if case .kept(let record) = keeping { record.moved(sender, senders[sender].whereabouts) }
    }

    /// Keeps the status of a member until another one, or until the member leaves the match. Returns whether
    /// it has changed.
    func setStatus(_ status: MemberStatus?, of member: LiveMember) -> Bool {
        let sender = Int(member.index)
        guard senders[sender].status != status else { return false }
        senders[sender].status = status
        if case .kept(let record) = keeping {
            record.moved(sender, member.isPresent ? .here(status) : senders[sender].whereabouts)
        }
        return true
    }

    func status(of member: LiveMember) -> MemberStatus? { senders[Int(member.index)].status }

    /// Counts the ales after `since`, which were sent to one of the member's devices. Each counts once,
    /// whichever devices it reaches.
    func recovered(_ member: LiveMember, after since: Int64) {
        member.recovered(senders[Int(member.index)].unheard.take(after: since))
    }

    var id: Identifier { text.id }

    func member(of user: Identifier) -> LiveMember? { members.first { $0.details.user == user } }

    func members(seenBy viewer: LiveMember?) -> [Member] {
        members.map { $0.seen(by: viewer, status: status(of: $0)) }
    }
}
