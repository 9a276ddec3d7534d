/// Lets one request through to a service until it has answered, and then all. Apple's allows a connection one stream
/// until it has seen a valid token.
actor FirstAnswerGate {
    private var isOpen = false
    private var isTrying = false
    private var waiting: [CheckedContinuation<Void, Never>] = []

    /// Returns when a request may be sent. Whoever enters calls `leave`.
    func enter() async {
        while !isOpen {
            if !isTrying {
                isTrying = true
                return
            }
            await withCheckedContinuation { waiting.append($0) }
        }
    }

    /// `isAnswered`: whether an answer came, of whatever kind; else the connection is gone, and the next goes alone.
    func leave(isAnswered: Bool) {
        isOpen = isAnswered
        isTrying = false
        let waiting = waiting
        self.waiting = []
        for continuation in waiting { continuation.resume() }
    }
}
