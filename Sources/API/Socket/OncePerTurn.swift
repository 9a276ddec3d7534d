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

    var value: Value {
        let turn = loop.turn
        if reading.turn != turn { reading = (turn, read()) }
        return reading.value
    }
}
