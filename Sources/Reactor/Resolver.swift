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

    /// Returns every address of a host that the operator chose, in the order of preference; `unix:` and a
    /// path is the address of a Unix socket. Callers that ask for the same host share a look-up, whose
    /// descriptors are those of the holder `names` of the budget until its thread ends.
    package static func resolve(
        _ host: String, port: UInt16, on loop: EventLoop, timeout: Duration = .seconds(5),
        descriptors: DescriptorBudget = .process
    ) async throws(Failure) -> [SocketAddress] {
        if let address = SocketAddress(numeric: host, port: port) ?? SocketAddress(unix: host) {
            return [address]
        }
        return try await share("\(host):\(port)", on: loop, timeout: timeout, descriptors: descriptors) {
            ask(host, port, $0)
        }
    }

    /// Returns the answer that `begin` gives to its argument, which is the same for all callers with a name
    /// that come until it is there. After a caller's time-out the next caller starts another look-up.
    package static func share(
        _ name: String, on loop: EventLoop, timeout: Duration, descriptors: DescriptorBudget,
        _ begin: @Sendable (@escaping Finish) -> Void
    ) async throws(Failure) -> [SocketAddress] {
        let share = DescriptorBudget.Share(of: descriptors, for: .names)
        return try await answer(on: loop, timeout: timeout) { finish in
            let (number, isFirst) = shared.withLock { $0.join(name, finish) }
            if isFirst {
                let finishAll: Finish = { answer in
                    for finish in shared.withLock({ $0.end(number, of: name) }) { finish(answer) }
                }
                if share.take() {
                    begin { answer in
                        share.giveBack()
                        finishAll(answer)
                    }
                } else {
                    finishAll(.failure(.outOfDescriptors))
                }
            }
            return { shared.withLock { $0.close(number, of: name) } }
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
            return {}
        }
    }

    package typealias Answer = Result<[SocketAddress], Failure>
    package typealias Finish = @Sendable (Answer) -> Void

    /// The shared look-ups that are under way, by numbers that are given once.
    private struct SharedLookUps {
        private var last: UInt64 = 0
        /// The look-up of each name that further callers join.
        private var open: [String: UInt64] = [:]
        private var waiting: [UInt64: [Finish]] = [:]

        /// Adds a caller to a name's look-up; the first has to begin it.
        mutating func join(_ name: String, _ finish: @escaping Finish) -> (number: UInt64, isFirst: Bool) {
            if let number = open[name] {
                waiting[number, default: []].append(finish)
                return (number, false)
            }
            last += 1
            open[name] = last
            waiting[last] = [finish]
            return (last, true)
        }

        /// Closes a look-up to later callers. Those that wait for it still get its answer.
        mutating func close(_ number: UInt64, of name: String) {
            if open[name] == number { open[name] = nil }
        }

        /// Removes a look-up, and returns the callers that wait for it.
        mutating func end(_ number: UInt64, of name: String) -> [Finish] {
            close(number, of: name)
            return waiting.removeValue(forKey: number) ?? []
        }
    }

    private static let shared = Lock(SharedLookUps())

    /// Returns the answer that `begin` gives to its argument, or a failure after the timeout, before which
    /// the result of `begin` is called.
    private static func answer(
        on loop: EventLoop, timeout: Duration, _ begin: (@escaping Finish) -> @Sendable () -> Void
    ) async throws(Failure) -> [SocketAddress] {
        let result = await withCheckedContinuation { (continuation: CheckedContinuation<Answer, Never>) in
            // The thread or the timer, whichever takes the continuation out of the lock, resumes it once.
            let unanswered = Lock<CheckedContinuation<Answer, Never>?>(continuation)
            let finish: Finish = { answer in
                unanswered.withLock { $0.take() }?.resume(returning: answer)
            }
            let giveUp = begin(finish)
            loop.execute {
                loop.schedule(after: timeout) {
                    giveUp()
                    finish(.failure(.timedOut))
                }
            }
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
