import Glibc
import Reactor

/// The machine on which everything runs, as it describes itself.
enum Machine {
    /// The load of the last 1, 5 and 15 minutes.
    static var load: String {
        get throws(BenchError) {
            try TextFile.read("/proc/loadavg").split(separator: " ").prefix(3).joined(separator: " ")
        }
    }

    /// The date, the processors and the kernel.
    static var description: String {
        get throws(BenchError) {
            let model = try TextFile.read("/proc/cpuinfo").split(separator: "\n")
                .first { $0.hasPrefix("model name") }
            let name = (model ?? "").drop { $0 != ":" }.dropFirst(2)
            let kernel = try TextFile.read("/proc/sys/kernel/osrelease").prefix { !$0.isNewline }
            let date = MeasuredSlots.text(WallClock.seconds()).prefix(10)
            return "\(date), \(sysconf(CInt(_SC_NPROCESSORS_ONLN))) × \(name), Linux \(kernel)"
        }
    }
}
