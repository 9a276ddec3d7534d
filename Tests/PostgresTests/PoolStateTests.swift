import Codecs
import Testing

@testable import Postgres

struct PoolStateTests {
    private typealias State = PoolState<Int>

    @Test("a caller waits for a connection to be opened, and gets the first that is free")
    func handing() {
        var state = State(size: 1)
        #expect(state.request(1) == .wait([.open]))
        #expect(state.request(2) == .wait([]))
        #expect(state.opened(10) == [.hand(10, to: 1)])
        #expect(state.returned(10) == [.hand(10, to: 2)])
        #expect(state.returned(10) == [])
        #expect(state.returned(10) == [])
        #expect(state.request(4) == .use(10))
    }

    @Test("no more connections are opened than callers wait")
    func openings() {
        var state = State(size: 3)
        #expect(state.request(1) == .wait([.open]))
        #expect(state.request(2) == .wait([.open]))
        #expect(state.opened(10) == [.hand(10, to: 1)])
        #expect(state.returned(10) == [.hand(10, to: 2)])
        #expect(state.opened(11) == [] && state.idle == [11])
    }

    @Test("a connection that opens after its caller has left serves the next one")
    func abandonedOpening() {
        var state = State(size: 1)
        #expect(state.request(1) == .wait([.open]))
        #expect(state.abandon(1) && !state.abandon(1))
        #expect(state.opened(10) == [])
        #expect(state.request(2) == .use(10))
    }

    @Test("after a failure no connection is opened until the pause has ended, and then one at a time")
    func pausing() {
        var state = State(size: 3)
        #expect(state.request(1) == .wait([.open]))
        #expect(state.openFailed() == [.pause(failures: 1)])
        #expect(state.request(2) == .wait([]))
        #expect(state.pauseEnded() == [.open])
        #expect(state.openFailed() == [.pause(failures: 2)])
        #expect(state.request(3) == .wait([]))
        #expect(state.pauseEnded() == [.open])
        #expect(state.opened(10) == [.hand(10, to: 1), .open, .open])
    }

    @Test("losing one connection to the server drops the idle ones")
    func losing() {
        var state = State(size: 2)
        _ = (state.request(1), state.request(2))
        _ = (state.opened(10), state.opened(11), state.returned(10))
        #expect(state.lost(11, suspectServer: true) == [.close(10)])
        #expect(state.request(3) == .wait([.open]))
    }

    @Test("a shutdown closes idle connections, refuses waiters, and closes the rest when they come back")
    func shuttingDown() {
        var state = State(size: 2)
        _ = (state.request(1), state.request(2), state.opened(10), state.opened(11), state.returned(10))
        _ = (state.request(3), state.request(4))
        #expect(state.shutDown() == [.refuse(4)])
        #expect(state.returned(10) == [.close(10)] && state.returned(11) == [.close(11)])
        #expect(state.request(5) == .refuse)
    }

    @Test("a connection that opens after the shutdown is closed")
    func openedLate() {
        var state = State(size: 1)
        #expect(state.request(1) == .wait([.open]))
        #expect(state.shutDown() == [.refuse(1)])
        #expect(state.opened(10) == [.close(10)])
    }

    @Test("a sweep closes the connections that no caller has used since the one before, but for one")
    func closesIdle() {
        var state = State(size: 4)
        for waiter in 1...4 { _ = state.request(waiter) }
        for connection in 10...13 { _ = state.opened(connection) }
        for connection in 10...13 { _ = state.returned(connection) }
        #expect(state.closeIdle() == [])
        // The connection that was returned last is lent first.
        #expect(state.request(5) == .use(13))
        #expect(state.request(6) == .use(12))
        _ = state.returned(12)
        #expect(state.closeIdle() == [.close(10), .close(11)])
        #expect(state.idle == [12])
        #expect(state.closeIdle() == [])
        _ = state.returned(13)
        #expect(state.idle == [12, 13])
        #expect(state.closeIdle() == [.close(12)])
        #expect(state.closeIdle() == [])
        #expect(state.request(7) == .use(13))
    }

    /// A shell around the state that plays random callers, connections and failures.
    private struct Game {
        var state: State
        var random: SplitMix64
        var next = 0
        var waiting: Set<Int> = []
        var openers = 0
        var leased: Set<Int> = []
        var closed: Set<Int> = []
        var pauses = 0

        mutating func perform(_ steps: [State.Step]) {
            for step in steps {
                switch step {
                case .hand(let connection, let waiter):
                    #expect(waiting.remove(waiter) != nil)
                    #expect(leased.insert(connection).inserted && !closed.contains(connection))
                case .open: openers += 1
                case .refuse(let waiter): #expect(waiting.remove(waiter) != nil)
                case .close(let connection):
                    #expect(closed.insert(connection).inserted && !leased.contains(connection))
                case .pause: pauses += 1
                }
            }
        }

        mutating func move() {
            switch Int.random(in: 0..<9, using: &random) {
            case 0, 1, 2:
                next += 1
                switch state.request(next) {
                case .use(let connection):
                    #expect(leased.insert(connection).inserted && !closed.contains(connection))
                case .wait(let steps):
                    waiting.insert(next)
                    perform(steps)
                case .refuse: Issue.record("the pool is not shut down")
                }
            case 3 where openers > 0:
                openers -= 1
                next += 1
                perform(state.opened(next))
            case 4 where openers > 0:
                openers -= 1
                perform(state.openFailed())
            case 5 where pauses > 0:
                pauses -= 1
                perform(state.pauseEnded())
            case 6:
                guard let connection = leased.sorted().randomElement(using: &random) else { return }
                leased.remove(connection)
                if Bool.random(using: &random) { return perform(state.returned(connection)) }
                closed.insert(connection)
                perform(state.lost(connection, suspectServer: Bool.random(using: &random)))
            case 7:
                guard let waiter = waiting.sorted().randomElement(using: &random) else { return }
                waiting.remove(waiter)
                let wasWaiting = state.abandon(waiter)
                #expect(wasWaiting)
            default: return
            }
        }

        func check(_ seed: UInt64) {
            let comment: Comment = "seed \(seed)"
            #expect(state.idle.count + leased.count + openers <= state.size, comment)
            #expect(state.leased == leased && state.opening == openers, comment)
            #expect(state.waiters.all == waiting, comment)
            #expect(Set(state.idle).isDisjoint(with: leased.union(closed)), comment)
            let isFull = leased.count + openers == state.size
            let isBlocked = state.isPaused || (state.failures > 0 && openers > 0)
            let isServed = isFull || isBlocked || openers >= waiting.count
            #expect(waiting.isEmpty || (state.idle.isEmpty && isServed), comment)
            #expect(!state.isPaused || pauses > 0, comment)
        }
    }

    @Test("no connection is lent twice, and no caller waits in vain, whatever happens", arguments: 0..<40)
    func anything(round: Int) {
        let seed = UInt64.random(in: .min ... .max)
        var random = SplitMix64(seed: seed)
        let size = Int.random(in: 1...4, using: &random)
        var game = Game(state: State(size: size), random: random)
        for _ in 0..<500 {
            game.move()
            game.check(seed)
        }
        game.perform(game.state.shutDown())
        #expect(game.waiting.isEmpty && game.state.idle.isEmpty, "seed \(seed)")
        for connection in game.leased.sorted() {
            game.leased.remove(connection)
            game.perform(game.state.returned(connection))
        }
        #expect(game.state.leased.isEmpty, "seed \(seed)")
    }
}
