import CLinux
import Glibc
import Reactor

extension ServerConfiguration {
    /// The least share of the memory, in bytes.
    private static let leastBuffer = 64 << 20

    /// The bytes that connections may hold: `BUFFER_MIB`, or a quarter of the memory.
    package var bufferBytes: Int {
        explicitBufferMiB.map { $0 << 20 } ?? max(Self.memory() / 4, Self.leastBuffer)
    }

    /// Returns the bytes of memory that this process may use: those of the machine, or fewer by the limits of
    /// control groups (cgroup v2, memory.max).
    static func memory(
        read: (String) throws(SystemError) -> String = { path throws(SystemError) in try SmallFile.read(path)
        }
    ) -> Int {
        let machine = sysconf(CInt(_SC_PHYS_PAGES)) * sysconf(CInt(_SC_PAGESIZE))
        let own = (try? read("/proc/self/cgroup"))?.split(separator: "\n").last { $0.hasPrefix("0::/") }
        var parts = (own?.dropFirst(4) ?? "").split(separator: "/")
        var limit = machine
        // A group has at most what each group around it has. In a container the outermost is its own.
        while true {
            let folder = (["/sys/fs/cgroup"] + parts).joined(separator: "/")
            if let text = try? read(folder + "/memory.max"),
                let bytes = Int(text.prefix { $0 != "\n" })
            {
                limit = min(limit, bytes)
            }
            if parts.popLast() == nil { return limit }
        }
    }
}
