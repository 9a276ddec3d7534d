import Reactor

/// One direction of a connection: it passes the bytes of one socket to the other, as the plan decides. Loop
/// only.
final class FlakyLane: StreamDelegate {
    private enum Phase {
        case open
        /// The near end has ended; queued bytes still pass.
        case ending
        /// Received bytes are swallowed.
        case silent
        case closed
    }

    /// The number of bytes waiting for the far end beyond which the near end is not read.
    private static let highWater = 256 * 1024
    /// The time for which a message is held if nothing overtakes it.
    private static let longestHold = Duration.milliseconds(200)

    var plan: FaultPlan
    private let loop: EventLoop
    private let source: Stream
    private let sink: Stream
    /// The counter of the bytes that have passed.
    private let passed: WritableKeyPath<FlakyCounters, Int>
    weak var link: FlakyLink?
    private var phase = Phase.open
    /// The waiting bytes, with the instant in monotonic nanoseconds at which they pass.
    private var queue: [(bytes: [UInt8], due: UInt64)] = []
    private var queuedBytes = 0
    private var timer: EventLoop.Timer?
    private var holdTimer: EventLoop.Timer?

    init(
        from source: Stream, to sink: Stream, _ plan: FaultPlan,
        counting passed: WritableKeyPath<FlakyCounters, Int>
    ) {
        loop = source.loop
        self.source = source
        self.sink = sink
        self.passed = passed
        self.plan = plan
        source.delegate = self
    }

    func received(_ bytes: inout MutableRawSpan) {
        guard phase == .open else { return }
        // Sound: the buffer does not leave the closure.
        let steps = plan.receive(bytes.bytes.withUnsafeBytes { Array($0) })
        if plan.isInFrames { link?.upgraded() }
        perform(steps)
    }

    func ended() {
        switch phase {
        case .open:
            phase = .ending
            cancelHold()
            perform(plan.finish())
        case .silent:
            source.close()
            link?.partlyClosed()
        case .ending, .closed: break
        }
    }

    func failed(_ error: SystemError) {
        switch phase {
        case .open, .ending: link?.reset()
        case .silent: link?.partlyClosed()
        case .closed: break
        }
    }

    /// Called when the socket that this lane reads has room for the bytes that the other lane writes.
    func drained() { link?.drained(source) }

    func sinkDrained() { adjustPause() }

    /// Stops passing bytes, without telling either end.
    func fallSilent() {
        let hadEnded = phase == .ending
        stop()
        phase = .silent
        source.setPaused(false)
        if hadEnded { ended() }
    }

    func stop() {
        phase = .closed
        if let timer = timer.take() { loop.cancel(timer) }
        cancelHold()
        queue = []
        queuedBytes = 0
    }

    private func perform(_ steps: [FaultPlan.Step]) {
        for step in steps {
            switch step {
            case .pass(let bytes, let delay): enqueue(bytes, delay)
            case .held: hold()
            case .reset:
                link?.fault(.reset)
                return
            case .halfOpen:
                link?.fault(.halfOpen)
                return
            }
        }
        passDue()
    }

    private func hold() {
        cancelHold()
        holdTimer = loop.schedule(after: Self.longestHold) { [weak self] in
            guard let self else { return }
            holdTimer = nil
            perform(plan.release())
        }
    }

    private func cancelHold() {
        if let holdTimer = holdTimer.take() { loop.cancel(holdTimer) }
    }

    private func enqueue(_ bytes: [UInt8], _ delay: Duration) {
        let due = max(Monotonic.nanoseconds() &+ delay.clampedNanoseconds, queue.last?.due ?? 0)
        queue.append((bytes, due))
        queuedBytes += bytes.count
    }

    private func passDue() {
        guard phase == .open || phase == .ending else { return }
        let now = Monotonic.nanoseconds()
        let due = queue.prefix { $0.due <= now }
        for (bytes, _) in due {
            sink.write(bytes)
            queuedBytes -= bytes.count
            plan.tally.counters[keyPath: passed] += bytes.count
        }
        queue.removeFirst(due.count)
        adjustPause()
        if let next = queue.first {
            guard timer == nil else { return }
            timer = loop.schedule(after: .nanoseconds(Int64(next.due - now))) { [weak self] in
                self?.timer = nil
                self?.passDue()
            }
        } else if phase == .ending {
            stop()
            sink.finishWriting()
            link?.finished()
        }
    }

    private func adjustPause() {
        guard phase == .open else { return }
        source.setPaused(queuedBytes + sink.pendingBytes > Self.highWater)
    }
}
