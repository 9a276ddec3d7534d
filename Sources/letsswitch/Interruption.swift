import Reactor

/// The last output when Ctrl-C or `--timeout` ends the process.
enum Interruption {
    private static let body = Lock<(@Sendable () -> Void)?>(nil)

    /// Sets the action that is called once before the process ends; nil: none.
    static func before(_ action: (@Sendable () -> Void)?) { body.withLock { $0 = action } }

    static func perform() { body.withLock { $0 }?() }

    private static let cleanup = Lock<(@Sendable () -> Void)?>(nil)

    /// Sets the action that is called before any signal or the timeout ends the process; nil: none.
    static func cleanUp(by action: (@Sendable () -> Void)?) { cleanup.withLock { $0 = action } }

    static func cleanUp() { cleanup.withLock { $0 }?() }
}
