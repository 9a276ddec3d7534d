import Testing

@testable import Contract

@Suite("The key of a slot")
struct SlotKeyTests {
    private static let start = Timestamp(seconds: 1_803_902_400)

    @Test("a slot of the usual length has its start as its key")
    func usual() {
        let key = SlotKey(startsAt: Self.start, minutes: nil)
        #expect(key.instant == Self.start)
        #expect(key.startsAt == Self.start && key.minutes == nil && key.endsAt == nil)
        #expect(key.description == Self.start.description)
    }

    @Test(
        "another length is in the key, which gives back the start and the end", arguments: [1, 25, 50, 240])
    func lengths(minutes: Int) {
        for start in [Self.start, Timestamp(seconds: 0), Timestamp(seconds: -1800)] {
            let key = SlotKey(SlotKey(startsAt: start, minutes: minutes).instant)
            #expect(key.startsAt == start && key.minutes == minutes)
            #expect(key.endsAt == start.adding(.seconds(minutes * 60)))
            #expect(SlotSpan(key: key.instant, endsAt: start).startsAt == start)
        }
    }

    @Test("keys of one start are in the order of their lengths, and before those of the next second")
    func order() {
        let lengths = [nil, 5, 25, 240].map { SlotKey(startsAt: Self.start, minutes: $0).instant }
        #expect(lengths == lengths.sorted() && Set(lengths).count == 4)
        #expect(lengths.allSatisfy { $0 < Self.start.adding(.seconds(1)) })
    }

    @Test("a fraction that is no length is part of the start", arguments: [241, 500_000, 999_999])
    func fractions(microseconds: Int64) {
        let instant = Timestamp(microseconds: Self.start.microseconds + microseconds)
        let key = SlotKey(instant)
        #expect(key.startsAt == instant && key.minutes == nil)
    }
}
