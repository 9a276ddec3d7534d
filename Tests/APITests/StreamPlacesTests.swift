import Contract
import Reactor
import TestKit
import Testing

@testable import API

@Suite("Places of event streams")
struct StreamPlacesTests {
    private let clock = Lock<UInt64>(1)
    private let ann = Identifier(value: 1)

    private func places(_ maximum: Int) -> StreamPlaces {
        StreamPlaces(maximum: maximum) { [clock] in clock.withLock { $0 } }
    }

    /// Takes a place for a stream that begins.
    private func begin(in places: StreamPlaces) throws -> StreamPlaces.Place {
        let place = try #require(places.take(for: ann))
        place.begin()
        return place
    }

    private func pass(_ duration: Duration) { clock.withLock { $0 += duration.clampedNanoseconds } }

    @Test("the newest stream takes the place of the oldest one, which is told once")
    func newestWins() throws {
        let places = places(2)
        let ended = Lock<[Int]>([])
        var streams: [StreamPlaces.Place] = []
        for index in 0..<2 {
            let place = try begin(in: places)
            place.whenReplaced { ended.withLock { $0.append(index) } }
            streams.append(place)
        }
        let third = try begin(in: places)
        #expect(ended.withLock { $0 } == [0] && places.replacedCount == 1)
        #expect(streams.map(\.isReplaced) == [true, false] && !third.isReplaced)
        // The end of the replaced stream frees no other place.
        streams.removeFirst()
        #expect(places.take(for: ann) == nil)
    }

    @Test("a stream that is replaced before it listens is told at once")
    func toldAtOnce() throws {
        let places = places(1)
        let first = try begin(in: places)
        let second = try begin(in: places)
        let isTold = Lock(false)
        first.whenReplaced { isTold.withLock { $0 = true } }
        #expect(isTold.withLock { $0 } && !second.isReplaced)
    }

    @Test("an account replaces one stream a minute, and a place that is given back is free before")
    func oncePerMinute() throws {
        let places = places(2)
        var streams = try (0..<3).map { _ in try begin(in: places) }
        #expect(places.take(for: ann) == nil)
        #expect(places.take(for: Identifier(value: 2)) != nil)
        pass(.seconds(59))
        #expect(places.take(for: ann) == nil)
        streams.removeLast()
        streams.append(try begin(in: places))
        #expect(places.take(for: ann) == nil)
        pass(.seconds(1))
        streams.append(try begin(in: places))
        #expect(streams.map(\.isReplaced) == [true, true, false, false])
        #expect(places.take(for: ann) == nil)
        streams = []
        #expect(places.accountCount == 0)
    }

    @Test("a stream that fails before it begins ends no other, and leaves the replacement of its minute")
    func failsBefore() throws {
        let places = places(1)
        let first = try begin(in: places)
        do { _ = try #require(places.take(for: ann)) }
        #expect(!first.isReplaced)
        let second = try begin(in: places)
        #expect(first.isReplaced && !second.isReplaced)
    }

    @Test("a replaced stream that outlives the others of its account takes no place of a later one")
    func outlives() throws {
        let places = places(1)
        var first: StreamPlaces.Place? = try begin(in: places)
        do { _ = try begin(in: places) }
        let third = try begin(in: places)
        #expect(first?.isReplaced == true && !third.isReplaced)
        first = nil
        #expect(!third.isReplaced)
    }
}
