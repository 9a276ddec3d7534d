import Testing

@testable import OutboundHTTP

@Suite struct FirstAnswerGateTests {
    private typealias Gate = FirstAnswerGate<Int>

    private let first = Gate.Connection(localPort: 1, peer: "17.0.0.1")
    private let second = Gate.Connection(localPort: 2, peer: "17.0.0.1")

    /// Returns a gate at which request 1 is under way on the first connection, and 2 and 3 wait for it.
    private func crowded() -> Gate {
        var gate = Gate()
        #expect({ gate.admits(1, to: first) }())
        for request in [2, 3] {
            #expect({ !gate.admits(request, to: first) }())
            #expect({ gate.wait(request, for: first) }())
        }
        return gate
    }

    @Test("one request goes first, and all others once it is answered")
    func answered() {
        var gate = crowded()
        let released = gate.ended(1, .answered)
        #expect(released == Gate.Released(sent: [2, 3]))
        #expect({ gate.admits(4, to: first) }())
    }

    @Test("each connection has its own first request, also after another one was answered")
    func connections() {
        var gate = crowded()
        _ = gate.ended(1, .answered)
        #expect({ gate.admits(4, to: second) }())
        #expect({ !gate.admits(5, to: second) }())
        #expect({ gate.admits(5, to: first) }())
    }

    @Test("if the first request gets no answer, those that wait fail, and the next one goes first")
    func unanswered() {
        var gate = crowded()
        let released = gate.ended(1, .unanswered)
        #expect(released == Gate.Released(failed: [2, 3]))
        #expect({ gate.admits(4, to: first) }())
        #expect({ !gate.admits(5, to: first) }())
    }

    @Test("if the first request is given up, those that wait are sent, and one of them goes first")
    func unused() {
        var gate = crowded()
        let released = gate.ended(1, .unused)
        #expect(released == Gate.Released(sent: [2, 3]))
        #expect({ gate.admits(2, to: first) }())
        #expect({ !gate.admits(3, to: first) }())
    }

    @Test("a request that ends while it waits is not sent")
    func endedWhileWaiting() {
        var gate = crowded()
        let before = gate.ended(2, .unused)
        #expect(before == Gate.Released())
        let after = gate.ended(1, .answered)
        #expect(after == Gate.Released(sent: [3]))
    }

    @Test("a connection that closes releases those that wait, and its port is a new connection")
    func closed() {
        var gate = crowded()
        let released = gate.closed(1)
        #expect(released == [2, 3])
        #expect({ !gate.wait(4, for: first) }())
        #expect({ gate.admits(2, to: first) }())
        #expect({ !gate.admits(3, to: first) }())
    }
}
