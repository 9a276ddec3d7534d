package import Reactor
import TestKit

/// The far end of a connection, on which a test writes and reads bytes.
package actor Peer {
    package enum Failure: Error {
        /// The expected input, and the input that had come instead.
        case timedOut(String, received: String)
        case cannotConnect(SystemError)
    }

    /// A time limit far beyond what anything here takes, also under a sanitizer.
    private static let patience = Duration.seconds(60)

    package nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    private let loop: EventLoop
    private var stream: Reactor.Stream?
    private var received: [UInt8] = []
    private var hasEnded = false
    private var waiter: Waiter?

    private struct Waiter {
        let isSatisfied: ([UInt8], Bool) -> Bool
        let continuation: CheckedContinuation<Bool, Never>
        let timer: EventLoop.Timer
    }

    private final class Relay: StreamDelegate {
        let heard: ([UInt8]) -> Void
        let gone: () -> Void

        init(heard: @escaping ([UInt8]) -> Void, gone: @escaping () -> Void) {
            self.heard = heard
            self.gone = gone
        }

        func received(_ bytes: inout MutableRawSpan) { heard(bytes.bytes.withUnsafeBytes { Array($0) }) }
        func ended() { gone() }
        func failed(_ error: SystemError) { gone() }
        func drained() {}
    }

    /// Connects, and reads from then on.
    package init(to address: SocketAddress) async throws {
        loop = TestLoops.nextPeer()
        try await connect(address)
    }

    private func connect(_ address: SocketAddress) async throws {
        let failure = await withCheckedContinuation {
            (continuation: CheckedContinuation<SystemError?, Never>) in
            Connector(address, on: loop, timeout: Self.patience) { result in
                continuation.resume(returning: self.adopt(result))
            }
        }
        if let failure { throw Failure.cannotConnect(failure) }
    }

    /// Waits for a connection at the listener, and reads from then on.
    package init(accepting listener: Listener) async throws {
        loop = TestLoops.nextPeer()
        let failure = await accept(from: listener)
        if let failure { throw Failure.cannotConnect(failure) }
    }

    private func accept(from listener: Listener) async -> SystemError? {
        await withCheckedContinuation { (continuation: CheckedContinuation<SystemError?, Never>) in
            var acceptor: Acceptor?
            do throws(SystemError) {
                acceptor = try Acceptor(listener, on: loop) { descriptor in
                    acceptor?.stop()
                    acceptor = nil
                    do throws(SystemError) {
                        let stream = try Reactor.Stream(adopting: descriptor, on: self.loop)
                        continuation.resume(returning: self.adopt(.success(stream)))
                    } catch {
                        continuation.resume(returning: error)
                    }
                }
            } catch {
                continuation.resume(returning: error)
            }
        }
    }

    private func adopt(_ result: Result<Reactor.Stream, SystemError>) -> SystemError? {
        switch result {
        case .failure(let error): return error
        case .success(let stream):
            stream.delegate = Relay(
                heard: { [weak self] bytes in self?.assumeIsolated { $0.hear(bytes) } },
                gone: { [weak self] in self?.assumeIsolated { $0.end() } })
            self.stream = stream
            return nil
        }
    }

    // Actions of the test.

    package func send(_ text: String) { stream?.write(Array(text.utf8)) }

    package func send(_ bytes: [UInt8]) { stream?.write(bytes) }

    /// Returns when everything was handed to the kernel: on loopback it is then in the far end's buffer.
    package func waitUntilSent() async {
        while let stream, stream.isOpen, stream.pendingBytes > 0 { await Task.yield() }
    }

    /// The number of bytes that the kernel has not taken yet.
    package var pendingBytes: Int { stream?.pendingBytes ?? 0 }

    /// Stops reading until `resume`, so that the server's output piles up.
    package func pause() { stream?.setPaused(true) }

    package func resume() { stream?.setPaused(false) }

    /// Closes the output only: the server sees the end, and can still answer.
    package func finish() { stream?.finishWriting() }

    /// Closes the connection. With unread input the socket is reset, as when a program is killed.
    package func close() {
        stream?.close()
        end()
    }

    /// Returns all bytes so far, once the condition holds for them. They stay in the buffer for the next
    /// read.
    package func read(
        until what: String, _ isSatisfied: @escaping @Sendable ([UInt8]) -> Bool
    ) async throws -> [UInt8] {
        try await wait(for: what) { bytes, _ in isSatisfied(bytes) }
        return received
    }

    /// Waits until the text has arrived, and takes everything received.
    @discardableResult
    package func take(until text: String) async throws -> String {
        let sought = Array(text.utf8)
        try await wait(for: text) { bytes, _ in bytes.firstRange(of: sought) != nil }
        defer { received = [] }
        return String(decoding: received, as: UTF8.self)
    }

    /// Returns everything up to the server's end, or to a reset.
    package func readToEnd() async throws -> [UInt8] {
        try await wait(for: "the end") { _, hasEnded in hasEnded }
        return received
    }

    // Waiting.

    private func wait(for what: String, _ isSatisfied: @escaping ([UInt8], Bool) -> Bool) async throws {
        let isThere = await withCheckedContinuation { continuation in
            // The check is here, since nothing can arrive between it and the wait.
            if isSatisfied(received, hasEnded) { return continuation.resume(returning: true) }
            let timer = loop.schedule(after: Self.patience) { [weak self] in
                self?.assumeIsolated { $0.settle(false) }
            }
            waiter = Waiter(isSatisfied: isSatisfied, continuation: continuation, timer: timer)
        }
        if !isThere {
            throw Failure.timedOut(what, received: String(decoding: received.suffix(500), as: UTF8.self))
        }
    }

    private func hear(_ bytes: [UInt8]) {
        received += bytes
        check()
    }

    private func end() {
        hasEnded = true
        check()
    }

    private func check() {
        guard let waiter else { return }
        if waiter.isSatisfied(received, hasEnded) { return settle(true) }
        // Nothing more will come.
        if hasEnded { settle(false) }
    }

    private func settle(_ isThere: Bool) {
        guard let waiter else { return }
        self.waiter = nil
        loop.cancel(waiter.timer)
        waiter.continuation.resume(returning: isThere)
    }
}

extension [UInt8] {
    /// Returns the index of the first occurrence of the bytes.
    package func firstRange(of sought: [UInt8]) -> Int? {
        guard count >= sought.count else { return nil }
        return (0...(count - sought.count)).first { self[$0..<($0 + sought.count)].elementsEqual(sought) }
    }
}
