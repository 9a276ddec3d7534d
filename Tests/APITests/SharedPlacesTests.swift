import Contract
import HTTPServer
import Reactor
import Testing

@testable import API

@Suite("Places that work shares, which waits for another side")
struct SharedPlacesTests {
    private static let limits = SharedPlaces.Limits(
        together: 6, perAddress: 3, perAccount: 2, patience: .seconds(5))
    private static let second: UInt64 = 1_000_000_000

    /// Places with a clock that a test sets.
    private struct World {
        let clock = Lock<UInt64>(Self.start)
        let places: SharedPlaces
        private static let start: UInt64 = 100_000_000_000

        init() {
            let clock = clock
            places = SharedPlaces(SharedPlacesTests.limits) { clock.withLock { $0 } }
        }

        func pass(seconds: UInt64) { clock.withLock { $0 += seconds * SharedPlacesTests.second } }

        func take(_ account: Int, at address: Int) throws(SharedPlaces.NoPlace) -> SharedPlaces.Place {
            try places.take(
                for: Identifier(value: UInt128(account)),
                from: ClientAddress(IPAddress("203.0.113.\(address)")))
        }
    }

    /// Waits in a place until the continuation is resumed.
    private static func wait(in place: SharedPlaces.Place) async -> AsyncStream<Void>.Continuation {
        let (ended, end) = AsyncStream<Void>.makeStream()
        let (begun, begin) = AsyncStream<Void>.makeStream()
        Task {
            await place.waiting {
                begin.finish()
                for await _ in ended {}
            }
        }
        for await _ in begun {}
        return end
    }

    @Test("an account and an address have a share each, and a place that is given back is free")
    func shares() throws {
        let world = World()
        var places = [try world.take(1, at: 1), try world.take(1, at: 1)]
        #expect(throws: SharedPlaces.NoPlace.account) { try world.take(1, at: 2) }
        places.append(try world.take(2, at: 1))
        #expect(throws: SharedPlaces.NoPlace.full) { try world.take(3, at: 1) }
        places += [try world.take(3, at: 2), try world.take(4, at: 3), try world.take(5, at: 3)]
        #expect(throws: SharedPlaces.NoPlace.full) { try world.take(6, at: 4) }
        places.removeLast()
        places.append(try world.take(6, at: 4))
        withExtendedLifetime(places) {}
    }

    @Test("work that has waited long gives way to other work: first where an address has the most of it")
    func slow() async throws {
        let world = World()
        let places = [
            try world.take(1, at: 1), try world.take(2, at: 2), try world.take(3, at: 2),
            try world.take(4, at: 3), try world.take(5, at: 3), try world.take(6, at: 4),
        ]
        let lost = Lock<[Int]>([])
        for (index, place) in places.enumerated() { place.whenLost { lost.withLock { $0.append(index) } } }
        // Work that waits for nothing is not slow.
        let one = await Self.wait(in: places[0])
        world.pass(seconds: 1)
        let waits = [one, await Self.wait(in: places[1]), await Self.wait(in: places[2])]
        defer { for wait in waits { wait.finish() } }
        #expect(throws: SharedPlaces.NoPlace.full) { try world.take(7, at: 5) }
        world.pass(seconds: 5)
        let next = try world.take(7, at: 5)
        #expect(lost.withLock { $0 } == [1] || lost.withLock { $0 } == [2])
        let after = try world.take(8, at: 5)
        // Each address has one slow one now, of which the first has waited longest.
        #expect(lost.withLock { $0.last } == 0)
        #expect(places[0].isLost && !places[3].isLost)
        withExtendedLifetime((next, after, places)) {}
    }

    @Test("an address that is full gets no place of another one")
    func ownAddress() async throws {
        let world = World()
        let places = [
            try world.take(1, at: 1), try world.take(2, at: 1), try world.take(3, at: 1),
            try world.take(4, at: 2),
        ]
        let wait = await Self.wait(in: places[3])
        defer { wait.finish() }
        world.pass(seconds: 60)
        #expect(throws: SharedPlaces.NoPlace.full) { try world.take(5, at: 1) }
        withExtendedLifetime(places) {}
    }

    @Test("work that lost its place before it asked is ended at once, and gives back no place of others")
    func late() async throws {
        let world = World()
        var places = [try world.take(1, at: 1), try world.take(2, at: 1), try world.take(3, at: 1)]
        let wait = await Self.wait(in: places[0])
        world.pass(seconds: 5)
        places.append(try world.take(4, at: 1))
        let isEnded = Lock(false)
        places[0].whenLost { isEnded.withLock { $0 = true } }
        #expect(isEnded.withLock { $0 })
        wait.finish()
        places.removeFirst()
        #expect(throws: SharedPlaces.NoPlace.full) { try world.take(5, at: 1) }
        withExtendedLifetime(places) {}
    }
}
