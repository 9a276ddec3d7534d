import CLinux
import Glibc

extension ServerConfiguration {
    /// The cores that this process may use, which in a container are often fewer than the machine has.
    package static var cores: Int {
        var set = cpu_set_t()
        guard sched_getaffinity(0, MemoryLayout<cpu_set_t>.size, &set) == 0 else {
            return max(1, sysconf(CInt(_SC_NPROCESSORS_ONLN)))
        }
        return withUnsafeBytes(of: set) { $0.reduce(0) { $0 + $1.nonzeroBitCount } }
    }
}
