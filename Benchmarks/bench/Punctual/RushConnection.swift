import HTTP1
import Reactor

/// One connection of a person in a rush: an event stream, requests, or a socket. Loop only. Its stream keeps
/// it.
final class RushConnection: StreamDelegate {
    enum Heard {
        case head(ResponseHead)
        /// A part of a body, or of what a socket sends.
        case bytes([UInt8])
        /// The end of a response.
        case end
        /// The end of the connection.
        case lost
    }

    private let stream: Stream
    private let heard: (RushConnection, Heard) -> Void
    private var parser = ResponseParser(responseTo: .get)
    private var isSocket = false
    private var isOver = false

    init(_ stream: Stream, _ heard: @escaping (RushConnection, Heard) -> Void) {
        self.stream = stream
        self.heard = heard
        parser.bodyLimit = .max
        stream.tellsWhenDrained = false
        stream.delegate = self
    }

    /// Sends a GET request; on a connection that has answered the one before.
    func get(_ target: String, _ fields: HTTPHeaders) {
        parser.expectResponse(to: .get)
        var headers: HTTPHeaders = ["Host": "127.0.0.1"]
        for field in fields.fields { headers.append(field.name, field.value) }
        var bytes: [UInt8] = []
        RequestEncoder.encode(method: .get, target: target, headers: headers, body: nil, into: &bytes)
        stream.write(bytes)
    }

    func close() {
        isOver = true
        stream.close()
    }

    func received(_ bytes: inout MutableRawSpan) {
        // Sound: the buffer does not leave the closure.
        if isSocket { return heard(self, .bytes(bytes.bytes.withUnsafeBytes { Array($0) })) }
        parser.receive(bytes.bytes)
        do throws(HTTPError) {
            while !isOver, !isSocket, let event = try parser.next() {
                switch event {
                case .head(let head):
                    isSocket = head.status == 101
                    heard(self, .head(head))
                case .body(let part): heard(self, .bytes(part))
                case .end: heard(self, .end)
                }
            }
        } catch {
            return lost()
        }
        guard isSocket, !isOver else { return }
        let rest = parser.takeRemainder()
        if !rest.isEmpty { heard(self, .bytes(rest)) }
    }

    func ended() { lost() }

    func failed(_ error: SystemError) { lost() }

    func drained() {}

    private func lost() {
        if isOver { return }
        close()
        heard(self, .lost)
    }
}
