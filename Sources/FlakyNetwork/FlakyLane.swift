import Reactor

/// One direction of a connection: what one socket brings goes to the other, as the plan says. Loop only.
final class FlakyLane: StreamDelegate {
    private enum Phase {
        case open
        /// The near end says no more; what waits still passes.
        case ending
        /// What comes is swallowed.
        case silent
        case closed
    }

    /// What may wait for the far end; past it, the near end is not read.
    private static let highWater = 256 * 1024
    /// How long a message is held that nothing overtakes.
    private static let longestHold = Duration.milliseconds(200)

    var plan: FaultPlan
    private(set) var passedBytes = 0
    private let loop: EventLoop
    private let source: Stream
    private let sink: Stream
    weak var link: FlakyLink?
    private var phase = Phase.open
    /// Bytes, and the instant in monotonic nanoseconds at which they pass.
    private var queue: [(bytes: [UInt8], due: UInt64)] = []
    private var queuedBytes = 0
    private var timer: EventLoop.Timer?
    private var holdTimer: EventLoop.Timer?

    init(from source: Stream, to sink: Stream, _ plan: FaultPlan) {
        loop = source.loop
        self.source = source
        self.sink = sink
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

    /// The socket that this lane reads has room for what the other lane writes.
    func drained() { link?.drained(source) }

    func sinkDrained() { adjustPause() }

    /// Nothing passes any more, and nobody is told.
    func fallSilent() {
        let hadEnded = phase == .ending
        stop()
        phase = .silent
        source.setPaused(false)
        if hadEnded { ended() }
    }

    func stop() {
        phase = .closed
        if let timer { loop.cancel(timer) }
        timer = nil
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
        if let holdTimer { loop.cancel(holdTimer) }
        holdTimer = nil
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
            passedBytes += bytes.count
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
