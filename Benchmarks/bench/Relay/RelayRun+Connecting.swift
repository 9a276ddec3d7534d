import CLinux
import Glibc
import Reactor

extension RelayRun {
    private static let patience: UInt64 = 20_000_000_000
    /// The number of loopback addresses that connections come from: each has some 28,000 ports, and a closed
    /// one stays in TIME_WAIT.
    private static let sources = 8
    private static let endOfHead = Array("\r\n\r\n".utf8)

    /// Opens every connection, some at once, until each is in its room or has failed.
    mutating func connectAll() {
        var begun = 0
        var (progress, known) = (Monotonic.nanoseconds(), 0)
        while settledCount < plan.memberCount {
            while begun < plan.memberCount && begun - settledCount < plan.parallel {
                connect(begun)
                begun += 1
            }
            turn(milliseconds: plan.spins ? 0 : 100)
            if settledCount > known { (progress, known) = (Monotonic.nanoseconds(), settledCount) }
            if Monotonic.nanoseconds() - progress > Self.patience {
                for member in 0..<begun where members[member].phase != .ready {
                    lose(member, "no answer came")
                }
                settledCount = plan.memberCount
            }
        }
    }

    private mutating func connect(_ member: Int) {
        let kind = CInt(SOCK_STREAM.rawValue) | CInt(SOCK_NONBLOCK.rawValue) | CInt(SOCK_CLOEXEC.rawValue)
        let descriptor = socket(AF_INET, kind, 0)
        guard descriptor >= 0 else {
            settledCount += 1
            members[member].phase = .gone
            return complain("socket: \(String(cString: strerror(errno)))")
        }
        members[member].descriptor = descriptor
        var one: CInt = 1
        let size = socklen_t(MemoryLayout<CInt>.size)
        _ = setsockopt(descriptor, CInt(IPPROTO_TCP), TCP_NODELAY, &one, size)
        _ = setsockopt(descriptor, CInt(IPPROTO_IP), IP_BIND_ADDRESS_NO_PORT, &one, size)
        _ = Self.with(host: 1 + member % Self.sources, port: 0) { bind(descriptor, $0, $1) }
        let result = Self.with(host: 1, port: plan.port) { Glibc.connect(descriptor, $0, $1) }
        members[member].phase = .asking
        if result != 0 && errno != EINPROGRESS {
            return lose(member, "connect: \(String(cString: strerror(errno)))")
        }
        watch(member, EPOLL_CTL_ADD, isBlocked: result != 0)
        if result == 0 { ask(member) }
    }

    /// Continues a connection whose socket has become writable.
    mutating func writable(_ member: Int) {
        switch members[member].phase {
        case .asking:
            watch(member, EPOLL_CTL_MOD, isBlocked: false)
            ask(member)
        case .ready: flush(member)
        case .absent, .greeting, .gone: break
        }
    }

    /// Sends the handshake request, which is far smaller than a fresh socket's buffer.
    private mutating func ask(_ member: Int) {
        let request = handshakes.requests[member]
        let count = send(members[member].descriptor, request, request.count, CInt(MSG_NOSIGNAL))
        if count != request.count { lose(member, "the request could not be sent") }
    }

    /// Takes the handshake response, of which `text` is what has arrived. Returns its length once it is
    /// complete.
    mutating func takeAnswer(_ member: Int, _ text: UnsafeRawBufferPointer) -> Int {
        guard let end = AleText.index(of: Self.endOfHead, in: text) else { return 0 }
        let length = end + Self.endOfHead.count
        let isUpgrade = text.starts(with: "HTTP/1.1 101 ".utf8)
        let head = UnsafeRawBufferPointer(rebasing: text[..<length])
        guard isUpgrade, AleText.index(of: handshakes.proofs[member], in: head) != nil else {
            lose(member, "refused: \(String(decoding: text.prefix(300), as: UTF8.self))")
            return length
        }
        members[member].phase = .greeting
        return length
    }

    mutating func greeted(_ member: Int, _ text: UnsafeRawBufferPointer, _ now: UInt64) {
        guard AleText.isGreeting(text) else { return complain("the first message is no handshake") }
        if plan.version == 2 {
            guard let id = AleText.ownID(in: text) else {
                return complain("the handshake does not say who we are")
            }
            (ids + member * AleText.idBytes).copyMemory(from: id, byteCount: AleText.idBytes)
        }
        members[member].phase = .ready
        readyCount += 1
        settledCount += 1
        lastReady = now
    }

    private static func with<Result>(
        host: Int, port: UInt16, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result
    ) -> Result {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = (0x7F00_0000 + UInt32(host)).bigEndian
        return withUnsafePointer(to: address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
    }
}
