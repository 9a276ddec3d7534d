import Contract

/// Lets one request through to a service until it has answered, and then all. Apple's service allows a
/// connection one stream until it has seen a valid token.
actor FirstAnswerGate {
    /// The way in which a request goes through.
    enum Pass {
        /// The request finds out whether the service answers, while others wait.
        case first
        case open
    }

    package enum Ending {
        /// The service has answered, whatever it said.
        case answered
        /// The connection is gone, or must be taken for gone.
        case unanswered
        /// The request was given up, which says nothing of the service.
        case unused
    }

    /// The time after the latest answer after which a service, with nothing under way, has probably closed
    /// the connection.
    package static let patience = Duration.seconds(60)

    private var isOpen = false
    private var isTrying = false
    private var underWay = 0
    private var answeredAt: Timestamp?
    private var waiting: [UInt64: CheckedContinuation<Pass?, Never>] = [:]
    private var next: UInt64 = 0

    var waitingCount: Int { waiting.count }

    /// Returns when a request may be sent; the caller gives the pass back with `leave`. Nil if the first
    /// request got no answer, or the task is cancelled.
    package func enter(at now: Timestamp) async -> Pass? {
        if underWay == 0, let answeredAt, now.since(answeredAt) > Self.patience { isOpen = false }
        if isOpen { return pass(.open) }
        if !isTrying { return pass(.first) }
        next += 1
        let turn = next
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                if Task.isCancelled { return continuation.resume(returning: nil) }
                waiting[turn] = continuation
            }
        } onCancel: {
            // The task ends at once; nothing has to wait for it.
            Task { await self.giveUp(turn) }
        }
    }

    package func leave(_ pass: Pass, _ ending: Ending, at now: Timestamp) {
        underWay -= 1
        if pass == .first { isTrying = false }
        switch ending {
        case .answered:
            isOpen = true
            isTrying = false
            answeredAt = now
            while let continuation = takeWaiter() { continuation.resume(returning: self.pass(.open)) }
        case .unanswered:
            isOpen = false
            guard pass == .first else { return }
            while let continuation = takeWaiter() { continuation.resume(returning: nil) }
        case .unused:
            guard pass == .first, !isOpen, let continuation = takeWaiter() else { return }
            continuation.resume(returning: self.pass(.first))
        }
    }

    private func pass(_ pass: Pass) -> Pass {
        underWay += 1
        if pass == .first { isTrying = true }
        return pass
    }

    private func takeWaiter() -> CheckedContinuation<Pass?, Never>? {
        waiting.keys.min().flatMap { waiting.removeValue(forKey: $0) }
    }

    private func giveUp(_ turn: UInt64) {
        waiting.removeValue(forKey: turn)?.resume(returning: nil)
    }
}
