import HTTP1
import Reactor

/// The connection's share of the memory budget.
extension HTTPConnection {
    func heldBytesChanged() { countMemory() }

    /// Reports the bytes that the connection holds now to the memory budget.
    func countMemory() {
        if case .closed = phase { return }
        let exchange = exchange
        memory.set(
            stream.heldBytes + parser.heldBytes + (incoming?.heldBytes ?? 0) + (exchange?.heldBytes ?? 0),
            for: .init(
                client: incoming?.client ?? exchange?.request.client ?? remoteEnd,
                account: exchange?.account.map { "\($0)" }), of: self, in: worker)
    }

    func cut() {
        if case .closed = phase { return }
        worker.limitReached(.memory, "\(incoming?.client ?? exchange?.request.client ?? remoteEnd)")
        switch phase {
        case .reading: if parser.isIdle && incoming == nil { close() } else { refuse(.outOfMemory) }
        case .responding(let exchange):
            exchange.task?.cancel()
            refuse(.outOfMemory)
        case .streaming, .flushing, .closing, .closed: close()
        }
    }
}
