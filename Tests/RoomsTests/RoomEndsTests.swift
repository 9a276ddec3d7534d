import Codecs
import Contract
import Testing

@testable import Rooms

@Suite("Ends of rooms")
struct RoomEndsTests {
    @Test(
        "the first is that of a scan, whatever is added and removed, and what is gone is forgotten",
        arguments: UInt64(1)...20)
    func first(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        var ends = RoomEnds()
        var all: [Timestamp] = []
        for _ in 0..<500 {
            if random.next() % 3 > 0 {
                let end = Timestamp(seconds: Int64(random.next() % 5))
                ends.add(end)
                all.append(end)
            } else if let index = all.indices.randomElement(using: &random) {
                ends.remove(all.remove(at: index))
            }
            #expect(ends.first == all.min())
            #expect(ends.count == Set(all).count)
        }
    }

    @Test("a host knows its first end without a look at its rooms")
    func host() {
        var ends = RoomEnds()
        for _ in 0..<100_000 { ends.add(Timestamp(seconds: 60)) }
        #expect(ends.count == 1 && ends.first == Timestamp(seconds: 60))
        ends.remove(Timestamp(seconds: 61))
        #expect(ends.count == 1)
    }
}
