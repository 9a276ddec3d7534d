import Codecs
import Contract
import Reactor
import WebSocket

/// The members of a crowd, one device each, and their connections. Loop only.
final class CrowdMembers {
    /// The number of concurrent knocks.
    private static let parallel = 2_000
    private static let timeout = Duration.seconds(10)

    private let loop: EventLoop
    private(set) var devices: [CrowdMember]
    private(set) var presentCount = 0
    /// The number of ales heard by all devices.
    private(set) var heardCount = 0
    private var sockets: [Int: CrowdSocket] = [:]
    /// The server at which devices knock.
    private var address: SocketAddress?
    /// Whether devices that lose their rooms come back by themselves.
    private var comesBack = false
    private var waiting: [Int] = []
    private var firstWaiting = 0
    private var underWay = 0
    private var random = SplitMix64(seed: .random(in: 0 ... .max))

    init(_ paths: [String], on loop: EventLoop) {
        self.loop = loop
        devices = paths.map { CrowdMember(path: $0) }
    }

    /// Sets the server at which devices knock from now on, and whether they come back there by themselves
    /// when they lose their rooms.
    func use(_ address: SocketAddress, comingBack: Bool) {
        self.address = address
        comesBack = comingBack
    }

    /// Has those of the devices knock that are not in their rooms, again and again until they are let in.
    func knock(_ numbers: some Sequence<Int>) {
        for number in numbers where devices[number].enteredAt == nil { enqueue(number) }
        openNext()
    }

    /// Has all devices leave their rooms, and stay away.
    func leave() {
        comesBack = false
        for socket in sockets.values { socket.close() }
    }

    /// Has every device that is in its room send an ale.
    func cheer(_ text: (CrowdMember) -> [UInt8]) {
        for (number, socket) in sockets where devices[number].enteredAt != nil {
            socket.send(.text, text(devices[number]))
        }
    }

    // Events of the sockets.

    func received(_ text: [UInt8], _ number: Int, _ socket: CrowdSocket) {
        switch ServerMessage.read(text.span.bytes) {
        case .handshake(let handshake?):
            devices[number].position = (handshake.epoch, handshake.seq)
            devices[number].isRecovered = handshake.recovered
            devices[number].enteredAt = Monotonic.nanoseconds()
            presentCount += 1
            settle()
        case .aleResponse(let ale?):
            heardCount += 1
            devices[number].position?.number = ale.seq
        case .handshake, .aleResponse, .ack, .presence, .checkIn, .outcome, .status, .members, .moved,
            .roomClosed, .announcement,
            .error, .unknown, nil:
            break
        }
    }

    /// Takes the end of a connection, or of a knock.
    func ended(_ number: Int, knockingAfter pause: Duration) {
        sockets[number] = nil
        if devices[number].enteredAt != nil {
            devices[number].enteredAt = nil
            devices[number].lostAt = Monotonic.nanoseconds()
            presentCount -= 1
            if comesBack { schedule(number, after: pause) }
        } else {
            devices[number].refusals += 1
            settle()
            schedule(number, after: pause)
        }
    }

    private func schedule(_ number: Int, after pause: Duration) {
        loop.schedule(after: pause) {
            self.enqueue(number)
            self.openNext()
        }
    }

    private func enqueue(_ number: Int) {
        if devices[number].knockedAt <= devices[number].lostAt ?? 0 { devices[number].knockedAt = 0 }
        waiting.append(number)
    }

    private func settle() {
        underWay -= 1
        openNext()
    }

    private func openNext() {
        while underWay < Self.parallel, firstWaiting < waiting.count, let address {
            let number = waiting[firstWaiting]
            firstWaiting += 1
            if firstWaiting == waiting.count { (waiting, firstWaiting) = ([], 0) }
            underWay += 1
            open(number, at: address)
        }
    }

    private func open(_ number: Int, at address: SocketAddress) {
        if devices[number].knockedAt == 0 { devices[number].knockedAt = Monotonic.nanoseconds() }
        Connector(address, on: loop, timeout: Self.timeout) { [self] result in
            switch result {
            case .success(let stream):
                sockets[number] = CrowdSocket(
                    stream, number: number, target: devices[number].target,
                    nonce: (0..<16).map { _ in UInt8(truncatingIfNeeded: random.next()) }, of: self)
            case .failure: ended(number, knockingAfter: .milliseconds(200))
            }
        }
    }
}
