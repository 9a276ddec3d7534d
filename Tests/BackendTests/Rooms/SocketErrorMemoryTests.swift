import Codecs
import Contract
import Database
import Reactor
import Rooms
import Testing

@testable import API
@testable import HTTPServer

@Suite("Refused sockets", .timeLimit(.minutes(5)))
struct SocketErrorMemoryTests {
    private static let place = SocketErrorMemory.Place(client: ClientAddress(nil), room: Identifier(value: 1))
    private static let neighbour = SocketErrorMemory.Place(
        client: ClientAddress(nil), room: Identifier(value: 2))
    private static let second: UInt64 = 1_000_000_000

    private static func attempt(_ credentials: [UInt8]?, _ place: SocketErrorMemory.Place = place)
        -> SocketErrorMemory.Attempt
    {
        SocketErrorMemory.Attempt(place: place, credentials: credentials)
    }

    @Test("are answered at once the first time within a second, and then later, for each address and room")
    func held() {
        let time = Lock<UInt64>(5 * Self.second)
        let refusals = SocketErrorMemory(now: { time.withLock { $0 } })
        #expect(refusals.goesAtOnce(404, for: Self.place))
        #expect(!refusals.goesAtOnce(404, for: Self.place))
        #expect(refusals.goesAtOnce(404, for: Self.neighbour))
        let other = SocketErrorMemory.Place(
            client: ClientAddress(IPAddress("10.0.0.7")), room: Identifier(value: 1))
        #expect(refusals.goesAtOnce(404, for: other))
        time.withLock { $0 += Self.second - 1 }
        #expect(!refusals.goesAtOnce(401, for: Self.place))
        time.withLock { $0 += 1 }
        #expect(refusals.goesAtOnce(401, for: Self.place))
    }

    @Test("what a client is not to blame for, or meets while it is written, is never held")
    func atOnce() {
        let refusals = SocketErrorMemory(now: { 5 * Self.second })
        for status in [101, 200, 400, 426, 500, 503] {
            for _ in 0..<3 { #expect(refusals.goesAtOnce(status, for: Self.place)) }
        }
        #expect(refusals.goesAtOnce(410, for: Self.place))
    }

    @Test("are remembered only if the next attempt would end alike, and not if the client has gone")
    func worthRemembering() {
        for error: RoomHost.JoinError in [
            .unknownRoom, .notAMember, .staleToken, .closed, .tooManyDevices, .draining, .uncertain, .gone,
        ] {
            let refusals = SocketErrorMemory(now: { 5 * Self.second })
            refusals.note(SocketEndpoint.problem(for: error), for: Self.attempt([1]))
            let isRemembered = refusals.known(for: Self.attempt([1])) != nil
            #expect(isRemembered == (error == .closed || error == .staleToken), "\(error)")
        }
    }

    @Test("wait for the end of the pause, and count; those beyond the bound do not wait")
    func bound() async {
        let (pauses, begun) = AsyncStream<Void>.makeStream()
        let (mayEnd, end) = AsyncStream<Void>.makeStream()
        let refusals = SocketErrorMemory(
            now: { 5 * Self.second },
            pause: {
                begun.yield()
                for await _ in mayEnd {}
            })
        let places = (0..<SocketErrorMemory.mostHeld).map {
            SocketErrorMemory.Place(client: ClientAddress(nil), room: Identifier(value: UInt128($0 + 10)))
        }
        for place in places + [Self.place] { #expect(refusals.goesAtOnce(404, for: place)) }
        let ended = Lock(0)
        await withTaskGroup { group in
            for place in places {
                group.addTask {
                    await refusals.hold(404, for: place)
                    ended.withLock { $0 += 1 }
                }
            }
            var count = 0
            for await _ in pauses {
                count += 1
                if count == places.count { break }
            }
            // Nothing has ended, and one more does not wait.
            #expect(ended.withLock { $0 } == 0)
            await refusals.hold(404, for: Self.place)
            end.finish()
        }
        #expect(refusals.figures["socket_refusals_held_total"] == SocketErrorMemory.mostHeld)
        #expect(refusals.figures["socket_refusals_remembered_total"] == 0)
    }

    @Test("of a token are remembered for five seconds, of a closed room for a minute, and others not at all")
    func remembered() {
        let time = Lock<UInt64>(5 * Self.second)
        let refusals = SocketErrorMemory(now: { time.withLock { $0 } })
        let (bad, late) = (Self.attempt([1]), Self.attempt([2]))
        refusals.note(SocketEndpoint.unauthenticated("No."), for: bad)
        refusals.note(SocketEndpoint.closed, for: late)
        refusals.note(SocketEndpoint.noSuchRoom, for: Self.attempt([3]))
        refusals.note(SocketEndpoint.closed, for: Self.attempt(nil))
        #expect(refusals.known(for: bad)?.problem.status == 401)
        #expect(refusals.known(for: late)?.problem.status == 410)
        for unknown in [Self.attempt([3]), Self.attempt(nil), Self.attempt([1], Self.neighbour)] {
            #expect(refusals.known(for: unknown) == nil)
        }
        time.withLock { $0 += 5 * Self.second }
        #expect(refusals.known(for: bad) == nil && refusals.known(for: late) != nil)
        time.withLock { $0 += 55 * Self.second }
        #expect(refusals.known(for: late) == nil)
        #expect(refusals.figures["socket_refusals_remembered_total"] == 3)
    }

    @Test("that are remembered are bounded, and make room when they end")
    func memory() {
        let time = Lock<UInt64>(5 * Self.second)
        let refusals = SocketErrorMemory(now: { time.withLock { $0 } })
        func attempt(_ number: Int) -> SocketErrorMemory.Attempt {
            Self.attempt([UInt8(number & 0xFF), UInt8(number >> 8)])
        }
        for number in 0...SocketErrorMemory.mostKnown {
            refusals.note(SocketEndpoint.closed, for: attempt(number))
        }
        #expect(refusals.known(for: attempt(0)) != nil)
        #expect(refusals.known(for: attempt(SocketErrorMemory.mostKnown)) == nil)
        time.withLock { $0 += 60 * Self.second }
        refusals.note(SocketEndpoint.closed, for: attempt(SocketErrorMemory.mostKnown))
        #expect(refusals.known(for: attempt(SocketErrorMemory.mostKnown)) != nil)
    }
}
