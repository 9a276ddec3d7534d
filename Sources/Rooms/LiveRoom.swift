import Contract

/// A room that is open, on the loop that owns it.
final class LiveRoom {
    // What every ale touches comes first, so that it lies together.
    let text: IdentifierText
    private(set) var log: AleLog
    /// The devices of all members in one row: who may hear an ale.
    private(set) var peers: [RoomPeer] = []
    private var keeping: Keeping
    private let layout: RoomLogLayout
    /// Who is behind the indices of past and present members, each once.
    private(set) var senders: [Sender] = []
    /// Since counts were taken last; what is stored already is in `storedAles`.
    var countedAles: Int64 = 0
    var isCounted = false
    /// Whether a device was ever in it here: then presence is known here, and not in the database.
    var wasVisited = false
    var revision: Int32
    let opensAt: Timestamp
    let startsAt: Timestamp
    let closesAt: Timestamp
    /// Names this run of the room: positions in a log mean nothing in another one.
    let epoch: String
    private let epochNumber: UInt64
    /// Those who belong here.
    var members: [LiveMember] = []
    /// Those who left, until what they sent and heard has been counted.
    var departed: [LiveMember] = []
    var storedAles: Int64

    /// Whether what happens here outlives the process.
    private enum Keeping {
        /// From the first device on: then positions are told.
        case notYet(any RoomStorage)
        case kept(RoomRecord)
        /// There is no storage, or it was full.
        case not
    }

    /// `epoch` is for a room that no earlier process has left.
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
        self.layout = layout
        epochNumber = saved?.epoch ?? epoch
        self.epoch = String(epochNumber, radix: 36)
        if let saved {
            log = AleLog(
                capacity: layout.ales, origin: saved.origin, restoring: saved.ales, last: saved.last)
            senders = saved.senders
            keeping = storage.map { .kept(RoomRecord(saved, in: $0, layout)) } ?? .not
        } else {
            log = AleLog(capacity: layout.ales, origin: membership.opensAt)
            keeping = storage.map { .notYet($0) } ?? .not
        }
        for listed in membership.members { addMember(listed) }
    }

    func addMember(_ listed: Membership.Member) {
        // Who comes back is the sender of what it sent before.
        let index = senders.firstIndex { $0.registration == listed.id } ?? senders.count
        if index == senders.count {
            senders.append(Sender(registration: listed.id))
            if case .kept(let record) = keeping { check(record.add(listed.id), record) }
        }
        members.append(LiveMember(listed, index: Int32(truncatingIfNeeded: index)))
    }

    /// From now on what happens here outlives the process, where there is a storage.
    func keep() {
        guard case .notYet(let storage) = keeping else { return }
        keeping = .not
        guard
            let record = RoomRecord(
                id, epoch: epochNumber, origin: log.origin, closesAt: closesAt, in: storage, layout)
        else { return }
        keeping = .kept(record)
        for sender in senders {
            guard case .kept = keeping else { return }
            check(record.add(sender.registration), record)
        }
    }

    /// The room is over: nobody will ask for it.
    func forget() {
        if case .kept(let record) = keeping { record.free() }
        keeping = .not
    }

    /// The number that the ale with that message id became, where this is known.
    func number(of messageId: MessageFingerprint, from member: LiveMember) -> Int64? {
        senders[Int(member.index)].messageIds.number(of: messageId)
    }

    /// Takes an ale, and its message id with it. It is kept before anybody hears of it.
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
        return number
    }

    /// Where the storage is full the room goes on in memory alone. What was kept would lack what comes.
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
            if case .kept(let record) = keeping { record.moved(sender, awaySince: nil) }
        }
        member.peers.append(peer)
        peers.append(peer)
    }

    func remove(_ peer: RoomPeer) {
        let member = peer.member
        member.settle(at: log.last)
        member.peers.removeAll { $0 === peer }
        peers.removeAll { $0 === peer }
        if member.isPresent { return }
        senders[Int(member.index)].awaySince = log.last
        if case .kept(let record) = keeping { record.moved(Int(member.index), awaySince: log.last) }
    }

    /// The ales after `since` were sent to one of the member's devices at once. Each counts once, whichever
    /// device it reaches, and however often.
    func recovered(_ member: LiveMember, after since: Int64) {
        member.recovered(senders[Int(member.index)].unheard.take(after: since))
    }

    var id: Identifier { text.id }

    func member(of user: Identifier) -> LiveMember? { members.first { $0.details.user == user } }

    func members(seenBy viewer: LiveMember?) -> [Member] { members.map { $0.seen(by: viewer) } }
}
