import Reactor

/// A client and another server, between which bytes pass in both directions, unparsed. Loop only.
///
/// Back-pressure: while a side reads slowly, the relay reads no more from the other. The end of a side is
/// passed on behind its last byte; a side is closed when both ends have passed it.
///
///     client ──received──▶ server.write        client ended ──▶ server.finishWriting
///     client.write ◀──received── server        server ended ──▶ client.finishWriting
final class Relay: TimeoutChecked {
    /// The most bytes that may wait for a side before the other is paused.
    private static let highWater = 64 * 1024
    /// The time that the rest may take after a side has broken, or while the server stops.
    private static let closingMilliseconds: UInt32 = 2_000

    var timeoutIndex: Int32 = -1
    private let worker: HTTPWorker
    private let client: Side
    private let server: Side
    /// The lease of the client in the quota of its address, if there is such a quota.
    private var lease: Quota<AddressKey>.Lease?
    /// The descriptor of the other server's connection in the budget.
    private var descriptor: DescriptorBudget.Lease?
    /// The milliseconds in which a client has to take bytes that wait for it.
    private let patience: UInt32
    private var phase = Phase.open
    private let owner: MemoryBudget.Owner
    private var memory = HeldMemory()

    private enum Phase {
        /// Bytes pass in both directions. Goes to every other phase.
        case open
        /// Bytes wait for the client, which takes none; it has until then. Goes to every other phase.
        case stalled(until: UInt32)
        /// A side has ended, or the server stops; the rest has until then. Goes to `over`.
        case ending(until: UInt32)
        /// Both sides are closed.
        case over
    }

    /// A stream, and whether its output has its end.
    private final class Side: StreamDelegate {
        let stream: Stream
        var isFinished = false
        /// The relay; nil once it is over.
        var relay: Relay?

        init(_ stream: Stream) { self.stream = stream }

        func received(_ bytes: inout MutableRawSpan) { relay?.received(bytes.bytes, from: self) }
        func ended() { relay?.ended(self) }
        func failed(_ error: SystemError) { relay?.failed(self) }
        func drained() { relay?.drained(self) }
        func heldBytesChanged() { relay?.countMemory() }
    }

    /// Takes over two streams that are open, and the connection's place among those of the worker.
    init(
        client: Stream, server: Stream, _ descriptor: DescriptorBudget.Lease?, worker: HTTPWorker,
        _ lease: Quota<AddressKey>.Lease?, for owner: MemoryBudget.Owner, _ tuning: SocketTuning
    ) {
        self.owner = owner
        self.client = Side(client)
        self.server = Side(server)
        self.worker = worker
        self.lease = lease
        self.descriptor = descriptor
        let ping = tuning.pingInterval?.milliseconds ?? worker.timeouts.ping
        patience = ping &* 5 / 2
        if let bytes = tuning.unsentBytes { client.limitUnsent(to: bytes) }
    }

    /// Reports the bytes that both streams hold to the memory budget.
    private func countMemory() {
        if case .over = phase { return }
        memory.set(
            client.stream.heldBytes + server.stream.heldBytes, for: owner, of: self, in: worker)
    }

    func cut() {
        if case .over = phase { return }
        worker.limitReached(.memory, owner.client.map { "\($0)" } ?? "another server")
        close()
    }

    /// The number of bytes that wait for the client.
    var pendingBytes: Int { client.stream.pendingBytes }

    /// Passes bytes from now on. Bytes that were written to a stream before go first.
    func start() {
        worker.relayBegan()
        for side in [client, server] {
            side.relay = self
            side.stream.delegate = side
            side.stream.tellsWhenDrained = false
        }
        // Bytes were written before, and may have arrived while the stream was paused.
        countMemory()
        for side in [client, server] where side.stream.isOpen {
            side.stream.setPaused(false)
            // An end that was read earlier is not reported again.
            if side.stream.hasEnded { ended(side) }
        }
        if worker.isDraining { drain() }
    }

    // Events of the streams.

    private func received(_ bytes: RawSpan, from source: Side) {
        let sink = other(source)
        // There is no way for bytes of a client to a server that was told that the client has ended.
        guard !sink.isFinished else { return }
        let stream = sink.stream
        stream.write(bytes)
        guard stream.pendingBytes > Self.highWater else { return }
        // The reader may be fast, and the bytes may have gathered in this turn.
        stream.push()
        guard stream.pendingBytes > Self.highWater else { return }
        stream.tellsWhenDrained = true
        source.stream.setPaused(true)
        // A server that reads nothing for long may be holding its messages, or is noticed by the kernel.
        if case .open = phase, sink === client {
            phase = .stalled(until: worker.now &+ patience)
        }
    }

    private func drained(_ side: Side) {
        if side === client, case .stalled = phase { phase = .open }
        if !side.isFinished { side.stream.tellsWhenDrained = false }
        other(side).stream.setPaused(false)
        closeWhereDone()
    }

    private func ended(_ side: Side) {
        end(within: worker.timeouts.write)
        finish(other(side))
        closeWhereDone()
    }

    /// Ends the other side as well, with everything that it was to be sent. Its own bytes are read and
    /// dropped until it has ended too: closed with unread bytes it would be reset, and lose the last ones.
    private func failed(_ side: Side) {
        let other = other(side)
        end(within: Self.closingMilliseconds)
        other.stream.setPaused(false)
        finish(other)
        closeWhereDone()
    }

    private func other(_ side: Side) -> Side { side === client ? server : client }

    // Ending.

    /// Limits the time of the rest; a limit that is there already holds if it is earlier.
    private func end(within milliseconds: UInt32) {
        let limit = worker.now &+ milliseconds
        switch phase {
        case .open, .stalled: phase = .ending(until: limit)
        case .ending(let until): if Int32(bitPattern: limit &- until) < 0 { phase = .ending(until: limit) }
        case .over: break
        }
    }

    /// Sends the side its end, behind what waits for it.
    private func finish(_ side: Side) {
        guard !side.isFinished else { return }
        side.isFinished = true
        side.stream.tellsWhenDrained = true
        side.stream.finishWriting()
    }

    /// Closes each side that has sent its end and was sent the other's.
    private func closeWhereDone() {
        for side in [client, server] where side.isFinished && side.stream.hasEnded {
            if side.stream.pendingBytes == 0 { side.stream.close() }
        }
        // The other server has said everything, and the client was sent all of it: only its end is missing.
        if client.isFinished && client.stream.pendingBytes == 0 { end(within: Self.closingMilliseconds) }
        if !client.stream.isOpen && !server.stream.isOpen { return close() }
        // A side that was closed or has failed has given its bytes back.
        countMemory()
    }

    func checkTimeouts(at now: UInt32) -> UInt32 {
        switch phase {
        case .stalled(let until) where Int32(bitPattern: now &- until) >= 0:
            worker.limitReached(.slowConsumer)
            close()
        case .ending(let until) where Int32(bitPattern: now &- until) >= 0: close()
        case .open, .stalled, .ending, .over: break
        }
        return now
    }

    /// Ends the relay as if the client had: the other server closes its half after its last whole frame, and
    /// the client gets everything up to that.
    func drain() {
        if case .over = phase { return }
        end(within: Self.closingMilliseconds)
        client.stream.setPaused(false)
        finish(server)
        closeWhereDone()
    }

    private func close() {
        if case .over = phase { return }
        phase = .over
        for side in [client, server] {
            side.relay = nil
            side.stream.close()
        }
        lease = nil
        memory.release()
        descriptor = nil
        worker.relayEnded()
        worker.remove(self)
    }
}
