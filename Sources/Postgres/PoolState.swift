/// The decisions of a pool, as a value: which connections are leased, which callers wait, and which may open
/// one.
///
/// A connection is idle or leased. A caller gets a connection at once, or is permitted to open one itself, or
/// waits. After a failure to open, no caller may open one for a pause, and then one caller at a time, until
/// one has succeeded: the latest, who has the most time left for it.
struct PoolState<Connection: Hashable> {
    typealias Waiter = Int

    enum Answer: Equatable {
        case use(Connection)
        /// The caller is to open a connection, and report `opened`, `openFailed` or `openAbandoned`.
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
        /// The pool is to report `pauseEnded` after a pause for so many failures in a row.
        case pause(failures: Int)
    }

    let size: Int
    let maximumWaiters: Int
    private(set) var idle: [Connection] = []
    private(set) var leased: Set<Connection> = []
    /// The connections that have been idle since the last sweep.
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

    /// Removes a waiter that gave up. Returns false if it was not waiting.
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

    /// Notes that the caller gave up its attempt to open, which does not count as a failure.
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

    /// Removes a connection that is broken, and with `suspectServer` the idle ones too.
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

    /// Closes the connections that have not been used since the previous sweep, but keeps one for the next
    /// caller.
    mutating func closeIdle() -> [Step] {
        // The most recently used connection is the last one.
        let closing = idle.dropLast().filter(unused.contains)
        idle.removeAll(where: closing.contains)
        unused = Set(idle)
        return closing.map { .close($0) }
    }

    /// Closes the idle connections and fails the waiters; leased connections are closed when they come back.
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
            steps.append(.permit(failures == 0 ? waiters.removeFirst() : waiters.removeLast()))
        }
        return steps
    }
}
