import Codecs
import Contract
import Testing

@testable import Cluster

@Suite("The memory of numbers")
struct NonceMemoryTests {
    private static let start = Timestamp(seconds: 1_800_000_000)

    @Test("accepts a number once, and again only when its request would be refused as too old")
    func once() {
        for seed in UInt64(1)...200 {
            var random = SplitMix64(seed: seed)
            var memory = NonceMemory()
            var now = Self.start
            var sent: [(nonce: PeerNonce, at: Timestamp)] = []
            var accepted: Set<PeerNonce> = []
            for step in 0..<400 {
                // The clock goes on mostly, and is set back at times.
                now = now.adding(.milliseconds(Int.random(in: -300...900, using: &random)))
                let isReplay = Bool.random(using: &random)
                let request =
                    isReplay
                    ? sent.randomElement(using: &random)
                    : (
                        PeerNonce(using: &random),
                        now.adding(.milliseconds(Int.random(in: -9999...9999, using: &random)))
                    )
                guard let request else { continue }
                sent.append(request)
                let age = now.since(request.at)
                guard age <= PeerAssertion.window && age >= .zero - PeerAssertion.window else { continue }
                let verdict = memory.insert(request.nonce, madeAt: request.at, at: now)
                if accepted.contains(request.nonce) {
                    #expect(verdict != .isNew, "seed \(seed), step \(step)")
                } else if verdict == .isNew {
                    accepted.insert(request.nonce)
                }
                // A clock that is not set back by more than a second refuses nothing that is new.
                if !accepted.contains(request.nonce) {
                    #expect(verdict == .isTooOld, "seed \(seed), step \(step)")
                }
            }
        }
    }

    @Test("holds as many numbers as it may, refuses more, and has room again when they are too old")
    func bounded() {
        var random = SplitMix64(seed: 1)
        var memory = NonceMemory()
        memory.maximum = 3
        func insert(_ seconds: Int64) -> NonceMemory.Verdict {
            let now = Self.start.adding(.seconds(seconds))
            return memory.insert(PeerNonce(using: &random), madeAt: now, at: now)
        }
        #expect([insert(0), insert(1), insert(2), insert(3)] == [.isNew, .isNew, .isNew, .isFull])
        #expect(memory.count == 3)
        #expect(insert(11) == .isNew)
        #expect(insert(11) == .isFull)
        #expect(insert(60) == .isNew)
        #expect(memory.count == 1)
    }
}
