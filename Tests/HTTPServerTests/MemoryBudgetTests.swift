import HTTP1
import Reactor
import SocketTesting
import TestKit
import Testing
import WebSocket

@testable import HTTPServer

@Suite("The memory budget", .timeLimit(.minutes(1)))
struct MemoryBudgetTests {
    private final class Crowd: Sendable {
        let budget: MemoryBudget
        private let cut = Lock<[String]>([])
        private let uses = Lock<[String: MemoryBudget.Use]>([:])

        init(maximum: Int) { budget = MemoryBudget(maximum: maximum) }

        /// Has a connection hold bytes.
        func hold(_ name: String, _ bytes: Int, at host: String?, account: String? = nil) {
            let owner = MemoryBudget.Owner(
                client: host.map { ClientAddress(IPAddress($0)) }, account: account)
            let known = uses.withLock { $0[name] }
            let use = known ?? budget.enter(owner) { [weak self] in self?.cut.withLock { $0.append(name) } }
            uses.withLock { $0[name] = use }
            use.set(bytes, for: owner)
        }

        func end(_ name: String) { _ = uses.withLock { $0.removeValue(forKey: name) } }

        /// The names of the connections that were cut, in order.
        var victims: [String] { cut.withLock { $0 } }
    }

    @Test("nothing is cut within the budget")
    func within() {
        let crowd = Crowd(maximum: 100)
        crowd.hold("a", 60, at: "10.0.0.1")
        crowd.hold("b", 40, at: "10.0.0.2")
        #expect(crowd.victims.isEmpty && crowd.budget.held == 100)
        crowd.end("a")
        #expect(crowd.budget.held == 40)
    }

    @Test("beyond it the address that holds most is cut, the largest first, and not the one that asks last")
    func address() {
        let crowd = Crowd(maximum: 100)
        crowd.hold("large", 40, at: "10.0.0.2")
        for (name, bytes) in [("a", 18), ("b", 22), ("c", 15)] { crowd.hold(name, bytes, at: "10.0.0.1") }
        #expect(crowd.victims.isEmpty)
        crowd.hold("small", 6, at: "10.0.0.3")
        // An eighth is free afterwards.
        #expect(crowd.victims == ["b"])
        #expect(crowd.budget.cuts == 1)
    }

    @Test("a connection that is being cut does not count for the next choice, and is cut once")
    func once() {
        let crowd = Crowd(maximum: 100)
        crowd.hold("a", 90, at: "10.0.0.1")
        crowd.hold("b", 20, at: "10.0.0.2")
        crowd.hold("b", 60, at: "10.0.0.2")
        #expect(crowd.victims == ["a"])
        crowd.hold("b", 101, at: "10.0.0.2")
        #expect(crowd.victims == ["a", "b"])
        crowd.end("a")
        crowd.end("b")
        #expect(crowd.budget.held == 0)
        crowd.hold("c", 100, at: "10.0.0.3")
        #expect(crowd.victims == ["a", "b"])
    }

    @Test("an account that comes from many addresses is one holder")
    func account() {
        let crowd = Crowd(maximum: 100)
        for index in 0..<9 { crowd.hold("m\(index)", 8, at: "10.0.1.\(index)", account: "mallory") }
        crowd.hold("office", 20, at: "10.0.0.1")
        crowd.hold("small", 9, at: "10.0.0.2")
        #expect(crowd.victims.count == 2 && crowd.victims.allSatisfy { $0.hasPrefix("m") })
    }

    @Test("of an address the account that holds most there is cut, and not the largest connection")
    func accountOfAddress() {
        let crowd = Crowd(maximum: 100)
        for index in 0..<5 { crowd.hold("m\(index)", 12, at: "10.0.0.1", account: "mallory") }
        crowd.hold("ada", 30, at: "10.0.0.1", account: "ada")
        crowd.hold("late", 11, at: "10.0.0.1")
        #expect(crowd.victims.count == 2 && crowd.victims.allSatisfy { $0.hasPrefix("m") })
    }

    @Test("sockets that another server passes on count for their accounts, and not together")
    func peers() {
        let crowd = Crowd(maximum: 100)
        for index in 0..<7 { crowd.hold("p\(index)", 10, at: nil, account: "account \(index)") }
        crowd.hold("large", 20, at: "10.0.0.1")
        crowd.hold("small", 11, at: "10.0.0.2")
        #expect(crowd.victims == ["large"])
        crowd.hold("p3", 31, at: nil, account: "account 3")
        #expect(crowd.victims == ["large", "p3"])
    }

    @Test(
        "a socket that another server asks for belongs to its account, and to no address",
        arguments: [true, false])
    func owner(isOfPeer: Bool) async throws {
        let owner = Signal<MemoryBudget.Owner>()
        let fixture = try await Fixture { router, _ in
            router.immediate(.get, "/socket") { request in
                HTTPResponse(
                    upgrade: Upgrade(
                        to: request.loop, headers: HTTPHeaders(), account: "ann", isOfPeer: isOfPeer
                    ) { connection in
                        owner.send(connection.owner)
                        connection.refuse(HTTPResponse(status: 410))
                        return nil
                    })
            }
        }
        let answers = try await fixture.exchange(request("GET /socket"))
        #expect(answers.map(\.status) == [410])
        let found = await owner.value()
        #expect(found.account == "ann" && (found.client == nil) == isOfPeer)
    }

    @Test("connections without an owner are cut, too")
    func unowned() {
        let crowd = Crowd(maximum: 100)
        for name in ["a", "b"] { crowd.hold(name, 40, at: nil) }
        crowd.hold("small", 21, at: "10.0.0.2")
        #expect(crowd.victims.count == 1 && crowd.victims != ["small"])
    }

    @Test("a socket that is being opened counts, with what its client has sent already")
    func opening() async throws {
        let (details, accept) = (ScriptedSocket.Observations(), Signal<Void>())
        let fixture = try await Fixture { ScriptedSocket.add(to: &$0, $1, details, .after(accept)) }
        let peer = try await fixture.connect()
        let pings = (0..<800).flatMap { _ in Frames.masked(.ping, Array("ping".utf8)) }
        await peer.send(
            Array(request("GET /socket/this", "Connection: Upgrade", "Upgrade: websocket").utf8) + pings)
        await details.asked.value()
        try await eventually(atLeast: MemoryBudget.requestOverhead + 900) { fixture.server.memory.held }
        accept.send()
        _ = try await peer.read(until: "all pongs") { $0.count >= 800 * 6 }
        try await eventually(equals: 0) { fixture.server.memory.held }
        await peer.close()
    }

    @Test("bodies under way count, and the connection with the largest gets a 503 and is closed")
    func bodies() async throws {
        let fixture = try await Fixture(.patient { $0.memory = MemoryBudget(maximum: 150_000) })
        let large = try await fixture.connect()
        let head = request("POST /echo", "Content-Length: 250000", "Connection: close")
        await large.send(head + String(repeating: "x", count: 20_000))
        while fixture.server.memory.held < 20_000 { await fixture.catchUp() }
        // Both are of one address: the larger one goes.
        let larger = try await fixture.connect()
        await larger.send(head + String(repeating: "y", count: 200_000))
        #expect(try Response.read(try await larger.readToEnd()).map(\.status) == [503])
        #expect(
            try await fixture.exchange(request("GET /now/x", "Connection: close")).map(\.status) == [200])
        #expect((20_000..<131_250).contains(fixture.server.memory.held))
        await large.close()
        while fixture.server.memory.held > 0 { await fixture.catchUp() }
        #expect(fixture.server.limitCounts[.memory] == 1)
    }

    @Test("the body of a request beyond the rate of its address is dropped as it comes")
    func refused() async throws {
        let fixture = try await Fixture.timeless(.patient { $0.requestsPerSecond = 1 })
        let peer = try await fixture.connect()
        let half = String(repeating: "x", count: 50_000)
        await peer.send(
            request("GET /now/a") + request("GET /now/b")
                + request("POST /echo", "Content-Length: 100000", "Connection: close") + half)
        await peer.waitUntilSent()
        await fixture.catchUp()
        #expect(fixture.server.memory.held < 5_000)
        await peer.send(half)
        #expect(try Response.read(try await peer.readToEnd()).map(\.status) == [200, 200, 429])
    }

    @Test("an answer that its client does not read counts, and the client is cut")
    func output() async throws {
        let answer = [UInt8](repeating: 0x61, count: 32 << 20)
        let configuration = HTTPServerConfiguration.patient { $0.memory = MemoryBudget(maximum: 16 << 20) }
        let fixture = try await Fixture(configuration) { router, _ in
            router.immediate(.get, "/large") { _ in HTTPResponse(status: 200, body: answer) }
        }
        let peer = try await fixture.connect()
        await peer.pause()
        await peer.send(request("GET /large"))
        while fixture.server.memory.cuts == 0 { await fixture.catchUp() }
        await peer.resume()
        #expect(try await peer.readToEnd().count < answer.count)
        while fixture.server.memory.held > 0 { await fixture.catchUp() }
    }

    @Test("a header that drips counts")
    func header() async throws {
        let fixture = try await Fixture()
        let peer = try await fixture.connect()
        await peer.send("GET / HTTP/1.1\r\nHost: h\r\nX: \(String(repeating: "x", count: 8_000))\r\n")
        while fixture.server.memory.held < 8_000 { await fixture.catchUp() }
        await peer.close()
        while fixture.server.memory.held > 0 { await fixture.catchUp() }
    }
}
