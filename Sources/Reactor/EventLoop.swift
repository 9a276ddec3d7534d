import CLinux
import Glibc
import Synchronization

/// One thread that waits in epoll, or in an io_uring, and runs the handlers of descriptors, timers, and the
/// jobs of tasks.
///
/// It is a serial executor (for actors that belong to it) and a task executor (for tasks that prefer it). A
/// call that is marked "loop only" stops the process on another thread.
///
/// Unchecked: `inbox`, `threadID` and `isStopping` synchronise themselves; every other variable is touched on
/// the loop's thread alone.
package final class EventLoop: SerialExecutor, TaskExecutor, @unchecked Sendable {
    /// The most bytes of one read.
    package static let readCapacity = 64 * 1024

    package let name: String
    private let epoll: OwnedDescriptor
    /// The ring by which sockets are read and written; nil where epoll tells when to.
    let ring: Ring?
    private let wakeup: OwnedDescriptor
    private let inbox = Lock(Inbox())
    private let threadID = Atomic<UInt>(0)
    private let isStopping = Atomic<Bool>(false)
    let interrupts = Interrupts()
    private let readStorage: UnsafeMutableRawBufferPointer
    private static let eventCapacity = 1024
    private let events = UnsafeMutablePointer<epoll_event>.allocate(capacity: eventCapacity)

    private var registrations: [Registration?] = []
    private var generation: UInt32 = 0
    private var timers = TimerQueue()
    private var localWork: [Work] = []
    private var touched: [Stream] = []
    /// The streams whose bytes are submitted with the next wait.
    var sending: [Stream] = []
    /// The number of turns of the loop so far. Loop only.
    package private(set) var turn: UInt64 = 0
    let outputBlocks = OutputBlockPool()
    /// The bytes of all streams of this loop until now. Loop only.
    package var traffic = Traffic()

    private struct Registration {
        let handler: any EventHandler
        let generation: UInt32
        /// The handler as one of requests; nil for a descriptor in the epoll.
        var ofRequests: (any RequestHandler)?
    }

    private enum Work {
        case job(UnownedJob)
        case body(@Sendable () -> Void)
    }

    private struct Inbox {
        var work: [Work] = []
        var isAwake = false
    }

    /// Creates a loop. Throws where the mechanism is not to be had.
    package convenience init(name: String, _ mechanism: Mechanism = .standard) throws(SystemError) {
        try self.init(name: name, ring: try mechanism.ring())
    }

    init(name: String, ring: Ring?) throws(SystemError) {
        self.name = name
        self.ring = ring
        epoll = OwnedDescriptor(adopting: try system("epoll_create1") { epoll_create1(CInt(EPOLL_CLOEXEC)) })
        wakeup = OwnedDescriptor(
            adopting: try system("eventfd") { eventfd(0, CInt(EFD_CLOEXEC) | CInt(EFD_NONBLOCK)) })
        readStorage = .allocate(byteCount: Self.readCapacity, alignment: 64)
        var event = epoll_event()
        event.events = EPOLLIN.rawValue
        event.data.u64 = UInt64.max
        let (epoll, wakeup) = (epoll.raw, wakeup.raw)
        if ring == nil { try system("epoll_ctl") { epoll_ctl(epoll, EPOLL_CTL_ADD, wakeup, &event) } }
    }

    deinit {
        readStorage.deallocate()
        events.deallocate()
    }

    // Any thread.

    /// Whether the loop waits in an io_uring.
    package var usesRing: Bool { ring != nil }

    package var isCurrent: Bool { threadID.load(ordering: .relaxed) == UInt(pthread_self()) }

    package func preconditionCurrent() { precondition(isCurrent, "not on the thread of loop \(name)") }

    /// Enqueues the body to run on the loop, in the order of the calls.
    package func execute(_ body: @escaping @Sendable () -> Void) { add(.body(body)) }

    /// Runs the body on the loop, and returns its result.
    package func submit<Value: Sendable, Failure: Error>(
        _ body: @escaping @Sendable () throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        let result = await withCheckedContinuation {
            (continuation: CheckedContinuation<Result<Value, Failure>, Never>) in
            execute { continuation.resume(returning: Result(catching: body)) }
        }
        return try result.get()
    }

    package func enqueue(_ job: consuming ExecutorJob) { add(.job(UnownedJob(job))) }

    package func checkIsolated() { preconditionCurrent() }

    package func isIsolatingCurrentContext() -> Bool? { isCurrent }

    /// Stops the loop: `run` returns after the turn in progress. Work that is enqueued later is not run.
    package func stop() {
        isStopping.store(true, ordering: .releasing)
        wake()
    }

    private func add(_ work: Work) {
        if isCurrent {
            localWork.append(work)
            return
        }
        let mustWake = inbox.withLock { inbox in
            inbox.work.append(work)
            defer { inbox.isAwake = true }
            return !inbox.isAwake
        }
        if mustWake { wake() }
    }

    private func wake() { _ = eventfd_write(wakeup.raw, 1) }

    // Loop only.

    /// Runs the loop on the calling thread until it is stopped.
    package func run() {
        threadID.store(UInt(pthread_self()), ordering: .relaxed)
        defer { threadID.store(0, ordering: .relaxed) }
        startRing()
        while !isStopping.load(ordering: .acquiring) {
            if let ring {
                wait(in: ring, until: waitEnd())
            } else {
                dispatchReady(within: waitMilliseconds())
            }
            runTimers()
            runWork()
            flushTouched()
        }
        // The last turn has left requests to send bytes of streams' buffers. The kernel takes them before the
        // work below writes into the same buffers.
        if let ring { wait(in: ring, until: 0) }
        runWork()
        flushTouched()
        // The bytes that were written last are sent before the sockets are closed. The requests of the
        // sockets end afterwards.
        if let ring { wait(in: ring, until: 0) }
        endHandlers()
        if let ring { wait(in: ring, until: 0) }
    }

    private func startRing() {
        guard let ring else { return }
        do throws(SystemError) {
            try ring.enable()
        } catch {
            preconditionFailure("a ring that was just made is enabled by its first thread: \(error)")
        }
        watchEpoll(ring)
        watchWakeup(ring)
    }

    func watchEpoll(_ ring: Ring) { ring.pollReadable(Ring.Token(.epoll, epoll.raw, 0)) }

    func watchWakeup(_ ring: Ring) { ring.watchWakeup(wakeup.raw) }

    func beginTurn() { turn &+= 1 }

    /// Waits for descriptors of the epoll, and calls their handlers.
    func dispatchReady(within milliseconds: CInt) {
        let count = epoll_wait(epoll.raw, events, CInt(Self.eventCapacity), milliseconds)
        if ring == nil { beginTurn() }
        for index in 0..<max(0, Int(count)) {
            dispatch(events[index])
            interrupts.run()
        }
    }

    /// Watches a descriptor; the loop keeps the handler until `unregister`.
    package func register(_ descriptor: CInt, _ events: EventSet, handler: any EventHandler)
        throws(SystemError)
    {
        preconditionCurrent()
        generation &+= 1
        let index = Int(descriptor)
        while registrations.count <= index { registrations.append(nil) }
        registrations[index] = Registration(handler: handler, generation: generation)
        do throws(SystemError) {
            try control(EPOLL_CTL_ADD, descriptor, events)
        } catch {
            registrations[index] = nil
            throw error
        }
    }

    /// Keeps the handler of a descriptor that requests of the ring are about, until `unregister`. Returns the
    /// generation, which their names have.
    func registerRequests(_ descriptor: CInt, handler: any RequestHandler) -> UInt32 {
        preconditionCurrent()
        generation &+= 1
        let index = Int(descriptor)
        while registrations.count <= index { registrations.append(nil) }
        registrations[index] = Registration(
            handler: handler, generation: generation, ofRequests: handler)
        return generation
    }

    /// Returns the handler of a request; nil if its descriptor is watched no more.
    func handler(of token: Ring.Token) -> (any RequestHandler)? {
        guard token.descriptor < registrations.count, let registration = registrations[token.descriptor],
            registration.generation & 0x0FFF_FFFF == token.generation
        else { return nil }
        return registration.ofRequests
    }

    package func modify(_ descriptor: CInt, _ events: EventSet) throws(SystemError) {
        try control(EPOLL_CTL_MOD, descriptor, events)
    }

    /// Stops watching a descriptor. Call it before the descriptor is closed.
    package func unregister(_ descriptor: CInt) {
        preconditionCurrent()
        let index = Int(descriptor)
        guard index < registrations.count, let registration = registrations[index] else { return }
        registrations[index] = nil
        if registration.ofRequests != nil { return }
        var event = epoll_event()
        _ = epoll_ctl(epoll.raw, EPOLL_CTL_DEL, descriptor, &event)
    }

    /// Calls the body once on the loop, after the delay or a little later.
    @discardableResult
    package func schedule(after delay: Duration, _ body: @escaping () -> Void) -> Timer {
        preconditionCurrent()
        let timer = Timer(due: Monotonic.nanoseconds() &+ delay.clampedNanoseconds, body: body)
        timers.insert(timer)
        return timer
    }

    package func cancel(_ timer: Timer) {
        preconditionCurrent()
        timers.remove(timer)
    }

    /// One pending call, which `EventLoop.cancel` cancels.
    package final class Timer {
        let due: UInt64
        let body: () -> Void
        var position: Int?

        init(due: UInt64, body: @escaping () -> Void) {
            self.due = due
            self.body = body
        }
    }

    /// Notes that the stream has output to send at the end of this turn.
    func touch(_ stream: Stream) { touched.append(stream) }

    /// The loop's one buffer for reading; its content lasts until the next read.
    var readBuffer: UnsafeMutableRawBufferPointer { readStorage }

    private func control(_ operation: CInt, _ descriptor: CInt, _ events: EventSet) throws(SystemError) {
        preconditionCurrent()
        let index = Int(descriptor)
        guard index < registrations.count, let registration = registrations[index] else {
            throw .failed(call: "epoll_ctl", errno: ENOENT)
        }
        var event = epoll_event()
        event.events = events.rawValue
        event.data.u64 = UInt64(registration.generation) << 32 | UInt64(UInt32(bitPattern: descriptor))
        let epoll = epoll.raw
        try system("epoll_ctl") { epoll_ctl(epoll, operation, descriptor, &event) }
    }

    private func dispatch(_ event: epoll_event) {
        if event.data.u64 == UInt64.max {
            var value: eventfd_t = 0
            _ = eventfd_read(wakeup.raw, &value)
            return
        }
        // An event for a descriptor that was closed, and perhaps used again, earlier in this turn is stale.
        let index = Int(UInt32(truncatingIfNeeded: event.data.u64))
        guard index < registrations.count, let registration = registrations[index],
            registration.generation == UInt32(truncatingIfNeeded: event.data.u64 >> 32)
        else { return }
        registration.handler.ready(EventSet(rawValue: event.events))
    }

    /// Releases the handlers after the loop has ended; work that this causes is run once.
    private func endHandlers() {
        for registration in registrations { registration?.handler.loopEnded() }
        runWork()
        registrations.removeAll()
        timers = TimerQueue()
    }

    private func runTimers() {
        guard timers.nextDue != nil else { return }
        let now = Monotonic.nanoseconds()
        while let timer = timers.popDue(at: now) { timer.body() }
    }

    /// Runs the pending jobs, and a bounded number of rounds of jobs that these cause.
    private func runWork() {
        for _ in 0..<16 {
            var work = inbox.withLock { inbox in
                inbox.isAwake = false
                // The array is swapped out, since emptying it with its capacity kept would allocate it again
                // each time.
                var taken: [Work] = []
                swap(&taken, &inbox.work)
                return taken
            }
            if !localWork.isEmpty {
                if work.isEmpty {
                    swap(&work, &localWork)
                } else {
                    work.append(contentsOf: localWork)
                    localWork.removeAll(keepingCapacity: true)
                }
            }
            if work.isEmpty { return }
            for item in work { perform(item) }
        }
    }

    private func perform(_ work: Work) {
        switch work {
        case .job(let job):
            job.runSynchronously(isolatedTo: asUnownedSerialExecutor(), taskExecutor: asUnownedTaskExecutor())
        case .body(let body):
            body()
        }
    }

    private func flushTouched() {
        guard !touched.isEmpty else { return }
        var streams: [Stream] = []
        swap(&streams, &touched)
        for stream in streams { stream.flush() }
        streams.removeAll(keepingCapacity: true)
        // Streams that were written to meanwhile, because of a failed write, are in `touched`; otherwise the
        // storage is reused.
        if touched.isEmpty { swap(&streams, &touched) }
    }

    /// Returns the instant until which the ring is waited in; nil for no end.
    private func waitEnd() -> UInt64? {
        // The streams that were sent from are told soon where they want to know.
        let isBusy = !localWork.isEmpty || !touched.isEmpty || sending.contains { $0.wantsSettling }
        return isBusy ? 0 : timers.nextDue
    }

    private func waitMilliseconds() -> CInt {
        if !localWork.isEmpty || !touched.isEmpty { return 0 }
        // The delay is rounded up, so that a timer is never early.
        return timers.nextDue.map(Monotonic.milliseconds) ?? -1
    }
}
