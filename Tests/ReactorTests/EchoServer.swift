import Reactor
import SocketTesting
import TestKit

/// A server that sends back what it receives, on one loop.
final class EchoServer: Sendable {
    let address: SocketAddress
    let failure = Signal<Int32>()
    private let acceptor: LoopBound<Acceptor>
    private let loop: EventLoop

    private final class Connection: StreamDelegate {
        let stream: Reactor.Stream
        let failure: Signal<Int32>

        init(_ stream: Reactor.Stream, _ failure: Signal<Int32>) {
            self.stream = stream
            self.failure = failure
        }

        func received(_ bytes: inout MutableRawSpan) {
            stream.write(bytes.bytes)
            // The stream is not read while much of its output is pending.
            if stream.pendingBytes > 128 * 1024 { stream.setPaused(true) }
        }

        func ended() {
            stream.write(Array("goodbye".utf8))
            stream.finishWriting()
            if stream.pendingBytes == 0 { stream.close() }
        }

        func failed(_ error: SystemError) { failure.send(error.code) }
        func drained() { stream.setPaused(false) }
    }

    init(on loop: EventLoop) async throws {
        let listener = try Listener(binding: Loopback.address)
        let failure = failure
        address = listener.address
        self.loop = loop
        acceptor = try await loop.submit {
            LoopBound(
                try Acceptor(listener, on: loop) { descriptor in
                    guard let stream = try? Reactor.Stream(adopting: descriptor, on: loop) else { return }
                    stream.delegate = Connection(stream, failure)
                }, to: loop)
        }
    }

    func stop() async {
        await loop.submit { [acceptor] in acceptor.value.stop() }
    }
}
