import Codecs
package import Contract
import Glibc

/// The choice of a server for each room by weighted rendezvous hashing: a server that comes or goes takes or
/// leaves its own share of the rooms, and no others move.
///
/// Each server has a score for each room, `-weight / ln(u)` with a `u` in (0, 1) that follows from both ids
/// ("Weighted Distributed Hash Tables", 2005); the highest one counts.
package struct Rendezvous: Sendable {
    /// A server that takes rooms.
    package struct Server: Hashable, Sendable {
        package var id: Identifier
        package var weight: Int32

        package init(id: Identifier, weight: Int32 = 1) {
            self.id = id
            self.weight = weight
        }
    }

    private struct Candidate {
        let id: Identifier
        let hash: UInt64
        let weight: Double
    }

    private let candidates: [Candidate]
    /// Whether all weights are the same: then the hashes are in the order of the scores.
    private let isEven: Bool

    /// Creates the choice among the servers. One of weight 0 takes rooms only where all have that weight.
    package init(_ servers: [Server]) {
        let weighted = servers.filter { $0.weight > 0 }
        let some = weighted.isEmpty ? servers.map { Server(id: $0.id) } : weighted
        candidates = some.sorted { $0.id < $1.id }.map {
            Candidate(id: $0.id, hash: Self.hash($0.id), weight: Double($0.weight))
        }
        isEven = Set(some.map(\.weight)).count <= 1
    }

    /// Returns the server of a room; nil if there is none.
    package func server(of room: Identifier) -> Identifier? {
        guard candidates.count > 1 else { return candidates.first?.id }
        let roomHash = Self.hash(room)
        return isEven ? even(roomHash) : weighted(roomHash)
    }

    private func even(_ room: UInt64) -> Identifier? {
        var best: (score: UInt64, id: Identifier)?
        for candidate in candidates {
            let score = Self.mix(room ^ candidate.hash)
            if best == nil || score > best?.score ?? 0 { best = (score, candidate.id) }
        }
        return best?.id
    }

    private func weighted(_ room: UInt64) -> Identifier? {
        var best: (score: Double, id: Identifier)?
        for candidate in candidates {
            // 53 bits, and a half, so that neither 0 nor 1 comes out.
            let even = (Double(Self.mix(room ^ candidate.hash) >> 11) + 0.5) / Double(UInt64(1) << 53)
            let score = -candidate.weight / log(even)
            if best == nil || score > best?.score ?? 0 { best = (score, candidate.id) }
        }
        return best?.id
    }

    private static func hash(_ id: Identifier) -> UInt64 {
        mix(UInt64(truncatingIfNeeded: id.value) ^ mix(UInt64(truncatingIfNeeded: id.value >> 64)))
    }

    private static func mix(_ word: UInt64) -> UInt64 {
        var generator = SplitMix64(seed: word)
        return generator.next()
    }
}
