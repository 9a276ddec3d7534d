package import Reactor

/// A server on loopback whose answers a test scripts. It stops when it is deallocated.
package final class AnsweringServer: Sendable {
    package let port: UInt16
    private let group: EventLoopGroup

    /// Starts the server. `answer` gets all bytes of a connection so far, after each piece.
    package init(
        at address: SocketAddress = Loopback.address,
        _ answer: @escaping @Sendable (_ received: [UInt8], _ stream: Reactor.Stream) -> Void
    ) async throws {
        let listener = try Listener(binding: address)
        port = listener.address.port
        group = try EventLoopGroup(count: 1, name: "answering")
        let loop = group.loops[0]
        try await loop.submit {
            // The loop retains the acceptor, and each stream its delegate.
            _ = try Acceptor(listener, on: loop) { descriptor in
                guard let stream = try? Reactor.Stream(adopting: descriptor, on: loop) else { return }
                stream.delegate = Talk(stream, answer)
            }
        }
    }

    deinit { group.shutdown() }

    private final class Talk: StreamDelegate {
        private let stream: Reactor.Stream
        private let answer: ([UInt8], Reactor.Stream) -> Void
        private var received: [UInt8] = []

        init(_ stream: Reactor.Stream, _ answer: @escaping ([UInt8], Reactor.Stream) -> Void) {
            self.stream = stream
            self.answer = answer
        }

        func received(_ bytes: inout MutableRawSpan) {
            received += bytes.bytes.withUnsafeBytes { Array($0) }
            answer(received, stream)
        }
        func ended() { stream.close() }
        func failed(_ error: SystemError) {}
        func drained() {}
    }
}
