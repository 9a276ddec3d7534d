import Reactor
import TLS

/// A TLS relay in front of a server on loopback without TLS.
package final class TLSRelay: Sendable {
    private let endpoint: TLSEndpoint

    package init(_ identity: Identity, to port: UInt16) async throws {
        endpoint = try await TLSEndpoint(identity) { talk, event in
            switch event {
            case .established:
                let back = Back(talk)
                talk.belongings = back
                back.connect(to: port)
            case .received(let bytes): (talk.belongings as? Back)?.send(bytes)
            case .ended: (talk.belongings as? Back)?.finish()
            case .failed: (talk.belongings as? Back)?.close()
            case .drained: break
            }
        }
    }

    package var port: UInt16 { endpoint.port }

    /// The address with a host name, which the certificate is for.
    package var url: String { "https://localhost:\(port)" }

    /// The connection to the server.
    private final class Back: StreamDelegate {
        private weak var talk: TLSTalk?
        private let front: TLSStream?
        private var stream: Reactor.Stream?
        private var waiting: [UInt8] = []
        private var hasFinished = false

        init(_ talk: TLSTalk) {
            self.talk = talk
            front = talk.stream
        }

        func connect(to port: UInt16) {
            guard let address = SocketAddress(numeric: "127.0.0.1", port: port), let loop = front?.loop else {
                return
            }
            Connector(address, on: loop, timeout: .seconds(60)) { result in
                guard case .success(let stream) = result else { return self.failed() }
                stream.delegate = self
                self.stream = stream
                stream.write(self.waiting)
                if self.hasFinished { stream.finishWriting() }
            }
        }

        func send(_ bytes: [UInt8]) {
            if let stream { stream.write(bytes) } else { waiting += bytes }
        }

        func finish() {
            hasFinished = true
            stream?.finishWriting()
        }

        func close() { stream?.close() }

        func received(_ bytes: inout MutableRawSpan) {
            front?.write(bytes.bytes.withUnsafeBytes { Array($0) })
        }

        func ended() { front?.finishWriting() }

        func failed(_ error: SystemError) { failed() }

        func drained() {}

        private func failed() { front?.close() }
    }
}
