import Codecs
import Contract
import Scheduling
import Testing

@Suite("The choice of a server for a room")
struct RendezvousTests {
    private static let rooms: [Identifier] = {
        var random = SplitMix64(seed: 7)
        return (0..<10_000).map { _ in Identifier.v4(using: &random) }
    }()

    private static let servers: [Identifier] = {
        var random = SplitMix64(seed: 8)
        return (0..<5).map { _ in Identifier.v4(using: &random) }
    }()

    private static func choice(_ weights: [Int32]) -> Rendezvous {
        Rendezvous(zip(servers, weights).map { Rendezvous.Server(id: $0, weight: $1) })
    }

    @Test("is nil without servers, and the only server if there is one")
    func few() {
        #expect(Rendezvous([]).server(of: Self.rooms[0]) == nil)
        #expect(Self.choice([3]).server(of: Self.rooms[0]) == Self.servers[0])
        #expect(Self.choice([0]).server(of: Self.rooms[0]) == Self.servers[0])
    }

    @Test("depends on the servers, and not on their order")
    func deterministic() {
        let servers = zip(Self.servers, [1, 2, 3, 1, 1]).map { Rendezvous.Server(id: $0, weight: $1) }
        let (one, other) = (Rendezvous(servers), Rendezvous(servers.reversed()))
        for room in Self.rooms.prefix(1000) { #expect(one.server(of: room) == other.server(of: room)) }
    }

    @Test(
        "gives each its share by weight",
        arguments: [[1, 1, 1], [1, 1, 1, 1, 1], [1, 2, 4], [5, 0, 5], [100, 300, 200, 400]] as [[Int32]])
    func shares(weights: [Int32]) {
        let choice = Self.choice(weights)
        var counts: [Identifier: Int] = [:]
        for room in Self.rooms { if let server = choice.server(of: room) { counts[server, default: 0] += 1 } }
        let sum = Double(weights.reduce(0, +))
        for (server, weight) in zip(Self.servers, weights) {
            let share = Double(counts[server] ?? 0) / Double(Self.rooms.count)
            #expect(abs(share - Double(weight) / sum) < 0.02, "\(share) for \(weight) of \(sum)")
        }
    }

    @Test(
        "moves only the rooms of a server that goes, and only to one that comes",
        arguments: [[1, 1, 1, 1], [1, 2, 3, 4]] as [[Int32]])
    func movement(weights: [Int32]) {
        let (all, fewer) = (Self.choice(weights), Self.choice(Array(weights.dropLast())))
        let last = Self.servers[weights.count - 1]
        for room in Self.rooms {
            let (before, after) = (all.server(of: room), fewer.server(of: room))
            #expect(before == after || before == last)
        }
    }
}
