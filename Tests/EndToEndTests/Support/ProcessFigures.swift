import Glibc
import TestKit

/// The time for which threads ran, and the time for which they could have run and waited for a core.
struct ProcessorTurns: Sendable, CustomStringConvertible {
    /// The times of each thread, in nanoseconds.
    private var threads: [String: (ran: Int64, waited: Int64)] = [:]

    /// Reads the times of all threads of the processes.
    init(of processes: [Int32]) {
        for process in processes {
            for (thread, times) in ProcessFigures(processID: process).turns() {
                threads["\(process)/\(thread)"] = times
            }
        }
    }

    /// Leaves out what was before; threads that have ended meanwhile are not counted.
    init(_ now: ProcessorTurns, since before: ProcessorTurns) {
        for (thread, times) in now.threads {
            let earlier = before.threads[thread] ?? (0, 0)
            threads[thread] = (times.ran - earlier.ran, times.waited - earlier.waited)
        }
    }

    var ran: Duration { .nanoseconds(threads.values.reduce(0) { $0 + $1.ran }) }
    var waited: Duration { .nanoseconds(threads.values.reduce(0) { $0 + $1.waited }) }

    /// Whether the threads had so few turns that the time that something takes says nothing about them.
    var areFew: Bool { waited > ran * 3 }

    var description: String { "ran for \(ran) and waited for a core for \(waited)" }
}

/// The kernel's figures of a process.
struct ProcessFigures {
    let processID: Int32

    /// Returns the bytes of anonymous memory: without those of the program and its libraries, which are
    /// mapped as they are used.
    func memory() throws -> Int {
        guard let line = try read("status").split(separator: "\n").first(where: { $0.hasPrefix("RssAnon:") }),
            let kibibytes = line.split(whereSeparator: { $0 == " " || $0 == "\t" }).dropFirst().first,
            let number = Int(kibibytes)
        else { throw TestError("no RssAnon of \(processID)") }
        return number * 1024
    }

    /// Returns the processor time so far.
    func processorTime() throws -> Duration {
        // The name, in brackets, may have spaces; the third field comes behind it.
        let fields = try read("stat").split(separator: ")").last?.split(separator: " ") ?? []
        guard fields.count > 12, let user = Int(fields[11]), let system = Int(fields[12]) else {
            throw TestError("no times of \(processID)")
        }
        return .seconds(user + system) / sysconf(CInt(_SC_CLK_TCK))
    }

    /// Returns the number of open descriptors.
    func descriptorCount() throws -> Int { try entries(of: "fd").count }

    /// Returns whether all threads stand still since a signal has stopped them.
    func standsStill() throws -> Bool {
        try entries(of: "task").allSatisfy { thread in
            try read("task/\(thread)/stat").split(separator: ")").last?.hasPrefix(" T") ?? false
        }
    }

    /// Returns the nanoseconds for which each thread ran, and for which it waited for a core.
    func turns() -> [String: (ran: Int64, waited: Int64)] {
        var turns: [String: (ran: Int64, waited: Int64)] = [:]
        // A thread may end meanwhile, and so may the process.
        for thread in (try? entries(of: "task")) ?? [] {
            let fields = (try? read("task/\(thread)/schedstat"))?.split(separator: " ") ?? []
            if fields.count > 1, let ran = Int64(fields[0]), let waited = Int64(fields[1]) {
                turns[thread] = (ran, waited)
            }
        }
        return turns
    }

    private func entries(of folder: String) throws -> [String] {
        guard let directory = opendir("/proc/\(processID)/\(folder)") else {
            throw TestError("/proc/\(processID)/\(folder): \(errno)")
        }
        defer { closedir(directory) }
        var names: [String] = []
        while let entry = readdir(directory) {
            let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if !name.hasPrefix(".") { names.append(name) }
        }
        return names
    }

    private func read(_ name: String) throws -> String {
        let descriptor = open("/proc/\(processID)/\(name)", O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw TestError("/proc/\(processID)/\(name): \(errno)") }
        defer { close(descriptor) }
        var buffer = [UInt8](repeating: 0, count: 8192)
        let count = Glibc.read(descriptor, &buffer, buffer.count)
        return String(decoding: buffer.prefix(max(0, count)), as: UTF8.self)
    }
}
