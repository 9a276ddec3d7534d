import Client
import Contract
import HTTP1
import Reactor
import WebSocket

/// One person in a rush: holds an event stream, and enters the room when that opens, as the page does. Loop
/// only.
final class RushPerson {
    /// The attempts at a request, and the pause after the first one in milliseconds, as in the page's
    /// `api.js`.
    private static let attempts = 3
    private static let pause = 300

    private let token: String
    private let run: RushRun
    private var events = EventStreamParser()
    private var hasBegun = false
    private var wasRefused = false
    /// The requests before the entry that have not been answered yet.
    private var questions: [String] = []
    private var target = ""
    private var tried = 0

    init(token: String, in run: RushRun) {
        self.token = token
        self.run = run
    }

    // The event stream.

    func listen() {
        run.connect { [self] connection, heard in
            switch heard {
            case .head(let head):
                if head.status == 200 { return }
                run.streamRefused(first: !wasRefused)
                wasRefused = true
                connection.close()
                again(after: head.headers.first("retry-after").flatMap { Int($0) } ?? 1)
            case .bytes(let bytes): read(bytes)
            case .end, .lost:
                connection.close()
                if hasBegun { return run.lost() }
                run.streamRefused(first: !wasRefused)
                wasRefused = true
                again(after: (events.retryMilliseconds ?? 1_000) / 1_000)
            }
        } opened: { [token] connection in
            connection.get(
                Routes.events, ["Accept": "text/event-stream", "Authorization": "Bearer \(token)"])
        }
    }

    private func again(after seconds: Int) {
        events = EventStreamParser()
        run.loop.schedule(after: .seconds(seconds) + .milliseconds(.random(in: 0...500))) { self.listen() }
    }

    private func read(_ bytes: [UInt8]) {
        guard let heard = try? events.receive(bytes) else { return run.lost() }
        if !hasBegun && events.hasBegun {
            hasBegun = true
            run.streamBegan()
        }
        for event in heard where event.event == "room.opened" { opened(event.data) }
    }

    // The room.

    private func opened(_ data: String) {
        guard let room = NoticeText.text("roomId", of: data),
            let registration = NoticeText.text("registrationId", of: data),
            let url = NoticeText.text("socketUrl", of: data)?.split(separator: "/", maxSplits: 3).last
        else { return run.lost() }
        target = "/\(url)"
        wasRefused = false
        questions = run.asks ? [Routes.rooms + "/\(room)", Routes.registrations + "/\(registration)"] : []
        if questions.isEmpty { enter() } else { ask() }
    }

    /// Asks for the room and for the registration, one after the other.
    private func ask() {
        var status = 0
        var retryAfter = 0
        run.connect { [self] connection, heard in
            switch heard {
            case .head(let head):
                status = head.status
                retryAfter = head.headers.first("retry-after").flatMap { Int($0) } ?? 0
            case .bytes: break
            case .end where status == 200:
                tried = 0
                questions.removeFirst()
                if let next = questions.first { return connection.get(next, authorization) }
                connection.close()
                enter()
            case .end, .lost:
                connection.close()
                refused(after: retryAfter) { $0.ask() }
            }
        } opened: { [self] connection in
            connection.get(questions[0], authorization)
        }
    }

    private func enter() {
        let nonce = (0..<16).map { _ in UInt8.random(in: 0...255) }
        let handshake = ClientHandshake(random: nonce, protocols: [Routes.socketVersion2])
        var retryAfter = 0
        var isUpgraded = false
        var isInside = false
        run.connect { [self] connection, heard in
            switch heard {
            case .head(let head):
                isUpgraded = head.status == 101
                retryAfter = head.headers.first("retry-after").flatMap { Int($0) } ?? 0
            case .bytes where isUpgraded && !isInside:
                // The first frame is the greeting of the room.
                isInside = true
                run.entered()
            case .bytes: break
            case .end, .lost:
                connection.close()
                if isInside { run.lost() } else { refused(after: retryAfter) { $0.enter() } }
            }
        } opened: { [self] connection in
            var fields = HTTPHeaders()
            for field in handshake.headers { fields.append(field.name, field.value) }
            connection.get(target, fields)
        }
    }

    private func refused(after seconds: Int, _ next: @escaping (RushPerson) -> Void) {
        run.refused(first: !wasRefused)
        wasRefused = true
        tried += 1
        if tried == Self.attempts { return run.gaveUp() }
        let wait = max(Self.pause * tried, seconds * 1_000)
        run.loop.schedule(after: .milliseconds(wait)) { next(self) }
    }

    private var authorization: HTTPHeaders { ["Authorization": "Bearer \(token)"] }
}
