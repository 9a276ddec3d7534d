import Glibc

/// The kernel's figures of the server: its CPU time and its memory.
struct ServerProcess {
    private(set) var userSeconds = 0.0
    private(set) var systemSeconds = 0.0
    private(set) var residentBytes = 0.0

    var seconds: Double { userSeconds + systemSeconds }

    /// The figures of no process: all of them are zero.
    init() {}

    /// Reads the figures of a process; nil when there is none with that number.
    init?(_ number: Int) {
        // proc(5): the name is in parentheses and may hold anything; the third field follows it.
        guard let text = try? TextFile.read("/proc/\(number)/stat"), let end = text.lastIndex(of: ")") else {
            return nil
        }
        let fields = text[end...].dropFirst(2).split(separator: " ")
        guard fields.count > 21, let user = Double(fields[11]), let system = Double(fields[12]),
            let pages = Double(fields[21])
        else { return nil }
        let ticks = Double(sysconf(CInt(_SC_CLK_TCK)))
        userSeconds = user / ticks
        systemSeconds = system / ticks
        residentBytes = pages * Double(sysconf(CInt(_SC_PAGESIZE)))
    }
}
