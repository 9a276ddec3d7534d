import CLinux
import Glibc
import Synchronization

/// The server's log: one line for each event on standard error, from any thread. It must not contain secrets.
///
/// No caller waits for the reader of standard error. A message that comes too often within a second is only
/// counted.
package enum Log {
    package enum Level: String, CaseIterable, Comparable, Sendable {
        case debug, info, warning, error

        private var rank: Int {
            switch self {
            case .debug: 0
            case .info: 1
            case .warning: 2
            case .error: 3
            }
        }

        package static func < (one: Level, other: Level) -> Bool { one.rank < other.rank }
    }

    package enum Format: String, CaseIterable, Sendable { case text, json }

    /// The fields of an event, in the order of printing.
    package typealias Fields = KeyValuePairs<String, any CustomStringConvertible>

    private static let lowest = Atomic<Int>(1)
    private static let isJSON = Atomic<Bool>(false)

    /// Whether the current task logs nothing, as in a simulation of servers.
    @TaskLocal package static var isMuted = false

    /// Sets the level and the format, once at the start; until then they are `info` and text.
    package static func configure(level: Level, format: Format) {
        lowest.store(Level.allCases.firstIndex(of: level) ?? 0, ordering: .relaxed)
        isJSON.store(format == .json, ordering: .relaxed)
    }

    /// Whether lines of the level are written.
    package static func isWritten(_ level: Level) -> Bool {
        level >= Level.allCases[lowest.load(ordering: .relaxed)] && !isMuted
    }

    package static func debug(_ message: @autoclosure () -> String, _ fields: @autoclosure () -> Fields = [:])
    {
        write(.debug, message, fields)
    }

    package static func info(_ message: @autoclosure () -> String, _ fields: @autoclosure () -> Fields = [:])
    {
        write(.info, message, fields)
    }

    package static func warning(
        _ message: @autoclosure () -> String, _ fields: @autoclosure () -> Fields = [:]
    ) {
        write(.warning, message, fields)
    }

    package static func error(_ message: @autoclosure () -> String, _ fields: @autoclosure () -> Fields = [:])
    {
        write(.error, message, fields)
    }

    /// Writes a line of the level `info`, whatever the level of the log is and however often the message
    /// comes: for lines that the operator has asked for one by one. A flood of them crowds out no other line.
    package static func always(_ message: String, _ fields: Fields) {
        writer.write(line(.info, message, fields), isBulk: true)
    }

    private static func write(_ level: Level, _ message: () -> String, _ fields: () -> Fields) {
        guard isWritten(level) else { return }
        let message = message()
        writer.write(level, message) { line(level, message, fields()) }
    }

    private static func line(_ level: Level, _ message: String, _ fields: Fields) -> String {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return line(level, message, fields, at: time, format: isJSON.load(ordering: .relaxed) ? .json : .text)
    }

    /// Writes a line without time and level, for the user who started the program.
    package static func plain(_ line: String) { writer.write(line) }

    /// Waits, at most for `patience`, until all lines are written. It is called at the end of the process.
    package static func flush(within patience: Duration) { writer.flush(within: patience) }

    /// The number of lines that were lost, since no process read standard error.
    package static var lostCount: Int { writer.lostCount }

    /// The number of lines that were counted and reported together instead of written.
    package static var repeatedCount: Int { writer.repeatedCount }

    private static let writer = LogWriter(STDERR_FILENO) { notice in
        switch notice {
        case .repeated(let told):
            line(
                told.level, told.message.isEmpty ? "further messages" : told.message, ["repeats": told.count])
        case .lost(let count):
            line(.warning, "log lines were lost: standard error was full", ["count": count])
        }
    }
}
