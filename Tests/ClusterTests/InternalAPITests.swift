import Contract
import Database
import HTTP1
import HTTPServer
import Postgres
import PostgresTesting
import Reactor
import TestKit
import Testing

@testable import Cluster

@Suite("The calls between servers")
struct InternalAPITests {
    private static let (one, other, third) = (
        Identifier(value: 1), Identifier(value: 2), Identifier(value: 3)
    )

    @Test("a probe says who is at an address, and whether its key is the same")
    func probe() async throws {
        let peer = try await PeerServer(Self.other)
        let me = try await PeerServer(Self.one)
        #expect(await me.talk.probe(Self.other, at: peer.address) == .reached)
        #expect(await me.talk.probe(Self.third, at: peer.address) == .stranger(Self.other))
        let stranger = try await PeerServer(Self.third, key: PeerKey("another key"))
        #expect(await me.talk.probe(Self.third, at: stranger.address) == .rejected)
        #expect(await me.talk.probe(Self.other, at: "http://127.0.0.1:1") == .refused)
        let late = try await PeerServer(Self.third, now: { PeerServer.now.adding(.seconds(11)) })
        #expect(await me.talk.probe(Self.third, at: late.address) == .rejected)
    }

    @Test("a call takes a descriptor of the budget until it has its answer, and is not made without one")
    func descriptors() async throws {
        let budget = DescriptorBudget.opened(for: 1, reserved: [.calls: 1])
        let peer = try await PeerServer(Self.other)
        let me = try await PeerServer(Self.one, descriptors: budget)
        #expect(await me.talk.probe(Self.other, at: peer.address) == .reached)
        try await eventually(equals: 0) { budget.held[.calls] }
        // There is one for the call, and none to look the name up.
        #expect(
            await me.talk.probe(Self.other, at: "http://localhost:1")
                == .notAsked(PeerLinkError.outOfDescriptors.description))
        try await eventually(equals: 0) { budget.held[.calls] }
        #expect(budget.take(1, for: .calls))
        #expect(
            await me.talk.probe(Self.other, at: peer.address)
                == .notAsked(PeerLinkError.outOfDescriptors.description))
    }

    @Test("a header that was captured lifts no limit")
    func replayedLift() async throws {
        let me = try await PeerServer(Self.other)
        let calls = me.calls
        var random = SystemRandomNumberGenerator()
        func head(_ path: String, _ purpose: PeerAssertion.Purpose, at: Timestamp) throws -> [RequestHead] {
            let assertion = PeerAssertion(
                purpose, from: Self.one, to: Self.other, nonce: PeerNonce(using: &random), at: at)
            // The same header for a path that admits nothing.
            return try [path, "/cluster/nowhere"].map { path in
                try Self.head(
                    "POST \(path) HTTP/1.1\r\nHost: h\r\nContent-Length: 0\r\n"
                        + "\(PeerAssertion.header): \(assertion.signed(with: PeerServer.key))\r\n\r\n")
            }
        }
        let terms = try head("/cluster/terms", .terms, at: PeerServer.now)
        #expect(calls.isOfPeer(terms[0]) && calls.isOfPeer(terms[1]))
        #expect(calls.liftsAddressLimits(terms[0]))
        #expect(!calls.liftsAddressLimits(terms[0]) && !calls.liftsAddressLimits(terms[1]))
        let probe = try head("/cluster/probe", .probe, at: PeerServer.now)
        #expect(calls.liftsAddressLimits(probe[1]) && !calls.liftsAddressLimits(probe[0]))
        let rooms = try head(PeerTalk.roomsPath, .rooms, at: PeerServer.now)
        // The bound of the route counts once; then rooms have no body.
        #expect(calls.bodyLimit(rooms[0], PeerTalk.roomsPath) == nil)
        #expect(calls.bodyLimit(rooms[0], PeerTalk.roomsPath) == 0)
        #expect(calls.liftsAddressLimits(rooms[0]) && !calls.liftsAddressLimits(rooms[0]))
        let late = try head("/cluster/terms", .terms, at: PeerServer.now.adding(.seconds(-11)))
        #expect(!calls.liftsAddressLimits(late[0]))
    }

    private static func head(_ text: String) throws -> RequestHead {
        var parser = RequestParser()
        parser.receive(Array(text.utf8).span.bytes)
        while let event = try parser.next() {
            if case .head(let head) = event { return head }
        }
        throw TestError("no head: \(text)")
    }

    @Test("a probe says how far a clock is ahead of the database's")
    func clock() async throws {
        let ahead = Timestamp(microseconds: WallClock.microseconds()).adding(.seconds(-120))
        let peer = try await PeerServer(Self.other, now: { ahead })
        let me = try await PeerServer(Self.one, now: { ahead })
        let found = await me.talk.look(for: Self.other, at: peer.address)
        #expect(found.probe == .reached)
        let offset = try #require(found.clockAhead)
        #expect(offset >= .seconds(120) && offset < .seconds(720))
    }

    @Test("a peer says whether it reaches a third server")
    func reach() async throws {
        let peer = try await PeerServer(Self.other)
        let owner = try await PeerServer(Self.third)
        let me = try await PeerServer(Self.one)
        func report(_ incarnation: Identifier, at address: String) async -> TakeOver.Report {
            await me.talk.reach(incarnation, at: address, from: Self.other, at: peer.address)
        }
        #expect(await report(Self.third, at: owner.address) == .reached)
        #expect(await report(Self.one, at: owner.address) == .notReached)
        #expect(await report(Self.third, at: "http://127.0.0.1:1") == .notReached)
        #expect(
            await me.talk.reach(Self.third, at: owner.address, from: Self.other, at: "http://127.0.0.1:1")
                == .silent)
    }

    @Test("a peer without a descriptor to ask does not report that it fails to reach a third server")
    func reachWithoutDescriptor() async throws {
        let budget = DescriptorBudget.opened(for: 1, reserved: [.calls: 1])
        let peer = try await PeerServer(Self.other, descriptors: budget)
        let owner = try await PeerServer(Self.third)
        let me = try await PeerServer(Self.one)
        func report() async -> TakeOver.Report {
            await me.talk.reach(Self.third, at: owner.address, from: Self.other, at: peer.address)
        }
        #expect(await report() == .reached)
        try await eventually(equals: 0) { budget.held[.calls] }
        #expect(budget.take(1, for: .calls))
        #expect(await report() == .silent)
    }

    @Test("a peer says which terms it knows, of more rooms than one question has")
    func terms() async throws {
        let rooms = (0..<2500).map { Identifier(value: UInt128($0)) }
        let peer = try await PeerServer(
            Self.other,
            stored: { asked in
                var terms: [Identifier: Int32] = [:]
                for room in asked where room.value % 2 == 0 { terms[room] = Int32(clamping: room.value) }
                return terms
            })
        let me = try await PeerServer(Self.one)
        let terms = try #require(await me.talk.terms(of: rooms, from: Self.other, at: peer.address))
        #expect(terms.count == 1250 && terms[rooms[2]] == 2 && terms[rooms[3]] == nil)
        #expect(await me.talk.terms(of: rooms, from: Self.third, at: peer.address) == nil)
    }

    @Test("a peer hands its page over to a server that knows its key, and no other page")
    func page() async throws {
        // As large as a page may be, without the head of the answer.
        let bytes = (0..<PeerTalk.maximumPageBytes).map { UInt8(truncatingIfNeeded: $0) }
        let peer = try await PeerServer(Self.other, page: (hash: "00c0ffee00c0ffee", bytes: bytes))
        let bare = try await PeerServer(Self.other)
        let long = try await PeerServer(Self.other, page: (hash: "00c0ffee00c0ffee", bytes: bytes + [0]))
        let me = try await PeerServer(Self.one)
        #expect(try await me.talk.pageHash(of: Self.other, at: peer.address) == .hash("00c0ffee00c0ffee"))
        #expect(try await me.talk.pageHash(of: Self.other, at: bare.address) == .hash(""))
        #expect(try await me.talk.pageHash(of: Self.third, at: peer.address) == .refused)
        let isWhole = await me.talk.page("00c0ffee00c0ffee", of: Self.other, at: peer.address) == bytes
        #expect(isWhole)
        #expect(await me.talk.page("00c0ffee00c0ffe0", of: Self.other, at: peer.address) == nil)
        #expect(await me.talk.page("00c0ffee00c0ffee", of: Self.other, at: bare.address) == nil)
        #expect(await me.talk.page("00c0ffee00c0ffee", of: Self.other, at: long.address) == nil)
        let stranger = try await PeerServer(Self.one, key: PeerKey("another key"))
        #expect(try await stranger.talk.pageHash(of: Self.other, at: peer.address) == .refused)
        #expect(await stranger.talk.page("00c0ffee00c0ffee", of: Self.other, at: peer.address) == nil)
    }

    @Test("a peer says at once which rooms are open there, as long as its database does not answer")
    func hangingDatabase() async throws {
        try await TestDatabase.with { database in
            try await database.withConnection { _ = try await Migrations.migrator().apply(on: $0) }
            let pool = PostgresPool(database.configuration, on: database.loop)
            let failures = Lock<[any Error]>([])
            let peer = try await PeerServer(
                Self.other,
                stored: { asked in
                    do {
                        return try await RoomOwners.terms(of: asked, in: pool).mapValues(\.term)
                    } catch {
                        failures.withLock { $0.append(error) }
                        throw error
                    }
                }, open: { [$0[0]: 7] })
            func terms() async throws -> JSONValue? {
                let body = Array(#"{"rooms":["\#(Self.third)"]}"#.utf8)
                let header = Self.assertion(.terms, body: body).signed(with: PeerServer.key)
                let answer = try await Self.send(header, to: peer, .post, "/cluster/terms", body: body)
                return try JSONValue.parse(answer.body)["terms"]?["\(Self.third)"]
            }
            try await database.withConnection { connection in
                try await connection.simple("BEGIN; LOCK TABLE rooms IN ACCESS EXCLUSIVE MODE")
                #expect(try await terms()?.int == 7)
                // The question was given up, and the next is not asked so soon: an owner of many rooms asks
                // about them a part after the other.
                #expect(failures.withLock { $0.map { $0 as? PostgresError } } == [.cancelled])
                #expect(try await terms()?.int == 7)
                #expect(failures.withLock { $0.count } == 1)
                try await connection.simple("ROLLBACK")
            }
            try await eventually { try await terms() == nil }
            await pool.shutdown()
        }
    }

    /// Sends a probe with this header, and returns the status.
    private static func status(
        _ header: String?, of peer: PeerServer, _ method: HTTPMethod = .get,
        _ target: String = "/cluster/probe", body: [UInt8] = []
    ) async throws -> Int {
        try await send(header, to: peer, method, target, body: body).status
    }

    private static func send(
        _ header: String?, to peer: PeerServer, _ method: HTTPMethod, _ target: String, body: [UInt8]
    ) async throws -> PeerResponse {
        var headers: HTTPHeaders = [:]
        if let header { headers.append(PeerAssertion.header, header) }
        let url = try WebURL(peer.address)
        let address = try #require(SocketAddress(numeric: url.host, port: url.port))
        let request = PeerRequest(
            method: method, target: target, host: url.authority, headers: headers, body: body)
        return try await PeerLink.send(request, to: address, on: TestLoops.next(), timeout: .seconds(60))
    }

    private static func assertion(
        _ purpose: PeerAssertion.Purpose, body: [UInt8] = [], to: Identifier = other
    ) -> PeerAssertion {
        var random = SystemRandomNumberGenerator()
        return PeerAssertion(
            purpose, from: one, to: to, nonce: PeerNonce(using: &random), at: PeerServer.now, body: body)
    }

    @Test("a request is accepted once, and never for something else")
    func refused() async throws {
        let peer = try await PeerServer(Self.other)
        #expect(try await Self.status(nil, of: peer) == 403)
        #expect(try await Self.status("x.y", of: peer) == 403)
        let probe = Self.assertion(.probe).signed(with: PeerServer.key)
        #expect(try await Self.status(probe, of: peer) == 200)
        #expect(try await Self.status(probe, of: peer) == 403)
        let other = Self.assertion(.terms).signed(with: PeerServer.key)
        #expect(try await Self.status(other, of: peer) == 403)
        let body = Array(#"{"rooms":[]}"#.utf8)
        func terms(_ assertion: PeerAssertion) async throws -> Int {
            try await Self.status(
                assertion.signed(with: PeerServer.key), of: peer, .post, "/cluster/terms", body: body)
        }
        #expect(try await terms(Self.assertion(.terms, body: body)) == 200)
        #expect(try await terms(Self.assertion(.terms, body: [1])) == 403)
        #expect(try await terms(Self.assertion(.terms, body: body, to: Self.third)) == 421)
        #expect(try await Self.status(nil, of: peer, .post, "/cluster/terms", body: body) == 403)
    }
}
