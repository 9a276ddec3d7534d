import Testing

@testable import Matching

struct SlotGridTests {
    @Test("only a divisor of a day makes a grid", arguments: [1, 60, 900, 1800, 3600, 43_200, 86_400])
    func accepts(seconds: Int64) {
        #expect(SlotGrid(slotSeconds: seconds)?.slotSeconds == seconds)
    }

    @Test("other lengths are refused", arguments: [0, -1800, 7, 1801, 50_000, 172_800, Int64.min, Int64.max])
    func refuses(seconds: Int64) {
        #expect(SlotGrid(slotSeconds: seconds) == nil)
    }

    @Test(
        "an instant belongs to the slot that started last",
        arguments: [
            (0, 0, 0), (1, 0, 1800), (1799, 0, 1800), (1800, 1800, 1800), (-1, -1800, 0),
            (-1800, -1800, -1800),
        ])
    func boundaries(instant: Int64, containing: Int64, next: Int64) throws {
        let grid = try #require(SlotGrid(slotSeconds: 1800))
        #expect(grid.start(containing: instant) == containing)
        #expect(grid.start(atOrAfter: instant) == next)
        #expect(grid.startsOnGrid(instant) == (containing == instant))
        #expect(grid.end(ofSlotAt: containing) == containing + 1800)
    }
}
