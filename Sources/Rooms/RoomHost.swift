package import Contract

/// The rooms of one loop, with their members, devices and ales. Loop only.
///
/// Everything between a message that arrives and the frames that it causes is plain code on the loop's
/// thread.
package final class RoomHost {
    package enum JoinError: Sendable {
        case unknownRoom
        case notAMember
        /// The token, or the one that the ticket was made under, is no longer valid, or is not known here
        /// yet.
        case staleToken
        case closed
        case tooManyDevices
        case draining
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

    /// A request to enter a room, with the version of the user's token, or of the token that its ticket was
    /// made under.
    package struct Entry: Sendable {
        package var room: Identifier
        package var user: Identifier
        package var tokenVersion: Int32
        package var version: SocketVersion
        package var position: Position?

        package init(
            room: Identifier, user: Identifier, tokenVersion: Int32, version: SocketVersion,
            position: Position?
        ) {
            self.room = room
            self.user = user
            self.tokenVersion = tokenVersion
            self.version = version
            self.position = position
        }
    }

    let configuration: RoomConfiguration
    let journal: any RoomJournal
    var rooms: [Identifier: LiveRoom] = [:]
    var statistics = RoomStatistics()
    private var counted: [LiveRoom] = []
    private var isDraining = false
    /// The most frequent frames of version 1, built once.
    private let version1Ale: [UInt8]
    private let version1Handshake: [UInt8]
    private var payload: [UInt8] = []
    private var frame: [UInt8] = []
    private var random = SystemRandomNumberGenerator()
    /// The storage of the rooms, if there is one, and the rooms that an earlier process left in it and that
    /// the database has not named yet.
    private let storage: (any RoomStorage)?
    private var saved: [Identifier: SavedRoom]
    /// The ends of the rooms and of the saved ones.
    private var ends = RoomEnds()

    /// Creates a host. With a storage its rooms outlive the process; `saved` was read from the storage, with
    /// the layout of the configuration.
    package init(
        _ configuration: RoomConfiguration, journal: any RoomJournal,
        storage: (any RoomStorage)? = nil, saved: [SavedRoom] = []
    ) {
        self.configuration = configuration
        self.journal = journal
        self.storage = storage
        self.saved = Dictionary(saved.map { ($0.id, $0) }) { first, _ in first }
        var ale: [UInt8] = []
        configuration.frame(.one, ServerMessage.version1Ale, &ale)
        version1Ale = ale
        var handshake: [UInt8] = []
        configuration.frame(.one, ServerMessage.version1Handshake, &handshake)
        version1Handshake = handshake
        for room in self.saved.values { ends.add(room.closesAt) }
    }

    // Coming and going.

    /// Admits a device. `greet` sends the first bytes to it, and returns whether it is still connected; only
    /// then do the others learn of it.
    package func admit(
        _ entry: Entry, device: any FrameSink, greet: (RoomPeer, RawSpan) -> Bool
    ) -> JoinError? {
        if isDraining { return .draining }
        guard let room = rooms[entry.room] else { return .unknownRoom }
        let now = configuration.now()
        if now >= room.closesAt { return .closed }
        guard let member = room.member(of: entry.user) else { return .notAMember }
        if entry.tokenVersion != member.details.tokenVersion { return .staleToken }
        if member.peers.count >= configuration.maximumDevices { return .tooManyDevices }
        let peer = RoomPeer(
            room: room, member: member, version: entry.version, host: self, device: device,
            bucket: TokenBucket(perSecond: configuration.alesPerSecond, now: now))
        room.keep()
        let isFirst = !member.isPresent
        room.add(peer)
        frame.removeAll(keepingCapacity: true)
        let recovery = writeGreeting(peer, entry.position, now: now)
        let greeting = frame
        guard greet(peer, greeting.span.bytes) else {
            room.remove(peer)
            peer.device = nil
            return nil
        }
        statistics.devices += 1
        room.wasVisited = true
        if let recovery {
            statistics.deliveries &+= recovery.ales
            room.recovered(member, after: recovery.since)
            willCount(room)
        }
        if !member.hasEntered {
            member.hasEntered = true
            journal.entered(room: room.id, registration: member.details.id, at: now)
        }
        if isFirst { presenceChanged(member, in: room) }
        return nil
    }

    func left(_ peer: RoomPeer) {
        guard peer.device != nil else { return }
        peer.device = nil
        statistics.devices -= 1
        let member = peer.member
        peer.room.remove(peer)
        if !member.isPresent && !member.hasLeft { presenceChanged(member, in: peer.room) }
    }

    private func presenceChanged(_ member: LiveMember, in room: LiveRoom) {
        journal.presenceChanged(room: room.id, registration: member.details.id, present: member.isPresent)
        broadcast(.presence(member: member.details.id, present: member.isPresent), in: room, except: member)
    }

    /// Writes the greeting of a device. Returns the number of ales that it recovers, and the number of the
    /// ale before them.
    private func writeGreeting(
        _ peer: RoomPeer, _ position: Position?, now: Timestamp
    ) -> (since: Int64, ales: UInt64)? {
        let room = peer.room
        guard peer.version == .two else {
            frame.append(contentsOf: version1Handshake)
            return nil
        }
        let isRecovered =
            position.map { $0.epoch == room.epoch && room.log.reachesBack(to: $0.since) } ?? false
        let handshake = ServerMessage.Handshake(
            room: room.id, you: peer.member.details.id, epoch: room.epoch, seq: room.log.last,
            recovered: isRecovered, now: now, startsAt: room.startsAt, closesAt: room.closesAt,
            pingSeconds: Int64(configuration.pingSeconds), members: room.members(seenBy: peer.member))
        append(.handshake(handshake))
        guard isRecovered, let position else { return nil }
        var number = position.since
        var ales: UInt64 = 0
        while number < room.log.last {
            number += 1
            let ale = room.log[number]
            if ale.sender == peer.member.index { continue }
            appendAle(from: room.senders[Int(ale.sender)].registration, number, ale.at)
            ales += 1
        }
        return (position.since, ales)
    }

    // Ales.

    func received(_ message: RawSpan, from peer: RoomPeer) {
        let read = ClientMessage.read(message, room: peer.room.text)
        switch read {
        case .ale(let messageId, let namesRoom):
            // Version 1 always names the room.
            if peer.version == .one && !namesRoom {
                return drop(\.wrongRoom, .wrongRoom, messageId, peer)
            }
            cheer(peer, messageId)
        case .wrongRoom(let messageId): drop(\.wrongRoom, .wrongRoom, messageId, peer)
        case .unknownType(let messageId): drop(\.unknownType, .unknownType, messageId, peer)
        case .malformed: drop(\.malformed, .malformed, nil, peer)
        }
    }

    private func cheer(_ peer: RoomPeer, _ messageId: String?) {
        let member = peer.member
        let room = peer.room
        let fingerprint = messageId.map { MessageFingerprint($0) }
        if let messageId, let fingerprint, let number = room.number(of: fingerprint, from: member) {
            statistics.repeated += 1
            return acknowledge(peer, messageId, number)
        }
        let now = configuration.now()
        let rate = configuration.alesPerSecond
        if rate > 0 && !peer.bucket.take(perSecond: rate, now: now) {
            return drop(\.rateLimited, .rateLimited, messageId, peer)
        }
        let number = room.append(from: member, at: now, fingerprint)
        count(room, member)
        relay(from: member, number, now, in: room)
        if let messageId { acknowledge(peer, messageId, number) }
    }

    /// Sends an ale to the others: one frame to all devices of version 1, and one, encoded once, to all of
    /// version 2.
    private func relay(from sender: LiveMember, _ number: Int64, _ now: Timestamp, in room: LiveRoom) {
        let ale = version1Ale
        var count: UInt64 = 0
        var hasVersion2 = false
        for peer in room.peers where peer.member !== sender {
            count &+= 1
            switch peer.version {
            case .one: peer.device?.deliver(ale.span.bytes)
            case .two: hasVersion2 = true
            }
        }
        statistics.deliveries &+= count
        guard hasVersion2 else { return }
        frame.removeAll(keepingCapacity: true)
        appendAle(from: sender.details.id, number, now)
        deliverFrame(in: room, except: sender)
    }

    /// Sends the frame to every device of version 2.
    private func deliverFrame(in room: LiveRoom, except sender: LiveMember?) {
        let encoded = frame
        for peer in room.peers where peer.version == .two && peer.member !== sender {
            peer.device?.deliver(encoded.span.bytes)
        }
    }

    private func count(_ room: LiveRoom, _ member: LiveMember) {
        statistics.ales &+= 1
        member.cheered()
        room.countedAles &+= 1
        willCount(room)
    }

    private func willCount(_ room: LiveRoom) {
        if !room.isCounted {
            room.isCounted = true
            counted.append(room)
        }
    }

    private func acknowledge(_ peer: RoomPeer, _ messageId: String, _ number: Int64) {
        guard peer.version == .two else { return }
        payload.removeAll(keepingCapacity: true)
        ServerMessage.appendAck(messageId: messageId, seq: number, to: &payload)
        deliverPayload(to: peer)
    }

    /// Counts a dropped message, and tells a device of version 2 why; version 1 has no such message.
    private func drop(
        _ counter: WritableKeyPath<RoomStatistics, UInt64>, _ code: SocketErrorCode, _ messageId: String?,
        _ peer: RoomPeer
    ) {
        statistics[keyPath: counter] &+= 1
        guard peer.version == .two else { return }
        payload.removeAll(keepingCapacity: true)
        ServerMessage.appendError(code, messageId: messageId, to: &payload)
        deliverPayload(to: peer)
    }

    private func deliverPayload(to peer: RoomPeer) {
        frame.removeAll(keepingCapacity: true)
        configuration.frame(.two, payload, &frame)
        let encoded = frame
        peer.device?.deliver(encoded.span.bytes)
    }

    // Messages to several.

    func broadcast(_ message: ServerMessage, in room: LiveRoom, except: LiveMember? = nil) {
        let isHeard = room.peers.contains { $0.version == .two && $0.member !== except }
        guard isHeard else { return }
        frame.removeAll(keepingCapacity: true)
        append(message)
        deliverFrame(in: room, except: except)
    }

    func send(_ message: ServerMessage, to member: LiveMember) {
        for peer in member.peers where peer.version == .two {
            frame.removeAll(keepingCapacity: true)
            append(message)
            let encoded = frame
            peer.device?.deliver(encoded.span.bytes)
        }
    }

    /// Closes every connection of a member, each with a reason of its own; the other members are not told.
    func dismiss(_ member: LiveMember, _ code: RoomClose, reason: @autoclosure () -> String = "") {
        for peer in member.peers {
            peer.room.remove(peer)
            let device = peer.device
            peer.device = nil
            statistics.devices -= 1
            device?.close(code, reason: reason())
        }
    }

    private func append(_ message: ServerMessage) {
        payload.removeAll(keepingCapacity: true)
        message.append(to: &payload)
        configuration.frame(.two, payload, &frame)
    }

    private func appendAle(from: Identifier, _ number: Int64, _ at: Timestamp) {
        payload.removeAll(keepingCapacity: true)
        ServerMessage.appendAle(from: from, seq: number, at: at, to: &payload)
        configuration.frame(.two, payload, &frame)
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

    /// Whether the room is open here, or was left by an earlier process.
    package func knows(_ room: Identifier) -> Bool { rooms[room] != nil || saved[room] != nil }

    /// Refuses all devices from now on.
    package func startDraining() { isDraining = true }

    package var currentStatistics: RoomStatistics {
        var current = statistics
        current.rooms = rooms.count
        return current
    }

    func open(_ membership: Membership) {
        if membership.wasElsewhere { forgetSaved(membership.room) }
        rooms[membership.room] = LiveRoom(
            membership, epoch: random.next(), configuration.log, saved: takeSaved(membership.room),
            storage: storage)
        ends.add(membership.closesAt)
    }

    func close(_ room: LiveRoom) {
        room.forget()
        if rooms.removeValue(forKey: room.id) != nil { ends.remove(room.closesAt) }
    }

    /// Frees the saved rooms that are over.
    func forgetSaved(endedBy now: Timestamp) {
        for room in saved.values where room.closesAt <= now { forgetSaved(room.id) }
    }

    private func forgetSaved(_ id: Identifier) {
        guard let storage, let room = takeSaved(id) else { return }
        RoomRecord(room, in: storage, configuration.log).free()
    }

    private func takeSaved(_ id: Identifier) -> SavedRoom? {
        guard let room = saved.removeValue(forKey: id) else { return nil }
        ends.remove(room.closesAt)
        return room
    }

    /// The first instant at which a room ends.
    package var nextEnd: Timestamp? { ends.first }
}
