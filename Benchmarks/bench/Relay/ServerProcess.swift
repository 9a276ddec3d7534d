import Glibc

/// The kernel's figures of a server, or of several together: CPU time and memory.
struct ServerProcess {
    /// The CPU time by the process's own clock, which counts nanoseconds. The two parts of it count ticks.
    private(set) var seconds = 0.0
    private(set) var userSeconds = 0.0
    private(set) var systemSeconds = 0.0
    private(set) var residentBytes = 0.0

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
        var clock = clockid_t()
        var time = timespec()
        guard clock_getcpuclockid(pid_t(number), &clock) == 0, clock_gettime(clock, &time) == 0 else {
            return nil
        }
        seconds = Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    static func += (sum: inout ServerProcess, other: ServerProcess) {
        sum.seconds += other.seconds
        sum.userSeconds += other.userSeconds
        sum.systemSeconds += other.systemSeconds
        sum.residentBytes += other.residentBytes
    }
}
