import Testing

@testable import Matching

struct SlotLengthsTests {
    @Test("the first length is the usual one, and all start on one grid")
    func lengths() throws {
        let lengths = try #require(SlotLengths(minutes: [50, 25], gridMinutes: 15))
        #expect(lengths.standard == 50)
        #expect(lengths.grid.slotSeconds == 900)
    }

    @Test("no length, and a step that does not divide a day, make none")
    func refuses() {
        #expect(SlotLengths(minutes: [], gridMinutes: 30) == nil)
        #expect(SlotLengths(minutes: [0], gridMinutes: 30) == nil)
        #expect(SlotLengths(minutes: [25], gridMinutes: 0) == nil)
        #expect(SlotLengths(minutes: [25], gridMinutes: 7) == nil)
    }
}
