import Glibc
import TestKit

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
    func descriptorCount() throws -> Int {
        guard let directory = opendir("/proc/\(processID)/fd") else {
            throw TestError("/proc/\(processID)/fd: \(errno)")
        }
        defer { closedir(directory) }
        var count = 0
        while readdir(directory) != nil { count += 1 }
        return count - 2
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
