import Reactor
import WebSocket

/// The bytes that the socket keeps, and its share of the memory budget.
extension WebSocketConnection {
    final class Opening {
        var handOver: WebSocketHandOver
        var task: Task<Void, Never>?
        init(_ handOver: WebSocketHandOver) { self.handOver = handOver }
    }

    /// Keeps bytes that arrive before the connection is accepted; the rest waits in the kernel.
    func keepEarly(_ bytes: RawSpan) {
        bytes.withUnsafeBytes { opening?.handOver.remainder.append(contentsOf: $0) }
        stream.setPaused(true)
        countMemory()
    }

    package func heldBytesChanged() { countMemory() }

    /// Reports the bytes that the socket holds now to the memory budget.
    func countMemory() {
        if !stream.isOpen { return }
        memory.set(
            stream.heldBytes + decoder.heldBytes + (held?.count ?? 0) + (opening?.handOver.heldBytes ?? 0),
            for: owner, of: self,
            in: worker)
    }

    func cut() {
        if !stream.isOpen { return }
        worker.limitReached(.memory, "\(client)")
        end()
    }

    /// Keeps bytes that the handler does not want yet, until `resume`; the rest waits in the kernel.
    func hold(_ bytes: RawSpan) {
        held = bytes.withUnsafeBytes { Array($0) }
        stream.setPaused(true)
        countMemory()
    }
}
