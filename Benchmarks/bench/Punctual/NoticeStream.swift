import Client
import Contract
import HTTP1
import Reactor

/// One person's event stream. Loop only.
final class NoticeStream: StreamDelegate {
    private let number: Int
    /// The run; the run and its streams retain each other until it is over.
    private let run: NoticeRun
    private let stream: Stream
    private var parser: ResponseParser
    private var events = EventStreamParser()
    private var isListening = false

    init(_ stream: Stream, of person: Int, token: String, in run: NoticeRun) {
        number = person
        self.run = run
        self.stream = stream
        parser = ResponseParser(responseTo: .get)
        parser.bodyLimit = .max
        stream.tellsWhenDrained = false
        stream.delegate = self
        let headers: HTTPHeaders = [
            "Host": "127.0.0.1", "Accept": "text/event-stream", "Authorization": "Bearer \(token)",
        ]
        var bytes: [UInt8] = []
        RequestEncoder.encode(method: .get, target: Routes.events, headers: headers, body: nil, into: &bytes)
        stream.write(bytes)
    }

    func close() { stream.close() }

    func received(_ bytes: inout MutableRawSpan) {
        let now = Timestamp(microseconds: WallClock.microseconds())
        parser.receive(bytes.bytes)
        do {
            while let event = try parser.next() {
                switch event {
                case .head(let head):
                    guard head.status == 200 else { return run.fail("A stream was refused: \(head.status).") }
                case .body(let bytes): try take(bytes, at: now)
                case .end: run.lost("the server ended a stream")
                }
            }
        } catch {
            run.fail("A stream cannot be read: \(error).")
        }
    }

    func ended() { run.lost("the server ended a stream") }

    func failed(_ error: SystemError) { run.lost("\(error)") }

    func drained() {}

    /// Takes a part of the response. A stream begins with a comment: from then on no notification is missed.
    private func take(_ bytes: [UInt8], at now: Timestamp) throws {
        for event in try events.receive(bytes) where event.event == "room.opened" {
            run.told(number, event.data, at: now)
        }
        if !isListening {
            isListening = true
            run.listens()
        }
    }
}
