package import Contract

/// The rooms of one loop: who belongs, who is here, and what is cheered. Loop only.
///
/// Everything between a message that arrives and the frames that it causes is plain code on the loop's
/// thread.
package final class RoomHost {
    package enum Refusal: Sendable {
        case unknownRoom
        case notAMember
        /// The token, or the one that the ticket was made under, is no longer valid; or it is not known here
        /// yet.
        case staleToken
        case closed
        case tooManyDevices
        case draining
    }

    /// Where an earlier connection ended.
    package struct Position: Sendable {
        package var epoch: String
        package var since: Int64

        package init(epoch: String, since: Int64) {
            self.epoch = epoch
            self.since = since
        }
    }

    /// Who knocks, with which of the user's tokens, or a ticket made under which.
    package struct Entry: Sendable {
        package var room: UUID
        package var user: UUID
        package var tokenVersion: Int32
        package var version: SocketVersion
        package var position: Position?

        package init(
            room: UUID, user: UUID, tokenVersion: Int32, version: SocketVersion, position: Position?
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
    var rooms: [UUID: HostedRoom] = [:]
    var statistics = RoomStatistics()
    private var counted: [HostedRoom] = []
    private var isDraining = false
    /// Built once: what version 1 sends and hears most.
    private let version1Ale: [UInt8]
    private let version1Handshake: [UInt8]
    private var payload: [UInt8] = []
    private var frame: [UInt8] = []
    private var random = SystemRandomNumberGenerator()
    /// Where rooms are kept, if they are, and those that an earlier process left there, until the database
    /// names them.
    private let storage: (any RoomStorage)?
    private var saved: [UUID: SavedRoom]
    /// When the rooms end, and the saved ones.
    private var ends = RoomEnds()

    /// With a storage rooms outlive the process: `saved` was read from it, with the layout of the
    /// configuration.
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

    /// Lets a device in. `greet` gets the bytes that it is to hear first, and says whether the device is
    /// still there; only then do the others learn of it.
    package func admit(
        _ entry: Entry, device: any Device, greet: (Visitor, RawSpan) -> Bool
    ) -> Refusal? {
        if isDraining { return .draining }
        guard let room = rooms[entry.room] else { return .unknownRoom }
        let now = configuration.now()
        if now >= room.closesAt { return .closed }
        guard let seat = room.seat(of: entry.user) else { return .notAMember }
        if entry.tokenVersion != seat.member.tokenVersion { return .staleToken }
        if seat.visitors.count >= configuration.maximumDevices { return .tooManyDevices }
        let visitor = Visitor(
            room: room, seat: seat, version: entry.version, host: self, device: device,
            bucket: TokenBucket(perSecond: configuration.alesPerSecond, now: now))
        room.keep()
        let isFirst = !seat.isPresent
        room.add(visitor)
        frame.removeAll(keepingCapacity: true)
        let recovery = writeGreeting(visitor, entry.position, now: now)
        let greeting = frame
        guard greet(visitor, greeting.span.bytes) else {
            room.remove(visitor)
            visitor.device = nil
            return nil
        }
        statistics.devices += 1
        room.wasVisited = true
        if let recovery {
            statistics.deliveries &+= recovery.ales
            room.recovered(seat, after: recovery.since)
            willCount(room)
        }
        if !seat.hasEntered {
            seat.hasEntered = true
            journal.entered(room: room.id, registration: seat.member.id, at: now)
        }
        if isFirst { presenceChanged(seat, in: room) }
        return nil
    }

    func left(_ visitor: Visitor) {
        guard visitor.device != nil else { return }
        visitor.device = nil
        statistics.devices -= 1
        let seat = visitor.seat
        visitor.room.remove(visitor)
        if !seat.isPresent && !seat.hasLeft { presenceChanged(seat, in: visitor.room) }
    }

    private func presenceChanged(_ seat: Seat, in room: HostedRoom) {
        journal.presenceChanged(room: room.id, registration: seat.member.id, present: seat.isPresent)
        broadcast(.presence(member: seat.member.id, present: seat.isPresent), in: room, except: seat)
    }

    /// Returns what is recovered with it: how many ales, and the number after which they come.
    private func writeGreeting(
        _ visitor: Visitor, _ position: Position?, now: Timestamp
    ) -> (since: Int64, ales: UInt64)? {
        let room = visitor.room
        guard visitor.version == .two else {
            frame.append(contentsOf: version1Handshake)
            return nil
        }
        let isRecovered =
            position.map { $0.epoch == room.epoch && room.log.reachesBack(to: $0.since) } ?? false
        let handshake = ServerMessage.Handshake(
            room: room.id, you: visitor.seat.member.id, epoch: room.epoch, seq: room.log.last,
            recovered: isRecovered, now: now, startsAt: room.startsAt, closesAt: room.closesAt,
            pingSeconds: Int64(configuration.pingSeconds), members: room.members(seenBy: visitor.seat))
        append(.handshake(handshake))
        guard isRecovered, let position else { return nil }
        var number = position.since
        var ales: UInt64 = 0
        while number < room.log.last {
            number += 1
            let ale = room.log[number]
            if ale.sender == visitor.seat.index { continue }
            appendAle(from: room.senders[Int(ale.sender)].registration, number, ale.at)
            ales += 1
        }
        return (position.since, ales)
    }

    // Ales.

    func received(_ message: RawSpan, from visitor: Visitor) {
        let read = ClientMessage.read(message, room: visitor.room.text)
        switch read {
        case .ale(let messageId, let namesRoom):
            // Version 1 always names the room.
            if visitor.version == .one && !namesRoom {
                return drop(\.wrongRoom, .wrongRoom, messageId, visitor)
            }
            cheer(visitor, messageId)
        case .wrongRoom(let messageId): drop(\.wrongRoom, .wrongRoom, messageId, visitor)
        case .unknownType(let messageId): drop(\.unknownType, .unknownType, messageId, visitor)
        case .malformed: drop(\.malformed, .malformed, nil, visitor)
        }
    }

    private func cheer(_ visitor: Visitor, _ messageId: String?) {
        let seat = visitor.seat
        let room = visitor.room
        let fingerprint = messageId.map { MessageFingerprint($0) }
        if let messageId, let fingerprint, let number = room.number(of: fingerprint, from: seat) {
            statistics.repeated += 1
            return acknowledge(visitor, messageId, number)
        }
        let now = configuration.now()
        let rate = configuration.alesPerSecond
        if rate > 0 && !visitor.bucket.take(perSecond: rate, now: now) {
            return drop(\.rateLimited, .rateLimited, messageId, visitor)
        }
        let number = room.append(from: seat, at: now, fingerprint)
        count(room, seat)
        relay(from: seat, number, now, in: room)
        if let messageId { acknowledge(visitor, messageId, number) }
    }

    /// One frame for all devices of version 1, and one, encoded once, for all of version 2.
    private func relay(from sender: Seat, _ number: Int64, _ now: Timestamp, in room: HostedRoom) {
        let ale = version1Ale
        var count: UInt64 = 0
        var hasVersion2 = false
        for visitor in room.visitors where visitor.seat !== sender {
            count &+= 1
            switch visitor.version {
            case .one: visitor.device?.deliver(ale.span.bytes)
            case .two: hasVersion2 = true
            }
        }
        statistics.deliveries &+= count
        guard hasVersion2 else { return }
        frame.removeAll(keepingCapacity: true)
        appendAle(from: sender.member.id, number, now)
        deliverFrame(in: room, except: sender)
    }

    /// The frame, to every device of version 2.
    private func deliverFrame(in room: HostedRoom, except sender: Seat?) {
        let encoded = frame
        for visitor in room.visitors where visitor.version == .two && visitor.seat !== sender {
            visitor.device?.deliver(encoded.span.bytes)
        }
    }

    private func count(_ room: HostedRoom, _ seat: Seat) {
        statistics.ales &+= 1
        seat.cheered()
        room.countedAles &+= 1
        willCount(room)
    }

    private func willCount(_ room: HostedRoom) {
        if !room.isCounted {
            room.isCounted = true
            counted.append(room)
        }
    }

    private func acknowledge(_ visitor: Visitor, _ messageId: String, _ number: Int64) {
        guard visitor.version == .two else { return }
        payload.removeAll(keepingCapacity: true)
        ServerMessage.appendAck(messageId: messageId, seq: number, to: &payload)
        deliverPayload(to: visitor)
    }

    /// The message is counted; version 2 is told why, and version 1 has no word for it.
    private func drop(
        _ counter: WritableKeyPath<RoomStatistics, UInt64>, _ code: SocketErrorCode, _ messageId: String?,
        _ visitor: Visitor
    ) {
        statistics[keyPath: counter] &+= 1
        guard visitor.version == .two else { return }
        payload.removeAll(keepingCapacity: true)
        ServerMessage.appendError(code, messageId: messageId, to: &payload)
        deliverPayload(to: visitor)
    }

    private func deliverPayload(to visitor: Visitor) {
        frame.removeAll(keepingCapacity: true)
        configuration.frame(.two, payload, &frame)
        let encoded = frame
        visitor.device?.deliver(encoded.span.bytes)
    }

    // Messages to several.

    func broadcast(_ message: ServerMessage, in room: HostedRoom, except: Seat? = nil) {
        let isHeard = room.visitors.contains { $0.version == .two && $0.seat !== except }
        guard isHeard else { return }
        frame.removeAll(keepingCapacity: true)
        append(message)
        deliverFrame(in: room, except: except)
    }

    func send(_ message: ServerMessage, to seat: Seat) {
        for visitor in seat.visitors where visitor.version == .two {
            frame.removeAll(keepingCapacity: true)
            append(message)
            let encoded = frame
            visitor.device?.deliver(encoded.span.bytes)
        }
    }

    /// Ends every connection of a seat, each with a reason of its own; nobody is told that its member went.
    func dismiss(_ seat: Seat, _ code: RoomClose, reason: @autoclosure () -> String = "") {
        for visitor in seat.visitors {
            visitor.room.remove(visitor)
            let device = visitor.device
            visitor.device = nil
            statistics.devices -= 1
            device?.close(code, reason: reason())
        }
    }

    private func append(_ message: ServerMessage) {
        payload.removeAll(keepingCapacity: true)
        message.append(to: &payload)
        configuration.frame(.two, payload, &frame)
    }

    private func appendAle(from: UUID, _ number: Int64, _ at: Timestamp) {
        payload.removeAll(keepingCapacity: true)
        ServerMessage.appendAle(from: from, seq: number, at: at, to: &payload)
        configuration.frame(.two, payload, &frame)
    }

    // What the whole asks of its rooms.

    /// Takes what was counted since the last time.
    package func takeCounts() -> [AleCount] {
        defer { counted.removeAll(keepingCapacity: true) }
        return counted.map { room in takeCount(of: room) }
    }

    private func takeCount(of room: HostedRoom) -> AleCount {
        defer { room.departed = [] }
        let members = (room.seats + room.departed).compactMap { seat -> AleCount.Member? in
            let (sent, received) = seat.takeCounts(at: room.log.last)
            guard sent > 0 || received > 0 else { return nil }
            return AleCount.Member(registration: seat.member.id, sent: sent, received: received)
        }
        defer {
            room.storedAles += room.countedAles
            room.countedAles = 0
            room.isCounted = false
        }
        return AleCount(room: room.id, ales: room.countedAles, members: members)
    }

    /// Whether the room is open here, or was left by an earlier process.
    package func knows(_ room: UUID) -> Bool { rooms[room] != nil || saved[room] != nil }

    /// Lets nobody in any more.
    package func startDraining() { isDraining = true }

    package var currentStatistics: RoomStatistics {
        var current = statistics
        current.rooms = rooms.count
        return current
    }

    func open(_ roster: Roster) {
        if roster.wasElsewhere { forgetSaved(roster.room) }
        rooms[roster.room] = HostedRoom(
            roster, epoch: random.next(), configuration.log, saved: takeSaved(roster.room), storage: storage)
        ends.add(roster.closesAt)
    }

    func close(_ room: HostedRoom) {
        room.forget()
        if rooms.removeValue(forKey: room.id) != nil { ends.remove(room.closesAt) }
    }

    /// Frees what an earlier process left of rooms that are over.
    func forgetSaved(endedBy now: Timestamp) {
        for room in saved.values where room.closesAt <= now { forgetSaved(room.id) }
    }

    private func forgetSaved(_ id: UUID) {
        guard let storage, let room = takeSaved(id) else { return }
        RoomRecord(room, in: storage, configuration.log).free()
    }

    private func takeSaved(_ id: UUID) -> SavedRoom? {
        guard let room = saved.removeValue(forKey: id) else { return nil }
        ends.remove(room.closesAt)
        return room
    }

    /// The first instant at which a room ends.
    package var nextEnd: Timestamp? { ends.first }
}
