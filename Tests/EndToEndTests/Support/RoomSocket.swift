import Client
import Contract
import HTTP1
import TestKit
import WebSocket

/// A room's socket, frame by frame.
final class RoomSocket {
    enum Frame: Equatable {
        case text(String)
        case binary(String)
        case ping
        case pong
        /// The server's close frame.
        case closed(UInt16?, String)
        /// The connection ended.
        case ended
    }

    /// The server's answer when it is no upgrade.
    struct APIError: Error {
        let head: ResponseHead
        let problem: Problem

        var status: Int { head.status }
    }

    let head: ResponseHead
    /// The bytes that came after the head.
    private(set) var bytes: [UInt8]
    /// Whether pings are answered.
    var answersPings = true

    private let wire: Wire
    private var hasEnded = false
    private var decoder = MessageDecoder(role: .client, maximumMessageBytes: 1 << 20)
    private var frames: [Frame] = []

    private init(_ wire: Wire, _ head: ResponseHead, _ remainder: [UInt8]) {
        self.wire = wire
        self.head = head
        bytes = []
        receive(remainder)
    }

    /// Connects to a room as a person, by their API token; throws `APIError`.
    static func open(
        _ room: Identifier, as person: Person, version: Int = 2, epoch: String? = nil, since: Int64? = nil
    ) async throws -> RoomSocket {
        var target = "/socket?id=\(room)"
        if let epoch, let since { target += "&epoch=\(epoch)&since=\(since)" }
        return try await open(
            target, port: person.api.server.port, protocols: version == 2 ? [Routes.socketVersion2] : [],
            headers: ["Authorization": "Bearer \(person.token)"])
    }

    /// Connects to the address of a notification.
    static func open(url: String, version: Int = 2) async throws -> RoomSocket {
        guard let slash = url.dropFirst(5).firstIndex(of: "/"), url.hasPrefix("ws://127.0.0.1:"),
            let port = UInt16(url[..<slash].split(separator: ":").last ?? "")
        else { throw TestError(url) }
        return try await open(
            String(url[slash...]), port: port, protocols: version == 2 ? [Routes.socketVersion2] : [])
    }

    /// The connection was closed before an answer.
    struct NoAnswer: Error {}

    static func open(
        _ target: String, port: UInt16, protocols: [String] = [], headers: HTTPHeaders = [:]
    ) async throws -> RoomSocket {
        var random = SystemRandomNumberGenerator()
        let handshake = ClientHandshake(
            random: (0..<16).map { _ in random.next() }, protocols: protocols)
        var all = headers
        for (name, value) in handshake.headers { all.append(name, value) }
        return try await open(target, port: port, exactly: all)
    }

    /// Connects with these header fields only, without those of a WebSocket client.
    static func open(_ target: String, port: UInt16, exactly headers: HTTPHeaders) async throws -> RoomSocket
    {
        let wire = try await Wire.connect(port: port)
        var request: [UInt8] = []
        var all: HTTPHeaders = ["Host": "127.0.0.1"]
        for field in headers.fields { all.append(field.name, field.value) }
        RequestEncoder.encode(method: .get, target: target, headers: all, into: &request)
        await wire.write(request)
        var parser = ResponseParser(responseTo: .get)
        var head: ResponseHead?
        var body: [UInt8] = []
        while true {
            switch try parser.next() {
            case .head(let found):
                head = found
                if found.status == 101 { return RoomSocket(wire, found, parser.takeRemainder()) }
            case .body(let part): body += part
            case .end:
                guard let head else { throw CancellationError() }
                throw APIError(head: head, problem: try JSON.decode(Problem.self, from: body))
            case nil:
                guard let bytes = try await wire.read() else { throw NoAnswer() }
                parser.receive(bytes.span.bytes)
            }
        }
    }

    // Output.

    func send(_ text: String) async {
        await send(.text, Array(text.utf8))
    }

    func send(_ opcode: Opcode, _ payload: [UInt8]) async {
        var frame: [UInt8] = []
        FrameEncoder.maskedFrame(opcode, payload, key: .random(in: .min ... .max), into: &frame)
        await wire.write(frame)
    }

    func send(raw: [UInt8]) async { await wire.write(raw) }

    func cheer(_ messageId: String? = nil) async {
        await send(messageId.map { "{\"type\":\"ale\",\"messageId\":\"\($0)\"}" } ?? "{\"type\":\"ale\"}")
    }

    /// Stops reading, or continues. While paused, pings are not answered either.
    func setPaused(_ paused: Bool) async { await wire.setPaused(paused) }

    /// Closes the connection without a close frame.
    func drop() async { await wire.close() }

    // Input.

    /// Returns the next frame that is no ping.
    func next() async throws -> Frame {
        while true {
            let frame = try await nextFrame()
            if frame == .ping { continue }
            return frame
        }
    }

    /// Returns the next frame, also a ping. Throws once the end has been returned: a wait for another frame
    /// would never end.
    func nextFrame() async throws -> Frame {
        while frames.isEmpty {
            if hasEnded { throw TestError("the connection has ended") }
            guard let bytes = try await wire.read() else {
                hasEnded = true
                return .ended
            }
            receive(bytes)
            if answersPings && frames.contains(.ping) { await send(.pong, []) }
        }
        return frames.removeFirst()
    }

    /// Returns the next message, which must have that type.
    func message(_ type: String) async throws -> JSONValue {
        let frame = try await next()
        let message = try Self.message(in: frame, expecting: type)
        guard message["type"]?.string == type else {
            throw TestError("\(type) expected, \(frame) came")
        }
        return message
    }

    /// Returns the next message of that type, and skips all others.
    func skip(to type: String) async throws -> JSONValue {
        while true {
            let message = try Self.message(in: await next(), expecting: type)
            if message["type"]?.string == type { return message }
        }
    }

    /// Returns the message that a frame carries. Throws when it is another kind of frame.
    private static func message(in frame: Frame, expecting type: String) throws -> JSONValue {
        guard case .text(let text) = frame else { throw TestError("\(type) expected, \(frame) came") }
        return try JSONValue.parse(Array(text.utf8))
    }

    /// Waits until the match is these people, and ignores earlier states.
    func becomes(_ names: Set<String>) async throws {
        while true {
            let members = try await skip(to: "members")["members"]?.array ?? []
            if Set(members.compactMap { $0["name"]?.string }) == names { return }
        }
    }

    /// Returns the close frame, and skips all other frames.
    func close() async throws -> Frame {
        while true {
            let frame = try await next()
            switch frame {
            case .closed, .ended: return frame
            case .text, .binary, .ping, .pong: continue
            }
        }
    }

    /// Waits until the server closes the socket with that code, and returns the reason.
    @discardableResult
    func closes(with code: UInt16) async throws -> String {
        let end = try await close()
        guard case .closed(code, let reason) = end else { throw TestError("\(end) instead of \(code)") }
        return reason
    }

    private func receive(_ received: [UInt8]) {
        bytes += received
        var buffer = received
        var span = buffer.mutableSpan
        var raw = span.mutableBytes
        var offset = 0
        do throws(WebSocketError) {
            while let event = try decoder.next(&raw, from: &offset) {
                switch event {
                case .text(let payload):
                    frames.append(.text(message(payload.bytes(in: raw.bytes))))
                case .binary(let payload):
                    frames.append(.binary(message(payload.bytes(in: raw.bytes))))
                case .ping: frames.append(.ping)
                case .pong: frames.append(.pong)
                case .close(let code, let reason): frames.append(.closed(code?.rawValue, reason))
                }
            }
        } catch {
            frames.append(.text("unreadable: \(error)"))
        }
    }

    private func message(_ bytes: [UInt8]) -> String {
        let text = String(decoding: bytes, as: UTF8.self)
        FrameCheck.check(text, version: head.headers.contains("sec-websocket-protocol") ? 2 : 1)
        return text
    }
}
