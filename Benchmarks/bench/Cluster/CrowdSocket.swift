import Contract
import HTTP1
import Reactor
import WebSocket

/// One connection of a device of a crowd, from the knock to the end. Loop only. Its stream keeps it.
final class CrowdSocket: StreamDelegate {
    private enum Phase {
        /// The request was sent. Goes to `open`, or to `over`.
        case asking
        /// The server speaks WebSocket. Goes to `over`.
        case open
        case over
    }

    private static let maximumMessageBytes = 65_536
    private static let maskingKey: UInt32 = 0x5EED_5EED
    /// The pause before the next knock where the server does not ask for a longer one.
    private static let pause = Duration.milliseconds(200)

    private let stream: Stream
    private let number: Int
    private let devices: CrowdMembers
    private var phase = Phase.asking
    private var parser = ResponseParser(responseTo: .get)
    private var decoder = MessageDecoder(role: .client, maximumMessageBytes: maximumMessageBytes)
    private var retryAfter: Duration?

    /// Sends the request.
    init(_ stream: Stream, number: Int, target: String, nonce: [UInt8], of devices: CrowdMembers) {
        self.stream = stream
        self.number = number
        self.devices = devices
        let handshake = ClientHandshake(random: nonce, protocols: [Routes.socketVersion2])
        var text = "GET \(target) HTTP/1.1\r\nHost: 127.0.0.1\r\n"
        for field in handshake.headers { text += "\(field.name): \(field.value)\r\n" }
        stream.tellsWhenDrained = false
        stream.delegate = self
        stream.write(Array("\(text)\r\n".utf8))
    }

    func received(_ bytes: inout MutableRawSpan) {
        switch phase {
        case .asking:
            parser.receive(bytes.bytes)
            readAnswer()
        case .open: read(&bytes)
        case .over: break
        }
    }

    func ended() { finish(after: Self.pause) }

    func failed(_ error: SystemError) { finish(after: Self.pause) }

    func drained() {}

    private func readAnswer() {
        do throws(HTTPError) {
            while case .asking = phase, let event = try parser.next() {
                switch event {
                case .head(let head) where head.status == 101:
                    phase = .open
                    var rest = parser.takeRemainder()
                    var span = rest.mutableSpan
                    var bytes = span.mutableBytes
                    read(&bytes)
                case .head(let head):
                    retryAfter = head.headers.first("Retry-After").flatMap { Int($0) }.map { .seconds($0) }
                case .body: break
                case .end: finish(after: retryAfter ?? Self.pause)
                }
            }
        } catch {
            finish(after: Self.pause)
        }
    }

    private func read(_ bytes: inout MutableRawSpan) {
        var offset = 0
        do throws(WebSocketError) {
            while case .open = phase, let event = try decoder.next(&bytes, from: &offset) {
                switch event {
                case .text(let payload): devices.received(payload.bytes(in: bytes.bytes), number, self)
                case .ping(let payload): send(.pong, payload.bytes(in: bytes.bytes))
                case .close(_, let reason): finish(after: RetryAfter.read(reason) ?? Self.pause)
                case .binary, .pong: break
                }
            }
        } catch {
            finish(after: Self.pause)
        }
    }

    func close() { finish(after: Self.pause) }

    func send(_ opcode: Opcode, _ payload: [UInt8]) {
        var frame: [UInt8] = []
        FrameEncoder.maskedFrame(opcode, payload, key: Self.maskingKey, into: &frame)
        stream.write(frame)
    }

    private func finish(after pause: Duration) {
        if case .over = phase { return }
        phase = .over
        stream.close()
        devices.ended(number, knockingAfter: pause)
    }
}
