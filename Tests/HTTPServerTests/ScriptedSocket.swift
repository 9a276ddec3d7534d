import HTTP1
import HTTPServer
import Reactor
import TestKit
import WebSocket

/// A WebSocket whose server side a test scripts: `/socket`, on the loop that the query names.
///
/// Text messages come back; `flood N` brings N bytes, `fill` as many as the kernel buffers, `bye CODE` the
/// end.
final class ScriptedSocket: WebSocketHandler {
    /// The events of a connection that tests wait for.
    struct Observations: Sendable {
        let asked = Signal<Void>()
        let closed = Signal<Void>()
        let accepted = Signal<Bool>()
        let filled = Signal<Void>()
        let drained = Signal<Bool>()
    }

    private let connection: WebSocketConnection
    private let loop: EventLoop
    private let details: Observations
    private var isClosed = false

    init(_ connection: WebSocketConnection, on loop: EventLoop, _ details: Observations) {
        self.connection = connection
        self.loop = loop
        self.details = details
    }

    func received(_ message: RawSpan, isText: Bool) {
        let text = message.withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
        let words = text.split(separator: " ")
        switch (words.first, words.last.flatMap { Int($0) }) {
        case ("flood", let count?):
            connection.send(.binary, [UInt8](repeating: 0x66, count: count).span.bytes)
        case ("fill", _): fill()
        case ("bye", let code?):
            connection.close(CloseCode(rawValue: UInt16(clamping: code)), reason: "told to")
        case ("many", let count?):
            for number in 0..<count { send("\(number) " + String(repeating: "m", count: 1000)) }
        default: send(text)
        }
    }

    func send(_ text: String) { connection.send(.text, Array(text.utf8).span.bytes) }

    /// Sends a little in each turn, until some of it is pending.
    private func fill() {
        if isClosed || connection.pendingBytes > 0 {
            connection.tellWhenDrained()
            return details.filled.send()
        }
        send(String(repeating: "f", count: 60_000))
        let socket = LoopBound(self, to: loop)
        loop.execute { socket.value.fill() }
    }

    func drained() { details.drained.send(connection.isBehind) }

    func closed() {
        isClosed = true
        details.closed.send()
        details.filled.send()
    }

    /// The ways in which the server answers a connection that asks to be accepted.
    enum Opening: Sendable {
        case atOnce
        /// Accepted by a task, once the signal was sent.
        case after(Signal<Void>)
        case refused
        case closed
        case tuned(SocketTuning)
    }

    static func add(
        to router: inout Router, _ loops: [EventLoop], _ details: Observations, _ opening: Opening = .atOnce
    ) {
        router.immediate(.get, "/socket/{loop}") { request in
            let index =
                request.parameters.first == "this" ? nil : request.parameters.first.flatMap { Int($0) }
            let other = loops.first { $0 !== request.loop } ?? request.loop
            let loop = index.map { loops[$0 % loops.count] } ?? request.loop
            let target = request.parameters.first == "other" ? other : loop
            return HTTPResponse(
                upgrade: Upgrade(
                    to: target, headers: ["Upgrade": "websocket", "Connection": "Upgrade"]
                ) { connection in
                    target.preconditionCurrent()
                    return open(connection, target, details, opening)
                })
        }
    }

    private static func open(
        _ connection: WebSocketConnection, _ loop: EventLoop, _ details: Observations, _ opening: Opening
    ) -> Task<Void, Never>? {
        details.asked.send()
        let socket = ScriptedSocket(connection, on: loop, details)
        switch opening {
        case .atOnce: socket.accept()
        case .after(let signal):
            let socket = LoopBound(socket, to: loop)
            return Task(executorPreference: loop) {
                await signal.value()
                socket.value.accept()
            }
        case .refused:
            connection.refuse(HTTPResponse(status: 410, body: Array("id \(connection.id.count)".utf8)))
        case .closed: connection.close(.goingAway)
        case .tuned(let tuning): socket.accept(tuning)
        }
        return nil
    }

    private func accept(_ tuning: SocketTuning = SocketTuning()) {
        var greeting: [UInt8] = []
        FrameEncoder.frame(.text, Array("hello".utf8), into: &greeting)
        details.accepted.send(connection.isOpen)
        connection.accept(self, greeting: greeting, tuning)
    }
}

/// The frames that a client sends, and reads.
enum Frames {
    static func text(_ text: String) -> [UInt8] { masked(.text, Array(text.utf8)) }

    static func masked(_ opcode: Opcode, _ payload: [UInt8] = []) -> [UInt8] {
        var bytes: [UInt8] = []
        FrameEncoder.maskedFrame(opcode, payload, key: 0x1234_5678, into: &bytes)
        return bytes
    }

    static func close(_ code: CloseCode?) -> [UInt8] {
        var bytes: [UInt8] = []
        FrameEncoder.maskedClose(code, key: 0x0bad_cafe, into: &bytes)
        return bytes
    }

    /// Returns the status of the response, and each frame behind it in words.
    static func read(_ bytes: [UInt8]) throws -> (status: Int, frames: [String]) {
        var parser = ResponseParser(responseTo: .get)
        parser.receive(bytes.span.bytes)
        guard case .head(let head)? = try parser.next() else { return (0, []) }
        var rest = parser.takeRemainder()
        var decoder = MessageDecoder(role: .client, maximumMessageBytes: 32 * 1024 * 1024)
        var frames: [String] = []
        var offset = 0
        var span = rest.mutableSpan
        var raw = span.mutableBytes
        while let event = try decoder.next(&raw, from: &offset) {
            switch event {
            case .text(let payload):
                frames.append(String(decoding: payload.bytes(in: raw.bytes), as: UTF8.self))
            case .binary(let payload): frames.append("binary \(payload.count)")
            case .ping: frames.append("ping")
            case .pong(let payload):
                frames.append("pong " + String(decoding: payload.bytes(in: raw.bytes), as: UTF8.self))
            case .close(let code, let reason):
                frames.append("close \(code?.rawValue ?? 0)" + (reason.isEmpty ? "" : " \(reason)"))
            }
        }
        return (head.status, frames)
    }
}
