import CLinux
import Glibc
import Reactor

/// A writer of lines to a descriptor, on a thread of its own, so that a blocked reader blocks no caller.
///
/// The queue is bounded. Lines that find it full are lost and counted, and the count is reported when there
/// is room again.
final class LogWriter: Sendable {
    package struct Limits: Sendable {
        package var lines = 8192
        package var bytes = 1024 * 1024
    }

    /// A report of the writer itself.
    package enum Notice: Equatable, Sendable {
        case repeated(LogRepeats.Told)
        /// The number of lines that were lost.
        case lost(Int)
    }

    private struct State {
        var lines: [String] = []
        var bytes = 0
        var repeats = LogRepeats()
        var isWriting = false
        var hasThread = false
        var lost = 0
        var untold = 0
    }

    private enum Work {
        case lines([String])
        case notices([Notice])
    }

    private let descriptor: CInt
    private let limits: Limits
    private let render: @Sendable (Notice) -> String
    private let state = Monitor(State())

    /// Creates a writer. The descriptor has to stay open while the process runs.
    init(_ descriptor: CInt, limits: Limits = Limits(), render: @escaping @Sendable (Notice) -> String) {
        self.descriptor = descriptor
        self.limits = limits
        self.render = render
    }

    /// The number of lines that found no room in the queue.
    package var lostCount: Int { state.read { $0.lost } }

    /// The number of lines that were counted instead of written.
    package var repeatedCount: Int { state.read { $0.repeats.total } }

    /// Queues a line, unless its message was written too often shortly before. Lines of level `debug` are
    /// never suppressed. Any thread may call it; it never blocks on the reader.
    package func write(_ level: Log.Level, _ message: String, line: () -> String) {
        if level == .debug { return write(line()) }
        let now = Monotonic.nanoseconds()
        let (told, isWritten) = state.change { $0.repeats.note(level, message, now: now) }
        if let told { write(render(.repeated(told))) }
        if isWritten { write(line()) }
    }

    /// Queues a line without counting repeats. Lines in bulk find room in the first half of the queue alone,
    /// so that the other half is left for the rest.
    package func write(_ line: String, isBulk: Bool = false) {
        let size = line.utf8.count
        let share = isBulk ? 2 : 1
        let needsThread = state.change { state in
            guard state.lines.count < limits.lines / share, state.bytes + size <= limits.bytes / share else {
                state.lost += 1
                state.untold += 1
                return false
            }
            state.lines.append(line)
            state.bytes += size
            defer { state.hasThread = true }
            return !state.hasThread
        }
        // If no thread can be started, the next line tries again.
        if needsThread, !BlockingThread.detach({ self.run() }) { state.change { $0.hasThread = false } }
    }

    /// Waits until all lines are written, including reports of repeats and losses, or until the time is over.
    /// It blocks, and is called at the end of the process.
    package func flush(within patience: Duration) {
        let deadline = Monotonic.nanoseconds() &+ patience.clampedNanoseconds
        let told = state.change { $0.repeats.takeDue(now: nil) }
        for told in told { write(render(.repeated(told))) }
        state.wait { state in
            let isDone = state.lines.isEmpty && !state.isWriting && state.untold == 0
            return isDone || Monotonic.nanoseconds() >= deadline ? .found(()) : .nothing(until: deadline)
        }
    }

    private func run() {
        pthread_setname_np(pthread_self(), "log")
        while true {
            switch state.wait({ Self.next(&$0) }) {
            case .lines(let lines): for line in lines { put(line) }
            case .notices(let notices): for notice in notices { put(render(notice)) }
            }
            state.change { $0.isWriting = false }
        }
    }

    private static func next(_ state: inout State) -> Monitor<State>.Finding<Work> {
        if !state.lines.isEmpty {
            defer {
                state.lines = []
                state.bytes = 0
                state.isWriting = true
            }
            return .found(.lines(state.lines))
        }
        // The lost lines came after those in the queue.
        if state.untold > 0 {
            defer {
                state.untold = 0
                state.isWriting = true
            }
            return .found(.notices([.lost(state.untold)]))
        }
        guard let due = state.repeats.nextDue else { return .nothing(until: nil) }
        let told = state.repeats.takeDue(now: Monotonic.nanoseconds())
        if told.isEmpty { return .nothing(until: due) }
        state.isWriting = true
        return .found(.notices(told.map { .repeated($0) }))
    }

    /// Writes a line, in one call if the reader takes it, so that lines of several processes do not mix.
    private func put(_ line: String) {
        do throws(SystemError) {
            try writeAll(Array((line + "\n").utf8), to: descriptor)
        } catch {
            state.change { $0.lost += 1 }  // The descriptor has no reader any more.
        }
    }
}
