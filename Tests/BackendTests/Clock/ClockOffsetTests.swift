import Contract
import Reactor
import Testing

@testable import Backend

@Suite("The distance to the database's clock")
struct ClockOffsetTests {
    /// Returns a measurement: the monotonic clock shows `sent`, and the database's clock is `offset` ahead of
    /// it.
    private static func measurement(
        offset: Int64, sent: Int64 = 0, roundTrip: Int64 = 1_000
    ) -> ClockOffset.Measurement {
        ClockOffset.Measurement(
            sent: sent, received: sent + roundTrip,
            shown: Timestamp(microseconds: sent + roundTrip / 2 + offset))
    }

    private static func known(_ offset: Int64) -> ClockOffset {
        var known = ClockOffset()
        known.add(measurement(offset: offset))
        return known
    }

    @Test(
        "half of the round trip is taken off, and any distance counts",
        arguments: [0, 150_000_000, -9_000_000_000])
    func first(offset: Int64) {
        var known = ClockOffset()
        #expect(known.microseconds == nil && !known.isCertain)
        known.add(Self.measurement(offset: offset, sent: 77, roundTrip: 40_000))
        #expect(known.microseconds == offset && known.isCertain)
    }

    @Test("a measurement that does not disprove the distance leaves it as it is")
    func trembling() {
        var known = Self.known(1_000_000)
        known.add(Self.measurement(offset: 1_004_999, roundTrip: 10_000))
        #expect(known.microseconds == 1_000_000)
        known.add(Self.measurement(offset: 1_005_001, roundTrip: 10_000))
        #expect(known.microseconds == 1_005_001)
    }

    @Test("a clock that is slewed is followed, however far it goes")
    func slewed() {
        var known = Self.known(0)
        for step in Int64(1)...100 {
            known.add(Self.measurement(offset: step * 100_000))
            #expect(known.isCertain && known.microseconds == step * 100_000)
        }
    }

    @Test("a round trip of two seconds counts, and a longer one makes it uncertain until the next")
    func slow() {
        var known = Self.known(0)
        known.add(Self.measurement(offset: 1_900_000, roundTrip: 2_000_000))
        #expect(known.isCertain && known.microseconds == 1_900_000)
        known.add(Self.measurement(offset: 0, roundTrip: 2_000_001))
        #expect(!known.isCertain && known.microseconds == 1_900_000)
        known.add(Self.measurement(offset: 1_900_000))
        #expect(known.isCertain && known.microseconds == 1_900_000)
    }

    @Test(
        "a clock that is set is believed when a second measurement agrees",
        arguments: [-3_600_000_000, 2_000_001])
    func set(step: Int64) {
        var known = Self.known(0)
        known.add(Self.measurement(offset: step))
        #expect(!known.isCertain && known.microseconds == 0)
        // A measurement that contradicts both confirms neither.
        known.add(Self.measurement(offset: step * 3))
        #expect(!known.isCertain && known.microseconds == 0)
        known.add(Self.measurement(offset: step * 3 + 500))
        #expect(known.isCertain && known.microseconds == step * 3 + 500)
    }

    @Test("a single wild measurement changes nothing")
    func wild() {
        var known = Self.known(0)
        known.add(Self.measurement(offset: 60_000_000))
        known.add(Self.measurement(offset: 0))
        #expect(known.isCertain && known.microseconds == 0)
    }

    @Test("the clock goes on by the monotonic one, and reports that it was set")
    func clock() {
        let elapsed = Lock<Int64>(0)
        let clock = ReferenceClock(
            monotonic: { elapsed.withLock { $0 } }, machine: Timestamp(seconds: 1_000))
        #expect(!clock.isCertain && clock.now() == Timestamp(seconds: 1_000))
        #expect(clock.add(Self.measurement(offset: 850_000_000, roundTrip: 0)))
        #expect(clock.isCertain && clock.now() == Timestamp(seconds: 850))
        elapsed.withLock { $0 = 5_000_000 }
        #expect(clock.now() == Timestamp(seconds: 855))
        #expect(!clock.add(Self.measurement(offset: 850_050_000, roundTrip: 0)))
    }
}
