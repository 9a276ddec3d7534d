package import Reactor

/// The writing end of a streamed response, for the task that fills it. A slow client exerts back-pressure:
/// the task waits.
package struct ResponseStream: Sendable {
    /// The stream has ended: the client has disconnected, or the server is closing.
    package struct Ended: Error {}

    let connection: LoopBound<HTTPConnection>
    /// The connection's loop, on which the task runs too.
    package let loop: EventLoop

    /// Ends the stream without the end of its body, from any thread.
    package func end() {
        let connection = connection
        loop.execute { connection.value.streamingFailed() }
    }

    /// Queues bytes, and waits until the reader has caught up. Call it on the connection's loop only.
    package func write(_ bytes: [UInt8]) async throws(Ended) {
        guard connection.value.writeStreamed(bytes) else { throw Ended() }
        let isOpen = await withCheckedContinuation { continuation in
            connection.value.whenDrained(continuation)
        }
        if !isOpen { throw Ended() }
    }
}
