import Reactor

/// One connection through a flaky transport: two sockets, and a lane each way. Loop only.
final class FlakyLink {
    enum Fault { case reset, halfOpen }

    private let client: Stream
    private let server: Stream
    private let toServer: FlakyLane
    private let toClient: FlakyLane
    private var finishedLanes = 0
    private let tally: FlakyTally
    /// Called once, when both sockets are closed.
    private var closed: ((FlakyLink) -> Void)?

    init(
        client: Stream, server: Stream, _ faults: Faults, seed: UInt64, number: Int, isSecure: Bool,
        counting tally: FlakyTally, closed: @escaping (FlakyLink) -> Void
    ) {
        self.client = client
        self.server = server
        self.tally = tally
        self.closed = closed
        let stream = UInt64(number) &* 2
        toServer = FlakyLane(
            from: client, to: server,
            FaultPlan(
                faults, seed: seed, stream: stream, readsHead: false, isSecure: isSecure,
                counting: tally),
            counting: \.bytesToServer)
        toClient = FlakyLane(
            from: server, to: client,
            FaultPlan(
                faults, seed: seed, stream: stream &+ 1, readsHead: true, isSecure: isSecure,
                counting: tally),
            counting: \.bytesToClient)
        toServer.link = self
        toClient.link = self
    }

    func change(to faults: Faults) {
        toServer.plan.change(to: faults)
        toClient.plan.change(to: faults)
    }

    /// Called when the server has agreed to the upgrade: both directions are frames from here on.
    func upgraded() { toServer.plan.upgrade() }

    func fault(_ fault: Fault) {
        switch fault {
        case .reset:
            tally.counters.resets += 1
            reset()
        case .halfOpen:
            tally.counters.halfOpened += 1
            toServer.fallSilent()
            toClient.fallSilent()
        }
    }

    /// Closes both sockets so that both ends see a reset.
    func reset() {
        client.reset()
        server.reset()
        end()
    }

    /// Called when one socket of a silent link is gone. The other end is not told; the link ends when both
    /// are closed.
    func partlyClosed() {
        if !client.isOpen && !server.isOpen { end() }
    }

    /// Called when one direction has passed everything up to its end.
    func finished() {
        finishedLanes += 1
        guard finishedLanes == 2 else { return }
        client.close()
        server.close()
        end()
    }

    func drained(_ stream: Stream) {
        // The bytes written to a socket come from the lane that reads the other one.
        (stream === client ? toClient : toServer).sinkDrained()
    }

    private func end() {
        toServer.stop()
        toClient.stop()
        closed.take()?(self)
    }
}
