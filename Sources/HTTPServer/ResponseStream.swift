package import Reactor

/// The writing end of a streamed response, for the task that fills it.
package struct ResponseStream: Sendable {
    /// The client has gone, or the server is closing: there is nobody to write to.
    package struct Ended: Error {}

    let connection: LoopBound<HTTPConnection>
    /// The connection's loop, on which the task runs too.
    package let loop: EventLoop

    /// Queues bytes, and returns when the reader has caught up. From the connection's loop only.
    package func write(_ bytes: [UInt8]) async throws(Ended) {
        guard connection.value.writeStreamed(bytes) else { throw Ended() }
        let isOpen = await withCheckedContinuation { continuation in
            connection.value.whenDrained(continuation)
        }
        if !isOpen { throw Ended() }
    }
}
