/// The decisions of a pool, as a value: which connections are leased, which callers wait, and when
/// connections
/// are opened.
///
/// A connection is idle or leased. A caller gets a connection at once or waits, and the pool opens
/// connections
/// for the callers that wait. After a failure to open, no connection is opened for a pause, and then one at a
/// time, until one attempt has succeeded.
struct PoolState<Connection: Hashable> {
    typealias Waiter = WaiterQueue.Waiter

    enum Answer: Equatable {
        case use(Connection)
        /// The caller waits until a step names it; these steps come first.
        case wait([Step])
        /// The pool is shut down.
        case refuse
    }

    enum Step: Equatable {
        case hand(Connection, to: Waiter)
        /// The pool is to open a connection, and report `opened` or `openFailed`.
        case open
        /// The waiter gets no connection: the pool is shut down.
        case refuse(Waiter)
        case close(Connection)
        /// The pool is to report `pauseEnded` after a pause for so many failures in a row.
        case pause(failures: Int)
    }

    let size: Int
    private(set) var idle: [Connection] = []
    private(set) var leased: Set<Connection> = []
    /// The connections that have been idle since the last sweep.
    private var unused: Set<Connection> = []
    private(set) var opening = 0
    private(set) var waiters = WaiterQueue()
    private(set) var failures = 0
    private(set) var isPaused = false
    private(set) var isShutDown = false

    init(size: Int) {
        precondition(size > 0)
        self.size = size
    }

    mutating func request(_ waiter: Waiter) -> Answer {
        if isShutDown { return .refuse }
        if let connection = idle.popLast() {
            leased.insert(connection)
            unused.remove(connection)
            return .use(connection)
        }
        waiters.append(waiter)
        return .wait(openings())
    }

    /// Removes a waiter that gave up. Returns false if it was not waiting.
    mutating func abandon(_ waiter: Waiter) -> Bool { waiters.remove(waiter) }

    mutating func opened(_ connection: Connection) -> [Step] {
        opening -= 1
        if isShutDown { return [.close(connection)] }
        failures = 0
        isPaused = false
        return [admit(connection)].compactMap(\.self) + openings()
    }

    mutating func openFailed() -> [Step] {
        opening -= 1
        failures += 1
        if isPaused || isShutDown { return [] }
        isPaused = true
        return [.pause(failures: failures)]
    }

    mutating func pauseEnded() -> [Step] {
        isPaused = false
        return openings()
    }

    mutating func returned(_ connection: Connection) -> [Step] {
        guard leased.remove(connection) != nil else { return [] }
        if isShutDown { return [.close(connection)] }
        return [admit(connection)].compactMap(\.self)
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
        return steps + openings()
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

    /// Closes the idle connections and refuses the waiters; leased connections are closed when they come
    /// back.
    mutating func shutDown() -> [Step] {
        isShutDown = true
        let steps: [Step] = idle.map { .close($0) } + waiters.all.map { .refuse($0) }
        idle.removeAll()
        waiters.removeAll()
        return steps
    }

    /// Lends a free connection to the first waiter, or keeps it if there is none.
    private mutating func admit(_ connection: Connection) -> Step? {
        guard let waiter = waiters.popFirst() else {
            idle.append(connection)
            return nil
        }
        leased.insert(connection)
        return .hand(connection, to: waiter)
    }

    /// Opens no more connections than callers wait.
    private mutating func openings() -> [Step] {
        var steps: [Step] = []
        while !isShutDown, !isPaused, opening < waiters.count,
            idle.count + leased.count + opening < size, failures == 0 || opening == 0
        {
            opening += 1
            steps.append(.open)
        }
        return steps
    }
}
