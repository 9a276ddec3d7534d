import Contract
import Rooms
import Synchronization

/// A host with a clock of the test's own, and one room.
final class TestRoom {
    static let id = Identifier(value: 1)
    /// The process that has the room, and another one.
    static let me = Identifier(value: 901)
    static let other = Identifier(value: 902)
    static let opens = Timestamp(seconds: 1_800_000_000)

    /// A clock of microseconds since the room opened.
    final class SteppedClock: Sendable {
        private let microseconds = Atomic<Int64>(0)

        var now: Timestamp {
            Timestamp(microseconds: TestRoom.opens.microseconds + microseconds.load(ordering: .relaxed))
        }

        func advance(_ duration: Duration) {
            microseconds.add(
                duration.components.seconds * 1_000_000
                    + duration.components.attoseconds / 1_000_000_000_000, ordering: .relaxed)
        }
    }

    let clock = SteppedClock()
    let host: RoomHost
    let journal = RecordingJournal()
    var membership: Membership

    init(
        members: Int, storage: (any RoomStorage)? = nil, saved: [SavedRoom] = [],
        wasElsewhere: Bool = false, owner: Identifier? = nil, term: Int32 = 0,
        _ change: (inout RoomConfiguration) -> Void = { _ in }
    ) {
        let clock = clock
        var configuration = RoomConfiguration(
            now: { clock.now }, socketURL: { room, user, version, _ in "ws://\(room)/\(user)/\(version)" },
            frame: { _, payload, bytes in
                bytes += payload
                bytes.append(0x0a)
            })
        configuration.alesPerSecond = 0
        if owner != nil { configuration.incarnation = Self.me }
        change(&configuration)
        host = RoomHost(configuration, journal: journal, storage: storage, saved: saved)
        membership = Membership(
            room: Self.id, revision: 1, opensAt: Self.opens, startsAt: Self.opens.adding(.seconds(60)),
            closesAt: Self.opens.adding(.seconds(1860)), ales: 0, members: (0..<members).map(Self.member),
            moved: [:], wasElsewhere: wasElsewhere, owner: owner, term: term)
        host.apply(membership)
    }

    /// Returns the member with registration `100 + n` of user `200 + n`.
    static func member(_ number: Int) -> Membership.Member {
        Membership.Member(
            id: registration(number), user: user(number), tokens: MemberTokens(main: 1),
            name: "Member \(number)",
            task: "Task",
            tag: nil, hasEntered: false)
    }

    static func registration(_ number: Int) -> Identifier { Identifier(value: UInt128(100 + number)) }
    static func user(_ number: Int) -> Identifier { Identifier(value: UInt128(200 + number)) }

    /// Changes the members, as the next revision.
    func change(_ body: (inout Membership) -> Void) {
        membership.revision += 1
        membership.moved = [:]
        body(&membership)
        host.apply(membership)
    }

    /// Has a device join a room; returns the error if it may not.
    func join(
        _ number: Int, _ device: RecordingSink, in room: Identifier = TestRoom.id, tokenVersion: Int32 = 1,
        position: RoomHost.Position? = nil, options: SocketOptions = SocketOptions()
    ) -> RoomHost.JoinError? {
        let entry = RoomHost.Entry(
            room: room, user: Self.user(number), tokenVersion: tokenVersion, version: device.version,
            position: position, options: options)
        do throws(RoomHost.JoinError) {
            let (peer, greeting) = try host.join(entry, device)
            device.accept(peer, greeting: greeting)
            return nil
        } catch {
            return error
        }
    }

    /// Returns a device in the room whose greeting was read.
    func enter(
        _ number: Int, _ version: SocketVersion = .two, options: SocketOptions = SocketOptions()
    ) -> RecordingSink {
        let device = RecordingSink(version)
        _ = join(number, device, options: options)
        _ = device.takeMessages()
        return device
    }
}

extension ServerMessage {
    /// The ale of an `aleResponse`, in version 2.
    var ale: Ale? {
        if case .aleResponse(let ale) = self { return ale }
        return nil
    }

    var acknowledgement: Int64? {
        if case .ack(_, let seq) = self { return seq }
        return nil
    }

    var handshake: Handshake? {
        if case .handshake(let handshake) = self { return handshake }
        return nil
    }

    var errorCode: String? {
        if case .error(let code, _, _) = self { return code }
        return nil
    }
}
