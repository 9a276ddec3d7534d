import CLinux
import Glibc

/// The resolver of host names. The C library's resolver blocks, so each query has a thread of its own.
package enum Resolver {
    package enum Failure: Error, Equatable, CustomStringConvertible {
        case notFound(String)
        case timedOut

        package var description: String {
            switch self {
            case .notFound(let reason): reason
            case .timedOut: "no answer from the name service in time"
            }
        }
    }

    /// Returns every address of the host, in the order of preference. A thread that gets no answer is left to
    /// end by itself; `over` is called on any thread when no thread is left.
    package static func resolve(
        _ host: String, port: UInt16, on loop: EventLoop, timeout: Duration = .seconds(5),
        over: @escaping @Sendable () -> Void = {}
    ) async throws(Failure) -> [SocketAddress] {
        if let address = SocketAddress(numeric: host, port: port) {
            over()
            return [address]
        }
        let result = await withCheckedContinuation { (continuation: CheckedContinuation<Answer, Never>) in
            // The thread or the timer, whichever takes the continuation out of the lock, resumes it once.
            let waiting = Lock<CheckedContinuation<Answer, Never>?>(continuation)
            let finish: @Sendable (Answer) -> Void = { answer in
                waiting.withLock { waiting in
                    defer { waiting = nil }
                    return waiting
                }?.resume(returning: answer)
            }
            loop.execute { loop.schedule(after: timeout) { finish(.failure(.timedOut)) } }
            let isAsking = BlockingThread.detach {
                finish(ask(host, port))
                over()
            }
            if !isAsking {
                over()
                finish(.failure(.notFound("the system has no thread left")))
            }
        }
        return try result.get()
    }

    private typealias Answer = Result<[SocketAddress], Failure>

    private static func ask(_ host: String, _ port: UInt16) -> Answer {
        var hints = addrinfo()
        hints.ai_socktype = CInt(SOCK_STREAM.rawValue)
        var list: UnsafeMutablePointer<addrinfo>?
        let code = getaddrinfo(host, String(port), &hints, &list)
        guard code == 0 else {
            DescriptorBudget.process.probe()
            return .failure(.notFound(String(cString: gai_strerror(code))))
        }
        defer { freeaddrinfo(list) }
        var addresses: [SocketAddress] = []
        var next = list
        while let entry = next?.pointee {
            if let address = entry.ai_addr {
                addresses.append(SocketAddress(copying: address, length: Int(entry.ai_addrlen)))
            }
            next = entry.ai_next
        }
        return .success(addresses)
    }
}
