import HTTP1
import Reactor
import SocketTesting
import TestKit
import Testing

@testable import HTTPServer

@Suite("Connections over loops")
struct LoopLoadsTests {
    @Test("those that come one after the other are shared out evenly, and what goes makes room")
    func shares() async throws {
        let fixture = try await Fixture(loopCount: 8) { router, _ in
            router.immediate(.get, "/loop") {
                HTTPResponse(status: 200, body: Array("#\($0.loop.name)!".utf8))
            }
        }
        var peers: [(peer: Peer, loop: String)] = []
        for _ in 0..<80 { peers.append(try await Self.open(fixture)) }
        let counts = Dictionary(grouping: peers) { $0.loop }.mapValues(\.count)
        #expect(counts.count == 8, "\(counts)")
        #expect((counts.values.max() ?? 0) <= 20, "\(counts)")

        // One loop loses all its connections: the next ones go there.
        let emptied = try #require(peers.first?.loop)
        let gone = peers.filter { $0.loop == emptied }
        for (peer, _) in gone { await peer.close() }
        while fixture.server.connectionCount > 80 - gone.count { await Task.yield() }
        for _ in gone {
            let new = try await Self.open(fixture)
            #expect(new.loop == emptied)
            peers.append(new)
        }
        for (peer, _) in peers { await peer.close() }
        #expect(await fixture.server.waitUntilEmpty(timeout: .seconds(60)))
    }

    /// Opens a connection that stays, and returns it with the name of the loop that serves it.
    private static func open(_ fixture: Fixture) async throws -> (peer: Peer, loop: String) {
        let peer = try await fixture.connect()
        await peer.send(request("GET /loop"))
        let answer = try await peer.take(until: "!")
        return (peer, String(answer.dropLast().split(separator: "#").last ?? ""))
    }

    @Test("a connection without a descriptor is not counted, and one that goes gives its descriptor back")
    func descriptors() {
        let budget = DescriptorBudget.opened(for: 2)
        let loads = LoopLoads(count: 2, descriptors: DescriptorBudget.Share(of: budget, for: .connections))
        #expect(loads.add(to: 0) && loads.add(to: 1) && !loads.add(to: 0))
        loads.move(from: 0, to: 1)
        #expect(loads.total == 2 && budget.held[.connections] == 2)
        loads.remove(from: 1)
        #expect(loads.add(to: 0) && !loads.add(to: 0))
    }

    @Test("the given loop is taken while no other has fewer")
    func place() {
        let loads = LoopLoads(count: 3)
        #expect(loads.place(near: 1) == (1, 0))
        #expect(loads.add(to: 1))
        #expect(loads.place(near: 1) == (0, 1))
        #expect(loads.place(near: 2) == (2, 1))
        loads.move(from: 1, to: 2)
        #expect(loads.place(near: 1) == (1, 1))
        loads.remove(from: 2)
        #expect(loads.total == 0)
    }
}
