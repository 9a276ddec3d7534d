import Client
import ClientTesting
import Contract
import HTTP1
import HTTPServer
import Reactor
import Testing
import WebSocket

@Suite("A client with a source of tokens")
struct TokenSourceTests {
    /// A server that takes one token only, and what it was asked with.
    private final class Gatekeeper: Sendable {
        let valid: Lock<String>
        let seen = Lock<[String]>([])

        init(_ valid: String) { self.valid = Lock(valid) }

        func admits(_ token: String?) -> Bool {
            seen.withLock { $0.append(token ?? "none") }
            return token == valid.withLock { $0 }
        }

        func admits(_ request: HTTPRequest) -> Bool {
            admits(request.head.headers.first("authorization").map { String($0.dropFirst(7)) })
        }
    }

    /// A source with those answers in order, the last of them for ever.
    private final class Answers: Sendable {
        let asked = Lock<[String]>([])
        private let rest: Lock<[String]>

        init(_ answers: String...) { rest = Lock(answers) }

        var source: TokenSource {
            { [asked, rest] refused in
                asked.withLock { $0.append(refused ?? "none") }
                return rest.withLock { $0.count > 1 ? $0.removeFirst() : $0.first }
            }
        }
    }

    private static let refusal = HTTPResponse.problem(.unauthenticated, "This token is not taken.")

    @Test(
        "asks for the first token, and for another one when the server refuses it", arguments: [true, false])
    func calls(isFirstGiven: Bool) async throws {
        let (gate, answers) = (Gatekeeper("b"), isFirstGiven ? Answers("b") : Answers("a", "b"))
        let server = try await ScriptedServer(.get, Routes.me) {
            gate.admits($0) ? .json(UserAnswer(user: Sample.user)) : Self.refusal
        }
        let api = try APIClient(
            server: Server(server.url), token: isFirstGiven ? "a" : nil, tokenSource: answers.source)
        #expect(try await api.me() == Sample.user)
        #expect(try await api.retrying(.default).me() == Sample.user)
        #expect(gate.seen.withLock { $0 } == ["a", "b", "b"])
        #expect(answers.asked.withLock { $0 } == (isFirstGiven ? ["a"] : ["none", "a"]))
        #expect(api.token == "b")
    }

    @Test("throws the refusal where the source has the same token, or the next one is refused too")
    func refused() async throws {
        let gate = Gatekeeper("never")
        let server = try await ScriptedServer { router, _ in
            router.immediate(.get, Routes.me) { gate.admits($0) ? HTTPResponse(status: 204) : Self.refusal }
        }
        for (answers, seen) in [(Answers("a"), ["a"]), (Answers("b", "c"), ["a", "b"])] {
            gate.seen.withLock { $0 = [] }
            let api = try APIClient(server: Server(server.url), token: "a", tokenSource: answers.source)
            let error = await #expect(throws: ClientError.self) { try await api.retrying(.default).me() }
            #expect(error?.detail == "This token is not taken.")
            #expect(gate.seen.withLock { $0 } == seen)
            #expect(answers.asked.withLock { $0 } == ["a"])
        }
    }

    @Test("is not asked if another token cannot help")
    func otherErrors() async throws {
        let answers = Answers("b")
        let server = try await ScriptedServer { _, _ in }
        let api = try APIClient(server: Server(server.url), token: "a", tokenSource: answers.source)
        let error = await #expect(throws: ClientError.self) { try await api.me() }
        #expect(error?.kind == "problem:not-found")
        #expect(answers.asked.withLock { $0 } == [])
    }

    @Test("sends a POST again under the same idempotency key")
    func post() async throws {
        let (gate, keys) = (Gatekeeper("b"), Lock<[String?]>([]))
        let server = try await ScriptedServer(.post, Routes.registrations) { request in
            keys.withLock { $0.append(request.head.headers.first("idempotency-key")) }
            return gate.admits(request)
                ? .json(RegistrationList(registrations: []), status: 201) : Self.refusal
        }
        let api = try APIClient(server: Server(server.url), token: "a", tokenSource: Answers("b").source)
        _ = try await api.register(NewRegistration(task: "Write", slots: .instants([Sample.start])))
        let sent = keys.withLock { $0 }
        #expect(sent.count == 2 && sent[0] == sent[1] && sent[0] != nil)
    }

    @Test("goes on with a stream that ended with its token, and begins where it was")
    func stream() async throws {
        let (gate, positions) = (Gatekeeper("a"), Lock<[String?]>([]))
        let server = try await ScriptedServer(.get, Routes.events) { request in
            guard gate.admits(request) else { return Self.refusal }
            positions.withLock { $0.append(request.head.headers.first("last-event-id")) }
            return .events { stream in
                try? await stream.write(Array(": welcome\nid: 7\n\n".utf8))
                gate.valid.withLock { $0 = $0 == "a" ? "b" : "c" }
            }
        }
        let answers = Answers("b")
        let api = try APIClient(server: Server(server.url), token: "a", tokenSource: answers.source)
        var events = api.events().makeAsyncIterator()
        var words: [String] = []
        let end = await #expect(throws: ClientError.self) {
            while let event = try await events.next() {
                switch event {
                case .connected: words.append("connected")
                case .interrupted: words.append("interrupted")
                case .notification: words.append("notification")
                }
            }
        }
        // The third token would be right, and the source does not have it.
        #expect(words == ["connected", "interrupted", "connected", "interrupted"])
        #expect(end?.kind == "problem:unauthenticated")
        #expect(positions.withLock { $0 } == [nil, "7"])
        #expect(answers.asked.withLock { $0 } == ["a", "b"])
    }

    @Test("enters a room with the next token where the first one is refused, and ends where there is none")
    func entry() async throws {
        for (answers, words, seen) in [
            (Answers("b"), ["connected room false", "closed room"], ["a", "b"]),
            (Answers("a"), ["closed refused problem:unauthenticated"], ["a"]),
            (Answers("c", "d"), ["closed refused problem:unauthenticated"], ["a", "c"]),
        ] {
            let gate = Gatekeeper("b")
            let server = try await ScriptedServer { router, loop in
                ScriptedRoom.add(to: &router, on: loop, admits: gate.admits) { part in
                    part.send(Sample.handshake())
                    part.connection.close(.normal)
                }
            }
            let api = try APIClient(server: Server(server.url), token: "a", tokenSource: answers.source)
            let connection = try api.connection(in: Sample.room)
            let events = connection.events
            await connection.start()
            var told: [String] = []
            for await event in events { told.append(RoomPlay.word(event)) }
            #expect(told == words)
            #expect(gate.seen.withLock { $0 } == seen)
            #expect(answers.asked.withLock { $0 } == ["a"])
        }
    }

    @Test(
        "keeps what was not sent where the room's connection ends with its token, and sends it with the next")
    func queue() async throws {
        let heard = Lock<[String]>([])
        let server = try await ScriptedServer { router, loop in
            ScriptedRoom.add(to: &router, on: loop) { part in
                guard let messageId = part.messageIdAfterHandshake() else { return }
                heard.withLock { $0.append("\(part.token ?? "none") \(messageId)") }
                guard part.token == "b" else { return part.connection.close(.policyViolation) }
                part.send(.ack(messageId: messageId, seq: Int64(heard.withLock { $0.count })))
            }
        }
        let answers = Answers("b")
        let api = try APIClient(server: Server(server.url), token: "a", tokenSource: answers.source)
        let connection = try api.connection(in: Sample.room)
        for id in ["m1", "m2"] { try await connection.send(.ale(id: id), by: .queuedOnly) }
        try await connection.flush(timeout: .seconds(60))
        #expect(heard.withLock { $0.filter { $0.hasPrefix("b") } } == ["b m1", "b m2"])
        #expect(await connection.counters.acknowledged == 2)
        #expect(answers.asked.withLock { $0 } == ["a"])
        await connection.stop()
    }

    @Test("ends with the close code where the source has no other token", arguments: [true, false])
    func ended(hasSource: Bool) async throws {
        let server = try await ScriptedServer { router, loop in
            ScriptedRoom.add(to: &router, on: loop) { part in
                part.send(Sample.handshake())
                part.connection.close(.policyViolation)
            }
        }
        let answers = Answers("a")
        let api = try APIClient(
            server: Server(server.url), token: "a", tokenSource: hasSource ? answers.source : nil)
        let connection = try api.connection(in: Sample.room)
        let events = connection.events
        await connection.start()
        var told: [String] = []
        for await event in events { told.append(RoomPlay.word(event)) }
        #expect(told == ["connected room false", "closed 1008"])
        #expect(answers.asked.withLock { $0 } == (hasSource ? ["a"] : []))
    }

    @Test("tries a room again later where the source cannot be reached")
    func sourceAway() async throws {
        let clock = ManualClock()
        let failures = Lock(1)
        let server = try await ScriptedServer { router, loop in
            ScriptedRoom.add(to: &router, on: loop) { part in
                part.send(Sample.handshake())
                part.connection.close(.normal)
            }
        }
        let api = try APIClient(server: Server(server.url)) { _ in
            let isAway = failures.withLock { left in
                left -= 1
                return left >= 0
            }
            if isAway { throw ClientError.network("The keychain is far away.") }
            return "a"
        }
        var configuration = ConnectionConfiguration()
        configuration.clock = clock
        let connection = try api.connection(in: Sample.room, configuration: configuration)
        let events = connection.events
        await connection.start()
        var told: [String] = []
        for await event in events {
            if case .interrupted(_, let wait) = event { clock.advance(by: wait) }
            told.append(RoomPlay.word(event))
        }
        #expect(told == ["interrupted", "connected room false", "closed room"])
    }
}
