import ClientTesting
import Contract
import TestKit
import Testing

@testable import Client

@Suite("The state of a stay in a room")
struct StayTests {
    private static let handshake = Sample.handshake()

    private static func event(_ message: ServerMessage) -> WebSocketLink.Event {
        var bytes: [UInt8] = []
        message.append(to: &bytes)
        return .message(bytes)
    }

    private static func stay(hasTokenSource: Bool = false) -> Stay {
        Stay(
            .ticket(url: "ws://127.0.0.1:1/socket?ticket=t"), hasTokenSource: hasTokenSource,
            generator: SystemRandomNumberGenerator())
    }

    private static func connected(hasTokenSource: Bool = false) -> Stay {
        var stay = stay(hasTokenSource: hasTokenSource)
        _ = stay.start()
        _ = stay.attempt()
        _ = stay.opened()
        return stay
    }

    private static func inRoom(hasTokenSource: Bool = false) -> Stay {
        var stay = connected(hasTokenSource: hasTokenSource)
        _ = stay.handle(event(handshake), at: .zero, wall: Sample.start)
        return stay
    }

    /// Returns the steps as words for comparisons.
    private static func words(_ steps: [Stay.Step]) -> [String] {
        steps.map { step in
            switch step {
            case .report(.event(let event)): RoomPlay.word(event)
            case .report(.state(let state)): "state \(RoomPlay.word(state))"
            case .report(.waiting): "state waiting"
            case .report(.message): "message"
            case .report(.health(let health)): "health \(health.isHealthy)"
            case .report(.diagnostic(let event)): event.name
            case .write: "write"
            case .liftDeadline: "liftDeadline"
            case .closeTransport: "closeTransport"
            case .wake: "wake"
            case .acknowledged(let id, let seq): "ack \(id) \(seq)"
            case .refused(let code, _, _): "refused \(code)"
            case .lost: "lost"
            case .end(let error): "end \(error.kind)"
            }
        }
    }

    @Test("starts once, and opens a socket")
    func start() {
        var stay = Self.stay()
        #expect(stay.opened() == nil)
        #expect(Self.words(stay.start()) == ["activated", "state connecting"])
        #expect(stay.start() == [])
        #expect(stay.attempt().nonce.count == 16)
        #expect(stay.counters.attempts == 1)
        #expect(stay.opened().map(Self.words) == ["reachabilityChanged"])
        #expect(stay.phase == .connected)
        #expect(!stay.isInRoom)
        #expect(stay.state(at: .zero, wall: Sample.start) == .connecting)
    }

    @Test("enters the room with the first handshake alone")
    func enters() {
        var stay = Self.connected()
        let steps = stay.handle(Self.event(Self.handshake), at: .zero, wall: Sample.start)
        #expect(
            Self.words(steps) == [
                "liftDeadline", "write", "connected room false", "state connected", "message",
            ])
        #expect(stay.isInRoom)
        #expect(stay.due == .seconds(20))
        #expect(stay.handle(Self.event(Self.handshake), at: .zero, wall: Sample.start) == [])
        #expect(stay.counters.duplicates == 1)
    }

    @Test(
        "finds a clock that is wrong by five minutes", arguments: [(299, true), (300, false), (-300, false)])
    func clock(offset: Int64, isHealthy: Bool) {
        var stay = Self.connected()
        let wall = Sample.start.adding(.seconds(offset))
        _ = stay.handle(Self.event(Self.handshake), at: .zero, wall: wall)
        #expect(stay.health.isHealthy == isHealthy)
    }

    @Test("tells no ale twice, and each acknowledgement")
    func messages() {
        var stay = Self.inRoom()
        func words(_ message: ServerMessage) -> [String] {
            Self.words(stay.handle(Self.event(message), at: .zero, wall: Sample.start))
        }
        #expect(words(Sample.ale(1)) == ["ale 1", "message"])
        #expect(words(Sample.ale(1)) == [])
        #expect(words(.ack(messageId: "m", seq: 1)) == ["ack m 1", "message"])
        #expect(words(.error(code: "odd", detail: "", messageId: nil)) == ["refused odd", "message"])
        #expect(words(.unknown(type: "weather")) == ["message"])
        #expect(stay.handle(.message([1, 2]), at: .zero, wall: Sample.start) == [])
        let counters = stay.counters
        #expect(counters.duplicates == 1)
        #expect(counters.unknownMessages == 1)
        #expect(counters.unreadableMessages == 1)
        #expect(counters.errors == ["refused:odd": 1])
    }

    @Test("waits after a loss, and tries again at the end of the wait, or when it is told to look again")
    func lost() throws {
        for isTold in [true, false] {
            var stay = Self.inRoom()
            let steps = stay.handle(
                .closed(code: 1012, reason: "retryAfterMs=9"), at: .zero, wall: Sample.start)
            #expect(
                Self.words(steps)
                    == [
                        "closeTransport", "health false", "healthChanged", "interrupted", "state waiting",
                        "lost",
                    ])
            #expect(!stay.isInRoom)
            let due = try #require(stay.due)
            #expect(due >= .milliseconds(9) && stay.phase == .waiting(until: due))
            #expect(stay.tick(at: due - .nanoseconds(1)) == [])
            let again = isTold ? stay.lookAgain(at: .zero) : stay.tick(at: due)
            #expect(Self.words(again) == ["state connecting", "wake"])
            #expect(stay.phase == .connecting)
        }
    }

    @Test("gives a silent link up")
    func silence() throws {
        var stay = Self.inRoom()
        #expect(Self.words(stay.tick(at: .seconds(20))) == ["write"])
        #expect(Self.words(stay.tick(at: .seconds(30))).first == "closeTransport")
        #expect(stay.counters.errors == ["halfOpen": 1])
        guard case .waiting = stay.phase else { throw TestError("\(stay.phase)") }
    }

    @Test("follows its match at once, and to another address")
    func moved() {
        var stay = Self.inRoom()
        let url = "ws://127.0.0.1:2/socket?ticket=u"
        _ = stay.handle(Self.event(.moved(id: Sample.other, socketUrl: url)), at: .zero, wall: Sample.start)
        _ = stay.handle(.closed(code: 4200, reason: ""), at: .zero, wall: Sample.start)
        #expect(stay.phase == .waiting(until: .zero))
        _ = stay.tick(at: .zero)
        let (address, resume, _) = stay.attempt()
        #expect(address == .ticket(url: url))
        #expect(resume == nil)
    }

    @Test("keeps its position where its room has another server, also when it is moved again")
    func movedAlong() throws {
        var stay = Self.inRoom()
        _ = stay.handle(Self.event(Sample.ale(1)), at: .zero, wall: Sample.start)
        for number in 1...2 {
            let url = "ws://127.0.0.1:2/socket?token=u&server=\(number)"
            _ = stay.handle(
                Self.event(.moved(id: Sample.room, socketUrl: url)), at: .zero, wall: Sample.start)
            _ = stay.handle(.closed(code: 4200, reason: ""), at: .zero, wall: Sample.start)
            #expect(stay.phase == .waiting(until: .zero))
            _ = stay.tick(at: .zero)
            let (address, resume, _) = stay.attempt()
            #expect(address == .ticket(url: url))
            #expect(resume?.epoch == "e1" && resume?.since == 1)
            _ = stay.opened()
            let handshake = Sample.handshake(seq: 1, recovered: true)
            let steps = stay.handle(Self.event(handshake), at: .zero, wall: Sample.start)
            #expect(Self.words(steps).contains("connected room true"))
        }
    }

    @Test("ends once, with the error for pending calls")
    func closes() {
        var stay = Self.inRoom()
        let steps = Self.words(stay.stop())
        #expect(
            steps == [
                "write", "closeTransport", "deactivated", "closed left", "state closed left", "end cancelled",
            ]
        )
        #expect(stay.closedError == .cancelled)
        #expect(stay.stop() == [])
        #expect(stay.opened() == nil)
        #expect(stay.entryFailed(EntryFailure(.timedOut), at: .zero) == [])
        #expect(stay.lost(.timedOut, at: .zero) == [])
        #expect(stay.lookAgain(at: .zero) == [])
        #expect(stay.due == nil)
    }

    @Test("takes an answer of something else for a wrong address before the first entry, and not later")
    func wrongServer() {
        let failure = EntryFailure(.unexpected("A sign-in page."))
        var stay = Self.stay()
        _ = stay.start()
        #expect(Self.words(stay.entryFailed(failure, at: .zero)).last == "end unexpected")
        stay = Self.inRoom()
        _ = stay.lost(.network("Gone."), at: .zero)
        _ = stay.lookAgain(at: .zero)
        #expect(Self.words(stay.entryFailed(failure, at: .zero)).last == "lost")
    }

    private static let refusal = WebSocketLink.Event.closed(code: 1008, reason: "the token was replaced")

    @Test("is over if the server does not allow it in any more, and there is no other token")
    func notAllowed() {
        var stay = Self.inRoom()
        let steps = Self.words(stay.handle(Self.refusal, at: .zero, wall: Sample.start))
        #expect(steps.last == "end unexpected" && steps.contains("closed 1008"))
        #expect(stay.tokenRefused() == [])
    }

    @Test("is over in the same way where it turns out that there is no other token")
    func noOtherToken() {
        var stay = Self.inRoom(hasTokenSource: true)
        let steps = stay.handle(Self.refusal, at: .seconds(1), wall: Sample.start)
        #expect(Self.words(steps) == ["closeTransport", "state connecting"])
        #expect(stay.rejection.close?.code == 1008)
        var plain = Self.inRoom()
        let end = Self.words(plain.handle(Self.refusal, at: .seconds(1), wall: Sample.start))
        #expect(["closeTransport"] + Self.words(stay.tokenRefused()) == ["closeTransport"] + end.dropFirst())
        #expect(stay.health == plain.health)
    }

    @Test("comes back with another token, and what was on its way is sent again")
    func otherToken() {
        var stay = Self.inRoom(hasTokenSource: true)
        _ = stay.handle(Self.refusal, at: .seconds(1), wall: Sample.start)
        #expect(stay.opened().map(Self.words) == ["interrupted", "lost"])
        #expect(stay.rejection.close == nil)
        let steps = stay.handle(Self.event(Self.handshake), at: .seconds(1), wall: Sample.start)
        #expect(Self.words(steps).contains("connected room false"))
    }

    @Test("still wants another token after an attempt in vain")
    func attemptInVain() {
        var stay = Self.inRoom(hasTokenSource: true)
        _ = stay.handle(Self.refusal, at: .zero, wall: Sample.start)
        let steps = stay.entryFailed(EntryFailure(.network("No way.")), at: .zero)
        #expect(Self.words(steps).last == "lost")
        #expect(stay.rejection.close != nil)
    }

    @Test(
        "asks for a token once in a row, and again after a connection that lasted",
        arguments: [(9, false), (10, true)])
    func refusedAgain(seconds: Int, goesOn: Bool) {
        var stay = Self.inRoom(hasTokenSource: true)
        _ = stay.handle(Self.refusal, at: .zero, wall: Sample.start)
        _ = stay.opened()
        _ = stay.handle(Self.event(Self.handshake), at: .zero, wall: Sample.start)
        let steps = Self.words(stay.handle(Self.refusal, at: .seconds(seconds), wall: Sample.start))
        #expect(steps.last == (goesOn ? "state connecting" : "end unexpected"))
    }

    @Test("tells whether the server can be reached only where it was asked")
    func tokenFailure() {
        var stay = Self.stay(hasTokenSource: true)
        _ = stay.start()
        let steps = stay.entryFailed(EntryFailure(token: .network("No way.")), at: .zero)
        #expect(
            Self.words(steps)
                == ["health false", "healthChanged", "interrupted", "state waiting", "lost"])
        _ = stay.lookAgain(at: .zero)
        let problem = ClientError.problem(Problem(.unauthenticated, detail: "There is no token."))
        let end = Self.words(stay.entryFailed(EntryFailure(token: problem), at: .zero))
        #expect(end.last == "end problem:unauthenticated")
    }
}
