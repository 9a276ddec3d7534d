import CLinux
import Codecs
import Contract
import Glibc
import Reactor

/// One run of the generator, on the calling thread: connect, idle, probe, load, wait for what is missing.
///
/// Unsafe memory for the same reason as in `Ledger`: `members` and `ids` have an entry for each member, and
/// the two buffers the sizes named here.
struct RelayRun: ~Copyable {
    enum Stage {
        /// Nothing was sent, so nothing may arrive.
        case connecting
        /// One ale is in flight, in `probe.room`.
        case probing
        case loading
    }

    struct Probe {
        var room = -1
        var sender = -1
        var missing = 0
    }

    /// The next sender in a room whose members take turns.
    struct Turn {
        var place: Int32 = 0
        /// The ales that it has sent in this turn.
        var sent: Int32 = 0
        var isTouched = false
    }

    static let inputBytes = 256 * 1024
    static let outputBytes = 64 * 1024
    static let eventsPerTurn = 512

    let plan: RelayPlan
    let epoll: OwnedDescriptor
    let handshakes: HandshakeStock
    let frames: FrameStock
    let members: UnsafeMutableBufferPointer<Member>
    /// The registration of each member, as text; version 2 tells it.
    let ids: UnsafeMutableRawPointer
    let turns: UnsafeMutableBufferPointer<Turn>
    let input: UnsafeMutableRawPointer
    let output: UnsafeMutableRawPointer
    let events: UnsafeMutablePointer<epoll_event>

    var ledger: Ledger
    var stage = Stage.connecting
    var probe = Probe()
    /// The rooms in which a member may be able to send.
    var touchedRooms: [Int32] = []
    /// The number of members in their rooms; `settledCount` adds those whose connections failed.
    var readyCount = 0
    var settledCount = 0
    var lastReady: UInt64 = 0
    var random = SplitMix64(seed: .random(in: 0 ... .max))
    /// The first few errors, for people.
    var complaints: [String] = []

    init(_ plan: RelayPlan) throws(BenchError) {
        let frames = try FrameStock(plan)
        let raw = epoll_create1(CInt(EPOLL_CLOEXEC))
        guard raw >= 0 else { throw .failed("epoll_create1: \(String(cString: strerror(errno)))") }
        self.plan = plan
        self.frames = frames
        epoll = OwnedDescriptor(adopting: raw)
        handshakes = HandshakeStock(plan, subprotocol: plan.version == 1 ? nil : Routes.socketVersion2)
        ledger = Ledger(rooms: plan.roomCount, roomSize: plan.roomSize, logCapacity: plan.logCapacity)
        members = .allocate(capacity: plan.memberCount)
        members.initialize(repeating: Member())
        turns = .allocate(capacity: plan.roomCount)
        turns.initialize(repeating: Turn())
        ids = .allocate(byteCount: plan.memberCount * AleText.idBytes, alignment: 64)
        input = .allocate(byteCount: Self.inputBytes, alignment: 64)
        output = .allocate(byteCount: Self.outputBytes, alignment: 64)
        events = .allocate(capacity: Self.eventsPerTurn)
    }

    deinit {
        for member in members {
            if member.descriptor >= 0 { _ = Glibc.close(member.descriptor) }
            member.rest?.deallocate()
        }
        members.deallocate()
        turns.deallocate()
        ids.deallocate()
        input.deallocate()
        output.deallocate()
        events.deallocate()
    }

    mutating func run() -> RelayReport {
        var report = RelayReport(plan)
        let before = serverNow
        let start = Monotonic.nanoseconds()
        connectAll()
        report.connected = readyCount
        report.connectSeconds = Self.seconds(from: start, to: lastReady)
        report.connectCPU = serverNow.seconds - before.seconds
        settle(plan.hold)
        report.emptyBytes = before.residentBytes
        report.idleBytes = serverNow.residentBytes
        if plan.probes > 0 && readyCount == plan.memberCount { probeRooms() }
        if plan.duration > 0 && readyCount == plan.memberCount { load(&report) }
        report.tally = ledger.tally
        report.complaints = complaints
        return report
    }

    var serverNow: ServerProcess {
        plan.serverProcesses.reduce(into: ServerProcess()) { sum, process in
            if let one = ServerProcess(process) { sum += one }
        }
    }

    /// Waits for events, and handles them.
    mutating func turn(milliseconds: CInt) {
        let count = epoll_wait(epoll.raw, events, CInt(Self.eventsPerTurn), milliseconds)
        for index in 0..<max(0, Int(count)) {
            let member = Int(events[index].data.u32)
            let what = events[index].events
            if what & ~EPOLLOUT.rawValue != 0 && members[member].descriptor >= 0 { read(member) }
            if what & EPOLLOUT.rawValue != 0 && members[member].descriptor >= 0 { writable(member) }
        }
    }

    /// Handles events for that long.
    mutating func settle(_ seconds: Double) {
        let end = Monotonic.nanoseconds() + UInt64(seconds * 1e9)
        while case let now = Monotonic.nanoseconds(), now < end {
            turn(milliseconds: CInt((end - now) / 1_000_000 + 1))
        }
    }

    mutating func lose(_ member: Int, _ reason: String) {
        guard members[member].descriptor >= 0 else { return }
        _ = Glibc.close(members[member].descriptor)
        members[member].descriptor = -1
        switch members[member].phase {
        case .absent, .asking, .greeting: settledCount += 1
        case .ready, .gone: break
        }
        members[member].phase = .gone
        complain(reason)
    }

    /// Counts an error, and keeps the text of the first few.
    mutating func complain(_ reason: String) {
        ledger.tally.errors += 1
        if complaints.count < 5 { complaints.append(reason) }
    }

    func watch(_ member: Int, _ operation: CInt, isBlocked: Bool) {
        var event = epoll_event()
        event.events = EPOLLIN.rawValue | (isBlocked ? EPOLLOUT.rawValue : 0)
        event.data.u32 = UInt32(member)
        _ = epoll_ctl(epoll.raw, operation, members[member].descriptor, &event)
        members[member].isBlocked = isBlocked
    }

    static func seconds(from start: UInt64, to end: UInt64) -> Double {
        end > start ? Double(end - start) / 1e9 : 0
    }
}
