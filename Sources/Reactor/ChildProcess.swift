import CLinux
import Glibc

/// A program that this process started. A thread collects its output and reaps it, so no caller has to wait
/// for it, and it may outlive this object.
package final class ChildProcess: Sendable {
    /// The number of bytes that are kept of a captured stream, from its end.
    package static let outputLimit = 256 * 1024

    package enum Ending: Equatable, Sendable {
        case exited(CInt)
        case signalled(CInt)
    }

    package enum Stream: Sendable { case standardOutput, standardError }

    /// The destination of a stream of the child.
    package enum Destination: Sendable {
        case inherit
        case discard
        case capture
        /// The stream is appended to the file, which is created if it is missing (mode 0600).
        case file(String)
    }

    /// The program to run, with its arguments and surroundings. The child inherits no other descriptor and no
    /// blocked signal.
    package struct Command: Sendable {
        package var executable: String
        package var arguments: [String]
        package var environment: [String: String]
        package var workingDirectory: String?
        /// The standard input, at most 32 KiB, which a pipe holds without a reader.
        package var input = ""
        package var standardOutput = Destination.capture
        package var standardError = Destination.capture
        /// Whether the child has a session of its own, which signals of the terminal do not reach.
        package var ownSession = false
        /// The time after which the child is killed; nil for no limit.
        package var timeLimit: Duration?

        /// Creates a command; a name without a slash is looked up in `PATH`.
        package init(_ executable: String, _ arguments: [String] = []) {
            self.executable = executable
            self.arguments = arguments
            environment = ProcessEnvironment.current()
        }
    }

    package var processID: CInt { reference.processID }
    private let reference: ProcessReference
    private let state = Lock(State())

    private struct State {
        private var captured: [Stream: [UInt8]] = [:]
        var ending: Ending?
        var waiting: [CheckedContinuation<Ending, Never>] = []
        var watching: [Watch] = []

        func text(of stream: Stream) -> String { String(decoding: captured[stream] ?? [], as: UTF8.self) }

        mutating func append(_ bytes: ArraySlice<UInt8>, to stream: Stream) {
            captured[stream, default: []].append(contentsOf: bytes)
            let surplus = (captured[stream]?.count ?? 0) - outputLimit
            if surplus > 0 { captured[stream]?.removeFirst(surplus) }
        }
    }

    private struct Watch {
        let stream: Stream
        let text: String
        let continuation: CheckedContinuation<Bool, Never>
    }

    /// Starts the program.
    package init(_ command: Command) throws(SystemError) {
        let started = try command.spawn()
        // The child is not reaped yet, so the number is still its own.
        reference = try ProcessReference(processID: started.processID)
        let watch = OutputWatch(
            ended: reference.raw, output: started.output, errors: started.errors,
            timeLimit: command.timeLimit)
        BlockingThread.start {
            // The thread keeps this object until the child ends, so that every waiter is resumed.
            watch.run(
                received: { self.append($0, to: $1) }, outOfTime: { self.signal(SIGKILL) })
            self.end(self.reap())
        }
    }

    /// Runs the program to its end.
    package static func run(_ command: Command) async throws(SystemError) -> ChildProcess {
        let child = try ChildProcess(command)
        _ = await child.ending()
        return child
    }

    /// Sends the signal; it is no error if the child has ended already.
    package func signal(_ number: CInt) { reference.signal(number) }

    /// Waits until the child has ended, and returns its ending.
    package func ending() async -> Ending {
        await withCheckedContinuation { continuation in
            let known = state.withLock { state in
                if state.ending == nil { state.waiting.append(continuation) }
                return state.ending
            }
            if let known { continuation.resume(returning: known) }
        }
    }

    /// The ending; nil while the child runs.
    package var currentEnding: Ending? { state.withLock { $0.ending } }

    /// Returns the last `outputLimit` bytes of the stream, if it is captured.
    package func output(_ stream: Stream = .standardOutput) -> String {
        state.withLock { $0.text(of: stream) }
    }

    /// Waits until the captured stream contains the text; returns false if the child ended without it.
    package func hasPrinted(_ text: String, on stream: Stream = .standardOutput) async -> Bool {
        await withCheckedContinuation { continuation in
            let known: Bool? = state.withLock { state in
                if state.text(of: stream).contains(text) { return true }
                if state.ending != nil { return false }
                state.watching.append(Watch(stream: stream, text: text, continuation: continuation))
                return nil
            }
            if let known { continuation.resume(returning: known) }
        }
    }

    private func append(_ bytes: ArraySlice<UInt8>, to stream: Stream) {
        let satisfied = state.withLock { state in
            state.append(bytes, to: stream)
            if state.watching.isEmpty { return [CheckedContinuation<Bool, Never>]() }
            let text = state.text(of: stream)
            let satisfied = state.watching.filter { $0.stream == stream && text.contains($0.text) }
            state.watching.removeAll { $0.stream == stream && text.contains($0.text) }
            return satisfied.map(\.continuation)
        }
        for continuation in satisfied { continuation.resume(returning: true) }
    }

    private func reap() -> Ending {
        var status: CInt = 0
        while waitpid(processID, &status, 0) < 0, errno == EINTR {}
        let signal = status & 0x7f
        return signal == 0 ? .exited((status >> 8) & 0xff) : .signalled(signal)
    }

    private func end(_ ending: Ending) {
        let (waiting, disappointed) = state.withLock { state in
            defer {
                state.waiting = []
                state.watching = []
            }
            state.ending = ending
            return (state.waiting, state.watching.map(\.continuation))
        }
        for continuation in waiting { continuation.resume(returning: ending) }
        for continuation in disappointed { continuation.resume(returning: false) }
    }
}
