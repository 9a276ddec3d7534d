import Codecs
package import Contract

/// The rooms of one loop, with their members, devices and ales. Loop only.
///
/// Everything between a message that arrives and its fan-out to the room's members is plain code on the
/// loop's thread.
package final class RoomHost {
    /// The reason for which a device does not join a room.
    package enum JoinError: Error {
        case unknownRoom
        case notAMember
        /// The token, or the one that the ticket was made under, is no longer valid, or is not known here
        /// yet.
        case staleToken
        case closed
        case tooManyDevices
        case draining
        /// It is not certain that this server still owns the room.
        case uncertain
        /// The device is no longer connected.
        case gone

        /// Whether it may be otherwise in a moment: another server may have changed the room, or the lease
        /// of this one is about to be renewed.
        package var mayBeOutdated: Bool {
            switch self {
            case .unknownRoom, .notAMember, .staleToken, .uncertain: true
            case .closed, .tooManyDevices, .draining, .gone: false
            }
        }
    }

    /// The position in the log at which an earlier connection ended.
    package struct Position: Sendable {
        package var epoch: String
        package var since: Int64

        package init(epoch: String, since: Int64) {
            self.epoch = epoch
            self.since = since
        }
    }

    /// A request to enter a room, with the number of the user's token, or of the token that its ticket was
    /// made under.
    package struct Entry: Sendable {
        package var room: Identifier
        package var user: Identifier
        package var tokenVersion: Int32
        package var version: SocketVersion
        package var position: Position?
        /// Whether another server brings the device.
        package var isRelayed: Bool
        package var options: SocketOptions

        package init(
            room: Identifier, user: Identifier, tokenVersion: Int32, version: SocketVersion,
            position: Position?, isRelayed: Bool = false, options: SocketOptions = SocketOptions()
        ) {
            self.room = room
            self.user = user
            self.tokenVersion = tokenVersion
            self.version = version
            self.position = position
            self.isRelayed = isRelayed
            self.options = options
        }
    }

    let configuration: RoomConfiguration
    private let aleRate: Rate?
    let journal: any RoomJournal
    var rooms: [Identifier: LiveRoom] = [:]
    var statistics = RoomStatistics()
    private var counted: [LiveRoom] = []
    package private(set) var isDraining = false
    /// The most frequent frames of version 1, built once.
    private let version1Ale: [UInt8]
    private let version1Handshake: [UInt8]
    private var payload: [UInt8] = []
    private var frame: [UInt8] = []
    /// The peers that hold messages, each once.
    var held: [RoomPeer] = []
    /// The number of freezes of each room, open or not, that are not over.
    var freezes: [Identifier: Int] = [:]
    /// The rooms that other servers hand to this one, until it has read that it owns them.
    var arrivals = RoomArrivals()
    /// The rooms that were opened with what another server had, until `takeAdopted`.
    var newlyAdopted: [Identifier] = []
    /// The number of readings of each room that are under way for devices that knock.
    var readings: [Identifier: Int] = [:]
    /// The terms that rooms have reached with other owners: an older answer of the database, which comes
    /// later, must not open such a room again.
    var leastTerms = LeastTerms()
    private var random = SystemRandomNumberGenerator()
    /// The storage of the rooms, if there is one, and the rooms that an earlier process left in it and that
    /// the database has not named yet.
    private let storage: (any RoomStorage)?
    private(set) var saved: [Identifier: SavedRoom]
    /// The ends of the rooms and of the saved ones.
    private var ends = RoomEnds()

    /// Creates a host. With a storage its rooms outlive the process; `saved` was read from the storage, with
    /// the layout of the configuration.
    package init(
        _ configuration: RoomConfiguration, journal: any RoomJournal,
        storage: (any RoomStorage)? = nil, saved: [SavedRoom] = []
    ) {
        self.configuration = configuration
        aleRate = configuration.aleRate
        self.journal = journal
        self.storage = storage
        self.saved = Dictionary(saved.map { ($0.id, $0) }) { first, _ in first }
        var ale: [UInt8] = []
        configuration.frame(.one, ServerMessage.version1Ale, &ale)
        version1Ale = ale
        var handshake: [UInt8] = []
        configuration.frame(.one, ServerMessage.version1Handshake, &handshake)
        version1Handshake = handshake
        for room in self.saved.values {
            ends.add(room.closesAt)
            // A process that is killed before it restores the room leaves the term that it has claimed.
            if let storage, configuration.incarnation != nil {
                RoomRecord(room, in: storage, configuration.log)?.began(room.term)
            }
        }
    }

    // Coming and going.

    /// Lets a device into its room, and tells the others. Returns its peer, and the greeting, which is to be
    /// the first that the device is sent.
    package func join(
        _ entry: Entry, _ sink: any FrameSink
    ) throws(JoinError) -> (peer: RoomPeer, greeting: [UInt8]) {
        if isDraining { throw .draining }
        if !sink.isOpen { throw .gone }
        guard let room = rooms[entry.room] else { throw .unknownRoom }
        if !mayAnswer { throw .uncertain }
        let now = configuration.now()
        if now >= room.closesAt { throw .closed }
        guard let member = room.member(of: entry.user) else { throw .notAMember }
        if !member.details.tokens.contains(entry.tokenVersion) { throw .staleToken }
        if member.peers.count >= configuration.maximumDevices, !dismissSilentDevice(of: member) {
            throw .tooManyDevices
        }
        let peer = RoomPeer(room: room, member: member, entry, host: self, device: sink)
        room.keep()
        room.wasVisited = true
        let isFirst = !member.isPresent
        room.add(peer)
        statistics.devices += 1
        let greeting = greeting(for: peer, entry, now: now)
        if member.hasEntered {
            if isFirst { statistics.returned &+= 1 }
        } else {
            member.hasEntered = true
            journal.entered(room: room.id, registration: member.details.id, at: now)
        }
        if isFirst { presenceChanged(member, in: room) }
        return (peer, greeting)
    }

    /// Reports to the journal whether a member is present.
    func report(_ member: LiveMember, in room: LiveRoom, present: Bool) {
        let term = configuration.incarnation == nil ? nil : room.term
        journal.presenceChanged(
            room: room.id, registration: member.details.id, term: term, present: present)
    }

    func presenceChanged(_ member: LiveMember, in room: LiveRoom) {
        report(member, in: room, present: member.isPresent)
        send(
            .presence(member: member.details.id, present: member.isPresent), to: room.peers, except: member)
    }

    /// Returns the frames with which a device begins: the handshake, and the ales that it missed, which are
    /// counted.
    private func greeting(for peer: RoomPeer, _ entry: Entry, now: Timestamp) -> [UInt8] {
        guard peer.version == .two else { return version1Handshake }
        let (room, member) = (peer.room, peer.member)
        var since: Int64?
        let position = entry.position
        if let position, position.epoch == room.epoch, room.log.reachesBack(to: position.since) {
            since = position.since
        }
        if position != nil {
            if since != nil { statistics.recovered &+= 1 } else { statistics.unrecovered &+= 1 }
        }
        let handshake = ServerMessage.Handshake(
            room: room.id, you: member.details.id, epoch: room.epoch, seq: room.log.last,
            recovered: since != nil, now: now, startsAt: room.startsAt, closesAt: room.closesAt,
            pingSeconds: Int64(entry.options.pingSeconds ?? configuration.pingSeconds),
            members: room.members(seenBy: member))
        var frames = encode { ServerMessage.handshake(handshake).append(to: &$0) }
        guard let since, member.hearsAles else { return frames }
        for number in since..<room.log.last {
            let ale = room.log[number + 1]
            if ale.sender == member.index { continue }
            let from = room.senders[Int(ale.sender)].registration
            frames += encode { ServerMessage.appendAle(from: from, seq: number + 1, at: ale.at, to: &$0) }
            statistics.deliveries &+= 1
        }
        room.recovered(member, after: since)
        if !room.isCounted { willCount(room) }
        return frames
    }

    // Ales.

    /// Takes an ale: numbers, stores and counts it, relays it to the others, and acknowledges it.
    func cheer(_ peer: RoomPeer, _ messageId: String?) {
        let member = peer.member
        let room = peer.room
        let fingerprint = messageId.map { MessageFingerprint($0) }
        if let messageId, let fingerprint, let number = room.number(of: fingerprint, from: member) {
            statistics.repeated += 1
            return acknowledge(peer, messageId, number)
        }
        let now = configuration.now()
        if isOverRate(peer, now) {
            return drop(\.rateLimited, .rateLimited, messageId, peer)
        }
        let number = room.append(from: member, at: now, fingerprint)
        statistics.ales &+= 1
        if !room.isCounted { willCount(room) }
        relay(from: member, number, now, in: room)
        if let messageId { acknowledge(peer, messageId, number) }
    }

    /// Takes a place in the rate of a device for a message; returns whether there is none.
    func isOverRate(_ peer: RoomPeer, _ now: Timestamp) -> Bool {
        aleRate.map { !peer.meter.take(of: $0, at: now.nanoseconds) } ?? false
    }

    /// Fans an ale out to the others: one frame to all devices of version 1, and one, encoded once, to all of
    /// version 2.
    private func relay(from sender: LiveMember, _ number: Int64, _ now: Timestamp, in room: LiveRoom) {
        let constant = version1Ale
        var encoded: [UInt8] = []
        var count: UInt64 = 0
        // A loop over the array itself would count references of each peer.
        let listeners = room.listeners
        let peers = listeners.span
        for index in peers.indices where peers[index].member !== sender {
            count &+= 1
            switch peers[index].aleForm {
            case .constant: peers[index].device?.deliver(constant.span.bytes)
            case .merged where peers[index].keepsBack(number, from: sender, at: now): continue
            case .merged, .single:
                if encoded.isEmpty {
                    let from = sender.details.id
                    encoded = encode { ServerMessage.appendAle(from: from, seq: number, at: now, to: &$0) }
                }
                peers[index].device?.deliver(encoded.span.bytes)
            }
        }
        statistics.deliveries &+= count
    }

    private func willCount(_ room: LiveRoom) {
        room.isCounted = true
        counted.append(room)
    }

    private func acknowledge(_ peer: RoomPeer, _ messageId: String, _ number: Int64) {
        guard peer.version == .two else { return }
        let encoded = encode { ServerMessage.appendAck(messageId: messageId, seq: number, to: &$0) }
        peer.deliver(encoded.span.bytes)
    }

    /// Counts a dropped message, and tells a device of version 2 why; version 1 has no such message.
    func drop(
        _ counter: WritableKeyPath<RoomStatistics, UInt64>, _ code: SocketErrorCode, _ messageId: String?,
        _ peer: RoomPeer
    ) {
        statistics[keyPath: counter] &+= 1
        guard peer.version == .two else { return }
        let encoded = encode { ServerMessage.appendError(code, messageId: messageId, to: &$0) }
        peer.deliver(encoded.span.bytes)
    }

    /// Sends a message to the devices of version 2, encoded once.
    func send(_ message: ServerMessage, to peers: [RoomPeer], except member: LiveMember? = nil) {
        var encoded: [UInt8] = []
        for peer in peers where peer.version == .two && peer.member !== member {
            if encoded.isEmpty { encoded = encode { message.append(to: &$0) } }
            peer.deliver(encoded.span.bytes)
        }
    }

    /// Returns the message that the body writes as a frame of version 2. The next call uses the storage
    /// again, so callers do not keep it.
    func encode(_ body: (inout [UInt8]) -> Void) -> [UInt8] {
        payload.removeAll(keepingCapacity: true)
        body(&payload)
        frame.removeAll(keepingCapacity: true)
        configuration.frame(.two, payload, &frame)
        return frame
    }

    /// Closes every connection of a member, each with a reason of its own; the other members are not told.
    func dismiss(_ member: LiveMember, _ code: RoomClose, reason: @autoclosure () -> String = "") {
        for peer in member.peers { dismiss(peer, code, reason: reason()) }
    }

    func dismiss(_ peer: RoomPeer, _ code: RoomClose, reason: String) {
        peer.sendWaiting()
        peer.room.remove(peer)
        let device = peer.device
        peer.device = nil
        statistics.devices -= 1
        device?.close(code, reason: reason)
    }

    // Counts, statistics and draining.

    /// Returns the counts since the last call.
    package func takeCounts() -> [AleCount] {
        defer { counted.removeAll(keepingCapacity: true) }
        return counted.map { room in takeCount(of: room) }
    }

    private func takeCount(of room: LiveRoom) -> AleCount {
        defer { room.departed = [] }
        let members = (room.members + room.departed).compactMap { member -> AleCount.Member? in
            let (sent, received) = member.takeCounts(at: room.log.last)
            guard sent > 0 || received > 0 else { return nil }
            return AleCount.Member(registration: member.details.id, sent: sent, received: received)
        }
        defer {
            room.storedAles += room.countedAles
            room.countedAles = 0
            room.isCounted = false
        }
        return AleCount(room: room.id, ales: room.countedAles, members: members)
    }

    /// Refuses all devices from now on.
    package func startDraining() { isDraining = true }

    package var currentStatistics: RoomStatistics {
        var current = statistics
        current.rooms = rooms.count
        return current
    }

    func open(_ membership: Membership) {
        let arrived = arrivals.take(membership.room, givenIn: membership.term)
        if arrived != nil || membership.wasElsewhere || !isCurrent(saved[membership.room], membership) {
            forgetSaved(membership.room)
        }
        let adopted = arrived?.adopted(in: storage, term: membership.term, configuration.log)
        if adopted != nil { newlyAdopted.append(membership.room) }
        let room = LiveRoom(
            membership, epoch: random.next(), configuration.log, saved: adopted ?? takeSaved(membership.room),
            storage: storage)
        if freezes[room.id] != nil { room.flow = .frozen }
        rooms[room.id] = room
        ends.add(membership.closesAt)
    }

    /// Whether a saved room, if there is one, is from the term in which this server has the room.
    private func isCurrent(_ saved: SavedRoom?, _ membership: Membership) -> Bool {
        guard let saved, configuration.incarnation != nil else { return true }
        return saved.term == membership.term
    }

    func close(_ room: LiveRoom) {
        room.forget()
        if rooms.removeValue(forKey: room.id) != nil { ends.remove(room.closesAt) }
    }

    /// Frees the saved rooms that are over.
    func forgetSaved(endedBy now: Timestamp) {
        for room in saved.values where room.closesAt <= now { forgetSaved(room.id) }
    }

    /// Frees a saved room that another server owns by an answer of that term. An answer from before this
    /// server claimed the room says nothing.
    func forgetSaved(_ id: Identifier, ifTermUpTo term: Int32) {
        if let room = saved[id], room.term <= term { forgetSaved(id) }
    }

    private func forgetSaved(_ id: Identifier) {
        guard let storage, let room = takeSaved(id) else { return }
        RoomRecord(room, in: storage, configuration.log)?.free()
    }

    private func takeSaved(_ id: Identifier) -> SavedRoom? {
        guard let room = saved.removeValue(forKey: id) else { return nil }
        ends.remove(room.closesAt)
        return room
    }

    /// The first instant at which a room ends.
    package var nextEnd: Timestamp? { ends.first }
}
