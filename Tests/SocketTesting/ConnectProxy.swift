import Reactor

/// An HTTP proxy on loopback: it opens tunnels (CONNECT) and forwards requests with an absolute URL. It stops
/// when it is deallocated.
package final class ConnectProxy: Sendable {
    package let port: UInt16
    private let group: EventLoopGroup
    private let heads = Lock<[String]>([])

    /// Starts the proxy. `ports` are the ports on loopback of the targets that it knows, by `host:port`; for
    /// all others it answers 502. `credentials` is the value of `Proxy-Authorization` that requests need.
    package init(to ports: [String: UInt16], credentials: String? = nil) async throws {
        let listener = try Listener(binding: Loopback.address)
        port = listener.address.port
        group = try EventLoopGroup(count: 1, name: "proxy")
        let (loop, heads) = (group.loops[0], self.heads)
        try await loop.submit {
            // The loop retains the acceptor, and each stream its delegate.
            _ = try Acceptor(listener, on: loop) { descriptor in
                guard let stream = try? Reactor.Stream(adopting: descriptor, on: loop) else { return }
                stream.delegate = Front(stream, ports, credentials) { head in
                    heads.withLock { $0.append(head) }
                }
            }
        }
    }

    deinit { group.shutdown() }

    /// The head of each request, up to its empty line.
    package var requests: [String] { heads.withLock { $0 } }

    /// The side of the client.
    private final class Front: StreamDelegate {
        private let stream: Reactor.Stream
        private let ports: [String: UInt16]
        private let credentials: String?
        private let note: (String) -> Void
        private var head: [UInt8] = []
        private var back: Back?

        init(
            _ stream: Reactor.Stream, _ ports: [String: UInt16], _ credentials: String?,
            _ note: @escaping (String) -> Void
        ) {
            self.stream = stream
            self.ports = ports
            self.credentials = credentials
            self.note = note
        }

        func received(_ bytes: inout MutableRawSpan) {
            let bytes = bytes.bytes.withUnsafeBytes { Array($0) }
            if let back { return back.send(bytes) }
            head += bytes
            let ending = Array("\r\n\r\n".utf8)
            for end in head.indices.dropLast(3) where head[end..<end + 4].elementsEqual(ending) {
                return begin(String(decoding: head[..<end], as: UTF8.self), rest: head[(end + 4)...])
            }
        }

        private func begin(_ head: String, rest: ArraySlice<UInt8>) {
            note(head)
            var lines = head.split(separator: "\r\n").map(String.init)
            if let credentials,
                !lines.contains(where: {
                    $0.lowercased() == "proxy-authorization: \(credentials)".lowercased()
                })
            {
                return refuse("407 Proxy Authentication Required")
            }
            let words = lines[0].split(separator: " ").map(String.init)
            var (target, first): (String, [UInt8]) = (words[1], [])
            let isTunnel = words[0] == "CONNECT"
            if !isTunnel {
                let url = words[1].dropFirst("http://".count)
                target = String(url.prefix { $0 != "/" })
                if !target.contains(":") { target += ":80" }
                lines[0] = "\(words[0]) \(url.drop { $0 != "/" }) \(words[2])"
                lines.removeAll { $0.lowercased().hasPrefix("proxy-") }
                first = Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8)
            }
            guard let port = ports[target] else { return refuse("502 Bad Gateway") }
            back = Back(stream, to: port, isTunnel: isTunnel)
            back?.send(first + rest)
        }

        private func refuse(_ status: String) {
            stream.write(Array("HTTP/1.1 \(status)\r\nContent-Length: 0\r\nConnection: close\r\n\r\n".utf8))
            stream.finishWriting()
        }

        func ended() { back?.finish() }
        func failed(_ error: SystemError) { back?.close() }
        func drained() {}
    }

    /// The side of the target.
    private final class Back: StreamDelegate {
        private let front: Reactor.Stream
        private var stream: Reactor.Stream?
        private var waiting: [UInt8] = []

        init(_ front: Reactor.Stream, to port: UInt16, isTunnel: Bool) {
            self.front = front
            guard let address = SocketAddress(numeric: "127.0.0.1", port: port) else { return }
            Connector(address, on: front.loop, timeout: .seconds(60)) { result in
                guard case .success(let stream) = result else { return front.close() }
                stream.delegate = self
                self.stream = stream
                if isTunnel { front.write(Array("HTTP/1.1 200 Connection established\r\n\r\n".utf8)) }
                stream.write(self.waiting)
            }
        }

        func send(_ bytes: [UInt8]) {
            if let stream { stream.write(bytes) } else { waiting += bytes }
        }

        func finish() { stream?.finishWriting() }
        func close() { stream?.close() }
        func received(_ bytes: inout MutableRawSpan) {
            front.write(bytes.bytes.withUnsafeBytes { Array($0) })
        }
        func ended() { front.finishWriting() }
        func failed(_ error: SystemError) { front.close() }
        func drained() {}
    }
}
