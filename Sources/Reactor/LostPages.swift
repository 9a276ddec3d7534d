import CLinux
import Glibc
import Synchronization

/// A handler for SIGBUS, which a load or a store raises in a page of a mapped file that is past the end of
/// the file, since another program has truncated it. The handler maps empty memory instead of that page and
/// the rest of the file, and the access is made there. At any other address the signal ends the process as
/// usual.
///
/// The handler only reads and writes atomics and makes system calls, which is allowed in a signal handler.
enum LostPages {
    /// The number of files that are covered at a time. A server has one.
    private static let capacity = 64

    private struct Mapping: ~Copyable {
        let start = Atomic<UInt>(0)
        let end = Atomic<UInt>(0)
        let isLost = Atomic<Bool>(false)
    }

    // Sound: it is allocated before the handler is installed, and never freed; its members are atomics.
    nonisolated(unsafe) private static let mappings: UnsafeMutablePointer<Mapping> = {
        let mappings = UnsafeMutablePointer<Mapping>.allocate(capacity: capacity)
        for index in 0..<capacity { (mappings + index).initialize(to: Mapping()) }
        return mappings
    }()

    private static let pageMask = ~(UInt(sysconf(CInt(_SC_PAGESIZE))) - 1)

    private static let isInstalled: Bool = {
        _ = (mappings, pageMask)
        var action = sigaction()
        action.__sigaction_handler.sa_sigaction = { _, info, _ in
            // A signal that a process has sent has no address, and does not come again.
            let isFault = (info?.pointee.si_code ?? 0) > 0
            let address = UInt(bitPattern: info?.pointee._sifields._sigfault.si_addr)
            if isFault && LostPages.replace(at: address) { return }
            signal(SIGBUS, SIG_DFL)
            if !isFault { raise(SIGBUS) }
        }
        action.sa_flags = CInt(SA_SIGINFO)
        return sigaction(SIGBUS, &action, nil) == 0
    }()

    /// Covers a mapping until `end`. Returns its place; nil if there are too many.
    static func begin(_ start: UnsafeMutableRawPointer, bytes: Int) -> Int? {
        guard pageMask != 0, isInstalled else { return nil }
        let first = UInt(bitPattern: start)
        for place in 0..<capacity {
            let (isFree, _) = mappings[place].start.compareExchange(
                expected: 0, desired: first, ordering: .acquiringAndReleasing)
            guard isFree else { continue }
            mappings[place].isLost.store(false, ordering: .relaxed)
            mappings[place].end.store(first + UInt(bytes), ordering: .releasing)
            return place
        }
        return nil
    }

    static func end(_ place: Int) {
        mappings[place].end.store(0, ordering: .releasing)
        mappings[place].start.store(0, ordering: .releasing)
    }

    /// Whether pages of the mapping were gone.
    static func isLost(_ place: Int) -> Bool { mappings[place].isLost.load(ordering: .acquiring) }

    private static func replace(at address: UInt) -> Bool {
        for place in 0..<capacity {
            let start = mappings[place].start.load(ordering: .acquiring)
            let end = mappings[place].end.load(ordering: .acquiring)
            guard start != 0, start <= address, address < end else { continue }
            let page = address & pageMask
            let flags = CInt(MAP_PRIVATE) | CInt(MAP_ANONYMOUS) | CInt(MAP_FIXED) | CInt(MAP_NORESERVE)
            let memory = mmap(
                UnsafeMutableRawPointer(bitPattern: page), Int(end - page), PROT_READ | PROT_WRITE, flags, -1,
                0)
            guard memory == UnsafeMutableRawPointer(bitPattern: page) else { return false }
            mappings[place].isLost.store(true, ordering: .releasing)
            return true
        }
        return false
    }
}
