/// Who has which connection, who waits for one, and who may open one: the pool's decisions, as a value.
///
/// A connection is idle or leased. A caller gets one at once, or is permitted to open one itself, or waits.
/// After a failure to open, nobody opens for a pause, and then one at a time, until one has succeeded.
struct PoolState<Connection: Hashable> {
    typealias Waiter = Int

    enum Answer: Equatable {
        case use(Connection)
        /// Open a connection, and report `opened`, `openFailed` or `openAbandoned`.
        case open
        case wait
        case refuse(Failure)
    }

    enum Failure: Equatable { case tooManyWaiters, shutDown }

    enum Step: Equatable {
        case hand(Connection, to: Waiter)
        /// The waiter may open a connection, as with `Answer.open`.
        case permit(Waiter)
        case fail(Waiter, Failure)
        case close(Connection)
        /// Report `pauseEnded` after a pause that fits so many failures in a row.
        case pause(failures: Int)
    }

    let size: Int
    let maximumWaiters: Int
    private(set) var idle: [Connection] = []
    private(set) var leased: Set<Connection> = []
    /// Idle since the last sweep or longer.
    private var unused: Set<Connection> = []
    private(set) var opening = 0
    private(set) var waiters: [Waiter] = []
    private(set) var failures = 0
    private(set) var isPaused = false
    private(set) var isShutDown = false

    init(size: Int, maximumWaiters: Int) {
        precondition(size > 0)
        self.size = size
        self.maximumWaiters = maximumWaiters
    }

    mutating func request(_ waiter: Waiter) -> Answer {
        if isShutDown { return .refuse(.shutDown) }
        if let connection = idle.popLast() {
            leased.insert(connection)
            unused.remove(connection)
            return .use(connection)
        }
        if mayOpen {
            opening += 1
            return .open
        }
        guard waiters.count < maximumWaiters else { return .refuse(.tooManyWaiters) }
        waiters.append(waiter)
        return .wait
    }

    /// The waiter does not wait any more. False where it was not among those that wait.
    mutating func abandon(_ waiter: Waiter) -> Bool {
        guard let index = waiters.firstIndex(of: waiter) else { return false }
        waiters.remove(at: index)
        return true
    }

    mutating func opened(_ connection: Connection) -> [Step] {
        opening -= 1
        leased.insert(connection)
        failures = 0
        isPaused = false
        return permits()
    }

    mutating func openFailed() -> [Step] {
        opening -= 1
        failures += 1
        if isPaused || isShutDown { return [] }
        isPaused = true
        return [.pause(failures: failures)]
    }

    /// The attempt was given up for reasons of the caller's: no failure.
    mutating func openAbandoned() -> [Step] {
        opening -= 1
        return permits()
    }

    mutating func pauseEnded() -> [Step] {
        isPaused = false
        return permits()
    }

    mutating func returned(_ connection: Connection) -> [Step] {
        guard leased.contains(connection) else { return [] }
        if isShutDown {
            leased.remove(connection)
            return [.close(connection)]
        }
        if !waiters.isEmpty { return [.hand(connection, to: waiters.removeFirst())] }
        leased.remove(connection)
        idle.append(connection)
        return []
    }

    /// The connection is no good any more; where the server is suspected, the idle ones are not trusted
    /// either.
    mutating func lost(_ connection: Connection, suspectServer: Bool) -> [Step] {
        leased.remove(connection)
        idle.removeAll { $0 == connection }
        var steps: [Step] = []
        if suspectServer {
            steps = idle.map { .close($0) }
            idle.removeAll()
        }
        return steps + permits()
    }

    /// Closes what nobody has used since the sweep before, but for one connection, which the next caller
    /// finds.
    mutating func closeIdle() -> [Step] {
        // The one that was used last is the last.
        let closing = idle.dropLast().filter(unused.contains)
        idle.removeAll(where: closing.contains)
        unused = Set(idle)
        return closing.map { .close($0) }
    }

    /// Closes what is idle and fails who waits; what is leased is closed when it comes back.
    mutating func shutDown() -> [Step] {
        isShutDown = true
        let steps: [Step] = idle.map { .close($0) } + waiters.map { .fail($0, .shutDown) }
        idle.removeAll()
        waiters.removeAll()
        return steps
    }

    private var mayOpen: Bool {
        !isPaused && idle.count + leased.count + opening < size && (failures == 0 || opening == 0)
    }

    private mutating func permits() -> [Step] {
        var steps: [Step] = []
        while mayOpen, !waiters.isEmpty {
            opening += 1
            steps.append(.permit(waiters.removeFirst()))
        }
        return steps
    }
}
