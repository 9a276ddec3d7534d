import Contract
import Rooms
import Synchronization

/// A room with four members, whose events the input chooses: members come, go and cheer, join the match and
/// leave it, time goes on, and devices send bytes.
///
/// Oracle: an ale reaches each device of the others once and none of the sender's; every frame is one that a
/// client can read; presence, the number of devices and the counts add up; at the end no device is left.
enum RoomFuzz {
    static func test(_ input: [UInt8]) {
        var play = RoomPlay()
        var rest = input[...]
        while let command = rest.popFirst() { play.perform(command, &rest) }
        play.end()
    }
}

/// A device that reads the frames it is sent.
private final class ListeningSink: FrameSink {
    let version: SocketVersion
    let member: Int
    private(set) var ales = 0
    private(set) var isClosed = false
    var isOpen: Bool { !isClosed }

    init(_ version: SocketVersion, member: Int) {
        self.version = version
        self.member = member
    }

    func deliver(_ frame: RawSpan) {
        expect(!isClosed, "a device hears something after its end")
        for payload in RoomPlay.payloads(frame) {
            switch version {
            case .one:
                expect(
                    payload == ServerMessage.version1Ale || payload == ServerMessage.version1Handshake,
                    "version 1 has another frame")
                if payload == ServerMessage.version1Ale { ales += 1 }
            case .two:
                guard let message = ServerMessage.read(payload.span.bytes) else {
                    fatalError("a frame cannot be read: \(String(decoding: payload, as: UTF8.self))")
                }
                if case .aleResponse(let ale) = message {
                    expect(ale != nil, "an ale of version 2 says nothing")
                    ales += 1
                }
            }
        }
    }

    func close(_ code: RoomClose, reason: String) {
        expect(!isClosed, "a device is closed twice")
        isClosed = true
    }
}

/// The presence changes and counts that the room wants stored.
private final class CountingJournal: RoomJournal {
    var present: Set<Identifier> = []

    func entered(room: Identifier, registration: Identifier, at: Timestamp) {}

    func presenceChanged(room: Identifier, registration: Identifier, term: Int32?, present isPresent: Bool) {
        if isPresent {
            expect(present.insert(registration).inserted, "a member comes twice")
        } else {
            expect(present.remove(registration) != nil, "a member goes twice")
        }
    }
}

private final class TestClock: Sendable {
    let microseconds = Atomic<Int64>(1_000_000_000_000)
}

private struct RoomPlay {
    private static let room = Identifier(value: 0x1111_1111_2222_4333_8444_5555_5555_5555)
    private static let closesAt = Timestamp(microseconds: 1_003_600_000_000)

    private let clock = TestClock()
    private let journal = CountingJournal()
    private let host: RoomHost
    private var members: Set<Int> = [0, 1, 2]
    /// The token version that the room knows of each member; a device with an older one may not join.
    private var tokens: [Int: Int32] = [:]
    private var revision: Int32 = 0
    private var visits: [(peer: RoomPeer, device: ListeningSink)] = []

    init() {
        let clock = clock
        var configuration = RoomConfiguration(
            now: { Timestamp(microseconds: clock.microseconds.load(ordering: .relaxed)) },
            socketURL: { room, _, _, _ in "ws://a/socket?id=\(room)" },
            frame: { _, payload, bytes in
                bytes.append(UInt8(payload.count >> 8))
                bytes.append(UInt8(payload.count & 255))
                bytes.append(contentsOf: payload)
            })
        configuration.log.ales = 4
        configuration.log.messageIds = 2
        configuration.alesPerSecond = 3
        configuration.maximumDevices = 3
        host = RoomHost(configuration, journal: journal)
        applyRoster()
    }

    static func payloads(_ frames: RawSpan) -> [[UInt8]] {
        let bytes = frames.withUnsafeBytes { Array($0) }  // Sound: the buffer does not leave the closure.
        var payloads: [[UInt8]] = []
        var index = 0
        while index + 2 <= bytes.count {
            let end = index + 2 + Int(bytes[index]) << 8 + Int(bytes[index + 1])
            payloads.append(Array(bytes[index + 2..<end]))
            index = end
        }
        expect(index == bytes.count, "a frame is cut off")
        return payloads
    }

    mutating func perform(_ command: UInt8, _ rest: inout ArraySlice<UInt8>) {
        let argument = rest.popFirst() ?? 0
        switch command & 7 {
        case 0: join(member: Int(argument & 3), .one, nil)
        case 1:
            let position =
                argument & 4 == 0 ? nil : RoomHost.Position(epoch: "x", since: Int64(argument >> 3))
            join(member: Int(argument & 3), .two, position)
        case 2:
            guard !visits.isEmpty else { return }
            visits.remove(at: Int(argument) % visits.count).peer.closed()
        case 3:
            let message = Array(rest.prefix(Int(command >> 3) * 8))
            rest = rest.dropFirst(message.count)
            send(message, from: argument)
        case 4:
            send(
                Array(#"{"type":"ale","id":"\#(Self.room)","messageId":"\#(command >> 6)"}"#.utf8),
                from: argument)
        case 5:
            members.formSymmetricDifference([Int(argument & 3)])
            applyRoster(tokenVersion: Int32(argument >> 6))
        case 6: clock.microseconds.add(Int64(argument) * 20_000, ordering: .relaxed)
        default: check(host.takeCounts())
        }
        visits.removeAll { $0.device.isClosed }
        expect(host.currentStatistics.devices == visits.count, "devices do not add up")
        expect(journal.present.count <= 4, "there are more members than there are")
    }

    mutating func end() {
        clock.microseconds.store(Self.closesAt.microseconds, ordering: .relaxed)
        check(host.closeEnded(at: Self.closesAt))
        expect(visits.allSatisfy { $0.device.isClosed }, "a device outlives its room")
        let statistics = host.currentStatistics
        expect(statistics.devices == 0 && statistics.rooms == 0, "something is left of the room")
    }

    private mutating func join(member: Int, _ version: SocketVersion, _ position: RoomHost.Position?) {
        let device = ListeningSink(version, member: member)
        let entry = RoomHost.Entry(
            room: Self.room, user: Identifier(value: UInt128(member + 1)), tokenVersion: tokens[member] ?? 0,
            version: version,
            position: position)
        guard let (peer, greeting) = try? host.join(entry, device) else { return }
        expect(members.contains(member), "a stranger was let in")
        device.deliver(greeting.span.bytes)
        visits.append((peer, device))
    }

    private mutating func send(_ message: [UInt8], from argument: UInt8) {
        guard !visits.isEmpty else { return }
        let sender = visits[Int(argument) % visits.count]
        let before = visits.map(\.device.ales)
        let alesBefore = host.currentStatistics.ales
        sender.peer.received(message.span.bytes, isText: true)
        let wasTaken = host.currentStatistics.ales - alesBefore
        expect(wasTaken <= 1, "one message is several ales")
        for (visit, ales) in zip(visits, before) {
            let heard = visit.device.member == sender.device.member ? 0 : Int(wasTaken)
            expect(visit.device.ales - ales == heard, "an ale went astray")
        }
    }

    private mutating func applyRoster(tokenVersion: Int32 = 0) {
        revision += 1
        let membership = Membership(
            room: Self.room, revision: revision, opensAt: Timestamp(microseconds: 0),
            startsAt: Timestamp(microseconds: 1), closesAt: Self.closesAt, ales: 0,
            members: members.sorted().map { member in
                Membership.Member(
                    id: Identifier(value: UInt128(member + 100)),
                    user: Identifier(value: UInt128(member + 1)),
                    tokens: MemberTokens(main: tokenVersion), name: "n\"\(member)", task: "t", tag: nil,
                    hasEntered: false)
            }, moved: [:])
        host.apply(membership)
        tokens = tokens.filter { members.contains($0.key) }
        for member in members { tokens[member] = max(tokens[member] ?? tokenVersion, tokenVersion) }
        // Members who have left the match are not reported as gone from their room.
        journal.present.formIntersection(membership.members.map(\.id))
    }

    private func check(_ counts: [AleCount]) {
        for count in counts {
            expect(count.ales >= 0 && count.members.allSatisfy { $0.sent >= 0 }, "a count is negative")
            expect(count.members.reduce(0) { $0 + $1.sent } == count.ales, "ales sent are not the room's")
        }
    }
}
