import CLinux
import Glibc

/// The resolver of host names. The C library's resolver blocks, so each query has a thread of its own.
package enum Resolver {
    package enum Failure: Error, Equatable, CustomStringConvertible {
        case notFound(String)
        case timedOut
        /// The process has no descriptor for the look-up.
        case outOfDescriptors

        package var description: String {
            switch self {
            case .notFound(let reason): reason
            case .timedOut: "no answer from the name service in time"
            case .outOfDescriptors: "the server has no descriptor for a look-up"
            }
        }
    }

    /// Returns every address of a host that the operator chose, in the order of preference. Callers that ask
    /// for the same host share a look-up, whose descriptors are those of the holder `names` of the budget
    /// until its thread ends.
    package static func resolve(
        _ host: String, port: UInt16, on loop: EventLoop, timeout: Duration = .seconds(5),
        descriptors: DescriptorBudget = .process
    ) async throws(Failure) -> [SocketAddress] {
        if let address = SocketAddress(numeric: host, port: port) { return [address] }
        let share = DescriptorBudget.Share(of: descriptors, for: .names)
        let name = "\(host):\(port)"
        return try await answer(on: loop, timeout: timeout) { finish in
            let isFirst = waiting.withLock { waiting in
                waiting[name, default: []].append(finish)
                return waiting[name]?.count == 1
            }
            guard isFirst else { return }
            let finishAll: Finish = { answer in
                for finish in waiting.withLock({ $0.removeValue(forKey: name) }) ?? [] { finish(answer) }
            }
            guard share.take() else { return finishAll(.failure(.outOfDescriptors)) }
            ask(host, port) { answer in
                share.giveBack()
                finishAll(answer)
            }
        }
    }

    /// Returns every address of the host, in the order of preference. A thread that gets no answer is left to
    /// end by itself; `over` is called on any thread when no thread is left. The caller counts descriptors.
    package static func resolve(
        _ host: String, port: UInt16, on loop: EventLoop, timeout: Duration = .seconds(5),
        over: @escaping @Sendable () -> Void
    ) async throws(Failure) -> [SocketAddress] {
        if let address = SocketAddress(numeric: host, port: port) {
            over()
            return [address]
        }
        return try await answer(on: loop, timeout: timeout) { finish in
            ask(host, port) { answer in
                finish(answer)
                over()
            }
        }
    }

    private typealias Answer = Result<[SocketAddress], Failure>
    private typealias Finish = @Sendable (Answer) -> Void

    /// The callers that wait for shared look-ups, by host and port.
    private static let waiting = Lock<[String: [Finish]]>([:])

    /// Returns the answer that `begin` gives to its argument, or a failure after the timeout.
    private static func answer(
        on loop: EventLoop, timeout: Duration, _ begin: (@escaping Finish) -> Void
    ) async throws(Failure) -> [SocketAddress] {
        let result = await withCheckedContinuation { (continuation: CheckedContinuation<Answer, Never>) in
            // The thread or the timer, whichever takes the continuation out of the lock, resumes it once.
            let unanswered = Lock<CheckedContinuation<Answer, Never>?>(continuation)
            let finish: Finish = { answer in
                unanswered.withLock { unanswered in
                    defer { unanswered = nil }
                    return unanswered
                }?.resume(returning: answer)
            }
            loop.execute { loop.schedule(after: timeout) { finish(.failure(.timedOut)) } }
            begin(finish)
        }
        return try result.get()
    }

    /// Asks the name service on a thread. `finish` is called once, on any thread, when no thread is left.
    private static func ask(_ host: String, _ port: UInt16, _ finish: @escaping Finish) {
        let isAsking = BlockingThread.detach { finish(ask(host, port)) }
        if !isAsking { finish(.failure(.notFound("the system has no thread left"))) }
    }

    private static func ask(_ host: String, _ port: UInt16) -> Answer {
        var hints = addrinfo()
        hints.ai_socktype = CInt(SOCK_STREAM.rawValue)
        var list: UnsafeMutablePointer<addrinfo>?
        let code = getaddrinfo(host, String(port), &hints, &list)
        guard code == 0 else {
            DescriptorBudget.process.probe()
            if DescriptorBudget.process.isStarved { return .failure(.outOfDescriptors) }
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
