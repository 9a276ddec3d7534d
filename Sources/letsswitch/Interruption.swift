import Reactor

/// What is still said when Ctrl-C or `--timeout` ends the process.
enum Interruption {
    private static let body = Lock<(@Sendable () -> Void)?>(nil)

    /// Called once before the process ends; nil: nothing is said any more.
    static func before(_ action: (@Sendable () -> Void)?) { body.withLock { $0 = action } }

    static func perform() { body.withLock { $0 }?() }
}
