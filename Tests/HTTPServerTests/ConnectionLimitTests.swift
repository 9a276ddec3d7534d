import Codecs
import HTTP1
import Reactor
import SocketTesting
import TestKit
import Testing
import WebSocket

@testable import HTTPServer

@Suite("Limits of connections", .timeLimit(.minutes(5)))
struct ConnectionLimitTests {
    /// Opens connections that the server has accepted.
    private static func settled(_ count: Int, _ fixture: Fixture) async throws -> [Peer] {
        var peers: [Peer] = []
        for _ in 0..<count {
            let peer = try await fixture.connect()
            await peer.send(request("GET /now/here"))
            try await peer.take(until: "here")
            peers.append(peer)
        }
        return peers
    }

    @Test("who is refused reads the answer, whatever it has sent by then")
    func answerIsRead() async throws {
        let fixture = try await Fixture(.patient { $0.maximumConnections = 1 })
        let inside = try await Self.settled(1, fixture)
        try await withThrowingTaskGroup(of: [Response].self) { group in
            for _ in 0..<50 {
                group.addTask {
                    // The body is far longer than what would be read of it, had the server not discarded it.
                    let body = String(repeating: "b", count: 100_000)
                    return try await fixture.exchange(
                        request("POST /echo", "Content-Length: \(body.utf8.count)") + body)
                }
            }
            for try await responses in group {
                #expect(responses.map(\.status) == [503])
                #expect(responses.first?.head.headers.first("connection") == "close")
                #expect(responses.first?.text == "too many connections")
            }
        }
        #expect(fixture.server.limitCounts[.full] == 50)
        #expect(fixture.server.connectionCount == 1, "those that are refused are not counted")
        await inside[0].close()
    }

    @Test("two listeners share the descriptors of the process, and each has its reserve")
    func shared() async throws {
        let budget = DescriptorBudget.opened(for: 5, reserved: [.deskConnections: 1, .refusals: 1])
        func fixture(_ holder: DescriptorBudget.Holder) async throws -> Fixture {
            try await Fixture(
                .patient {
                    $0.descriptors = DescriptorBudget.Share(of: budget, for: holder)
                    $0.refusalDescriptors = DescriptorBudget.Share(of: budget, for: .refusals)
                })
        }
        let (people, desk) = (try await fixture(.connections), try await fixture(.deskConnections))
        let inside = try await Self.settled(3, people)
        let refused = try await people.exchange(request("GET /now/x"))
        #expect(refused.map(\.text) == ["too many connections"])
        #expect(people.server.limitCounts[.full] == 1)
        // The place of the connection that was refused is free a moment after its end.
        while budget.held[.refusals, default: 0] > 0 { await Task.yield() }
        let operators = try await Self.settled(1, desk)
        #expect(try await desk.exchange(request("GET /now/x")).map(\.status) == [503])
        await inside[0].close()
        while people.server.connectionCount > 2 { await Task.yield() }
        let another = try await Self.settled(1, desk)
        for peer in inside + operators + another { await peer.close() }
        #expect(await people.server.waitUntilEmpty(timeout: .seconds(60)))
        #expect(await desk.server.waitUntilEmpty(timeout: .seconds(60)))
        while budget.held.values.contains(where: { $0 > 0 }) { await Task.yield() }
    }

    @Test("many that are refused at once hold no more descriptors than the bound")
    func refusalsAreBounded() async throws {
        let fixture = try await Fixture(
            .patient {
                $0.maximumConnections = 1
                $0.maximumRefusals = 2
                $0.refusalTimeout = .seconds(3600)
            })
        let inside = try await Self.settled(1, fixture)
        // The peers neither ask nor close, so the server waits for two, and closes the others at once.
        var peers: [Peer] = []
        for _ in 0..<20 { peers.append(try await fixture.connect()) }
        var answered: [Peer] = []
        for peer in peers where try await !peer.readToEnd().isEmpty { answered.append(peer) }
        #expect(answered.count == 2)
        #expect(fixture.server.limitCounts[.full] == 20)
        for peer in answered { await peer.close() }
        // The places are free when the server has noticed that.
        while try await fixture.exchange("").isEmpty {}
        await inside[0].close()
        #expect(await fixture.server.waitUntilEmpty(timeout: .seconds(60)))
        let again = try await fixture.exchange(request("GET /now/x", "Connection: close"))
        #expect(again.map(\.status) == [200])
    }

    @Test("beyond the limit of an address there is a 429, also where the others have become WebSockets")
    func addressLimit() async throws {
        let details = ScriptedSocket.Observations()
        let configuration = HTTPServerConfiguration.patient { $0.maximumConnectionsPerAddress = 3 }
        let fixture = try await Fixture(configuration) { router, loops in
            ScriptedSocket.add(to: &router, loops, details)
        }
        let peers = try await Self.settled(3, fixture)
        for (index, loop) in ["this", "other"].enumerated() {
            await peers[index].send(
                request("GET /socket/\(loop)", "Connection: Upgrade", "Upgrade: websocket"))
            try await peers[index].take(until: "hello")
        }
        for _ in 0..<5 {
            let refused = try await fixture.exchange(request("GET /now/x"))
            #expect(refused.map(\.status) == [429])
            #expect(refused.first?.head.headers.first("connection") == "close")
        }
        #expect(fixture.server.limitCounts[.addressFull] == 5)
        // A WebSocket gives its place back like any other connection.
        await peers[0].send(Frames.close(.normal))
        _ = try await peers[0].readToEnd()
        await peers[0].close()
        while fixture.server.connectionCount > 2 { await Task.yield() }
        let again = try await fixture.exchange(request("GET /now/x", "Connection: close"))
        #expect(again.map(\.status) == [200])
        for peer in peers { await peer.close() }
        #expect(await fixture.server.waitUntilEmpty(timeout: .seconds(60)))
        _ = try await Self.settled(3, fixture)
    }

    @Test("the limit of an address does not count connections of unlimited clients, also as WebSockets")
    func unlimited() async throws {
        let details = ScriptedSocket.Observations()
        let configuration = HTTPServerConfiguration.patient { $0.maximumConnectionsPerAddress = 2 }
        let fixture = try await Fixture(configuration, unlimited: "peer") { router, loops in
            ScriptedSocket.add(to: &router, loops, details)
        }
        var tunnels: [Peer] = []
        for loop in ["this", "other", "this", "other"] {
            let peer = try await fixture.connect()
            await peer.send(
                request("GET /socket/\(loop)", "Connection: Upgrade", "Upgrade: websocket", "Peer: yes"))
            try await peer.take(until: "hello")
            tunnels.append(peer)
        }
        let clients = try await Self.settled(2, fixture)
        #expect(try await fixture.exchange(request("GET /now/x")).map(\.status) == [429])
        for tunnel in tunnels { await tunnel.close() }
        while fixture.server.connectionCount > 2 { await Task.yield() }
        // What was not counted gives nothing back.
        #expect(try await fixture.exchange(request("GET /now/x")).map(\.status) == [429])
        for client in clients { await client.close() }
    }

    @Test("the rate of an address does not count what is said not to count, and counts all else")
    func uncounted() async throws {
        let configuration = HTTPServerConfiguration.patient { $0.requestsPerSecond = 1 }
        let fixture = try await Fixture(configuration, uncounted: "file")
        func status(_ fields: String...) async throws -> Int? {
            let fields = fields + ["Connection: close"]
            let text = (["GET /now/x HTTP/1.1", "Host: h"] + fields).joined(separator: "\r\n")
            return try await fixture.exchange(text + "\r\n\r\n").first?.status
        }
        for _ in 0..<20 { #expect(try await status("File: yes") == 200) }
        var statuses: [Int?] = []
        while statuses.last != 429 { statuses.append(try await status()) }
        #expect(try await status("File: yes") == 200)
        #expect(fixture.server.limitCounts[.addressRate] == 1)
    }

    @Test("who is refused and does not close is closed")
    func refusalEnds() async throws {
        let fixture = try await Fixture(
            .patient {
                $0.maximumConnections = 1
                $0.maximumRefusals = 1
                $0.refusalTimeout = .milliseconds(100)
            })
        let inside = try await Self.settled(1, fixture)
        let refused = try await fixture.connect()
        #expect(try Response.read(try await refused.readToEnd()).map(\.status) == [503])
        while try await fixture.exchange("").isEmpty {}
        await inside[0].close()
    }

    @Test("a quota is per address, and forgets who has gone")
    func quota() throws {
        let quota = Quota<AddressKey>(maximum: 2)
        let keys = try ["192.0.2.1", "192.0.2.2"].map {
            AddressKey(try #require(SocketAddress(numeric: $0, port: 1)))
        }
        var leases = [quota.lease(keys[0]), quota.lease(keys[0])]
        #expect(leases.allSatisfy { $0 != nil })
        #expect(quota.lease(keys[0]) == nil)
        let other = quota.lease(keys[1])
        #expect(other != nil && quota.keyCount == 2)
        leases.removeLast()
        #expect(quota.lease(keys[0]) != nil)
        leases.removeAll()
        #expect(quota.keyCount == 1)
    }

    @Test("a limit that is reached again and again is logged once a minute")
    func ledger() {
        let ledger = LimitLedger()
        let (start, quiet) = (UInt64(7), Rate.onceAMinute.interval)
        #expect(ledger.add(.full, now: start))
        #expect(!ledger.add(.full, now: start + quiet - 1))
        #expect(ledger.add(.exhausted, now: start + 1), "each limit has its own minute")
        #expect(ledger.add(.full, now: start + quiet))
        #expect(ledger.counts == [.full: 3, .exhausted: 1])
    }
}
