import Reactor

/// A value that is read once in a turn of the loop: all ales of a turn have one time. Loop only.
final class OncePerTurn<Value: Sendable> {
    private let loop: EventLoop
    private let read: @Sendable () -> Value
    private var reading: (turn: UInt64, value: Value)

    init(_ loop: EventLoop, _ read: @escaping @Sendable () -> Value) {
        self.loop = loop
        self.read = read
        reading = (loop.turn, read())
    }

    package var value: Value {
        let turn = loop.turn
        if reading.turn != turn { reading = (turn, read()) }
        return reading.value
    }
}

/// A permission that is read once in a turn of the loop, as long as it is given. A refusal is read again each
/// time: it may end within the turn, and nobody says so twice. Loop only.
final class TurnPermission {
    private let loop: EventLoop
    private let read: @Sendable () -> Bool
    private var given: UInt64?

    init(_ loop: EventLoop, _ read: @escaping @Sendable () -> Bool) {
        self.loop = loop
        self.read = read
    }

    package var isGiven: Bool {
        let turn = loop.turn
        if given == turn { return true }
        guard read() else { return false }
        given = turn
        return true
    }
}
