import CLinux
import Glibc

/// The budget of file descriptors of the process. Any thread may use it.
///
/// Each holder has a reserve; descriptors that are not reserved go to the holder that asks first. The budget
/// ends below the limit of open files, so that the runtime can open files too: libdispatch opens one in /proc
/// for each busy worker thread, and traps if it cannot.
///
/// Descriptors that are not counted, a lowered limit or a full table of the system can use up the rest. The
/// budget is *starved* then: it closes its spare descriptors, and grants none until it has them again, except
/// the reserves of calls to other servers and of look-ups of names that the operator chose.
///
/// Until `open` nothing is bounded, and there are no spare descriptors.
package final class DescriptorBudget: Sendable {
    /// A part of the server that holds descriptors.
    package enum Holder: Int, CaseIterable, Sendable {
        /// Connections at the public address.
        case connections
        /// Connections at the address for other servers.
        case internalConnections
        /// Connections at the address for operators.
        case deskConnections
        /// Connections that are refused with an answer.
        case refusals
        /// Connections to the servers of rooms, one for each tunnelled socket.
        case tunnels
        case deliveries
        /// Tests of endpoints.
        case tests
        /// Look-ups of receivers' names.
        case lookUps
        /// Look-ups of names that the operator chose: of the database, other servers, and services.
        case names
        /// Calls to other servers.
        case calls
        case database
        /// Loops, listeners and files.
        case files

        /// The name of the holder in metrics and logs.
        package var name: String {
            switch self {
            case .internalConnections: "internal"
            case .deskConnections: "desk"
            case .lookUps: "lookups"
            default: "\(self)"
            }
        }

        /// The descriptors of one piece of work. libcurl may try an IPv4 and an IPv6 address at once; a
        /// look-up has a socket to a name server and opens files of configuration.
        package var each: Int {
            switch self {
            case .deliveries, .tests, .lookUps, .names: 2
            case .connections, .internalConnections, .deskConnections, .refusals, .tunnels, .calls, .database,
                .files:
                1
            }
        }

        /// Whether the holder has its reserve while the budget is starved: without it the server would lose
        /// its database and its rooms.
        fileprivate var isVital: Bool { self == .names || self == .calls }
    }

    /// The descriptors that are in hand, and closed when the process has no other.
    package static let spares = 12
    /// The highest numbers below the limit. A descriptor with such a number means that the table is almost
    /// full. They remain for the runtime.
    package static let margin = 8
    /// The descriptors that have to be free beside the spare ones before the budget grants any again.
    private static let slack = 8
    private static let pause = Duration.milliseconds(100)

    /// The budget of this process, as the limit of open files is one of the process.
    package static let process = DescriptorBudget()

    /// The most descriptors that holders may have at a limit of open files.
    package static func capacity(at limit: Int) -> Int { limit - spares - margin }

    private struct State {
        var capacity = Int.max
        var reserved = [Int](repeating: 0, count: Holder.allCases.count)
        var held = [Int](repeating: 0, count: Holder.allCases.count)
        var spares: [CInt] = []
        var isStarved = false
        var loop: EventLoop?
        var starved: @Sendable ([Holder: Int]) -> Void = { _ in }
        var recovered: [@Sendable () -> Void] = []
    }

    private let state = Lock(State())

    package init() {}

    deinit {
        for spare in state.withLock({ $0.spares }) { _ = Glibc.close(spare) }
    }

    /// Bounds the budget. `limit` is that of open files. `starved` is called on any thread when the budget
    /// becomes starved, with what each holder has. The loop looks every tenth of a second whether a starved
    /// budget has recovered.
    package func open(
        limit: Int, reserved: [Holder: Int], on loop: EventLoop,
        starved: @escaping @Sendable ([Holder: Int]) -> Void
    ) {
        let spares = Self.openSpares(Self.spares, below: CInt(clamping: limit - Self.margin)) ?? []
        state.withLock { state in
            state.capacity = Self.capacity(at: limit)
            for (holder, count) in reserved { state.reserved[holder.rawValue] = count }
            state.spares = spares
            state.loop = loop
            state.starved = starved
        }
    }

    /// Has the body called, on any thread, each time that a starved budget has recovered.
    package func whenRecovered(_ body: @escaping @Sendable () -> Void) {
        state.withLock { $0.recovered.append(body) }
    }

    /// Takes descriptors for a holder. Returns false if there is no room for them; then none is taken.
    package func take(_ count: Int, for holder: Holder) -> Bool {
        state.withLock { state in
            if state.isStarved {
                let isReserved = state.held[holder.rawValue] + count <= state.reserved[holder.rawValue]
                guard holder.isVital && isReserved else { return false }
            }
            guard state.capacity != .max else {
                state.held[holder.rawValue] += count
                return true
            }
            var sum = 0
            for index in state.held.indices {
                let wanted = state.held[index] + (index == holder.rawValue ? count : 0)
                sum += max(wanted, state.reserved[index])
            }
            guard sum <= state.capacity else { return false }
            state.held[holder.rawValue] += count
            return true
        }
    }

    package func giveBack(_ count: Int, from holder: Holder) {
        state.withLock { $0.held[holder.rawValue] -= count }
    }

    fileprivate func reserve(of holder: Holder) -> Int {
        state.withLock { $0.capacity == .max ? .max : $0.reserved[holder.rawValue] }
    }

    package var isStarved: Bool { state.withLock { $0.isStarved } }

    /// The descriptors that each holder has now.
    package var held: [Holder: Int] { state.withLock { Self.held($0) } }

    // Starvation.

    /// Notes that a descriptor could not be opened, since the process or the system has no more.
    package func ranOut() {
        let report = state.withLock { state -> (spares: [CInt], tell: () -> Void, loop: EventLoop?)? in
            guard state.capacity != .max, !state.isStarved else { return nil }
            state.isStarved = true
            let (starved, held) = (state.starved, Self.held(state))
            defer { state.spares = [] }
            return (state.spares, { starved(held) }, state.loop)
        }
        guard let report else { return }
        for spare in report.spares { _ = Glibc.close(spare) }
        report.tell()
        if let loop = report.loop { recoverLater(on: loop) }
    }

    /// Notes the number of a descriptor that was just opened.
    package func opened(_ raw: CInt) {
        if state.withLock({ $0.capacity }) != .max, Int(raw) >= Self.limit - Self.margin { ranOut() }
    }

    /// Finds out whether descriptors have run out, after a failure whose reason is not known.
    package func probe() {
        let raw = Self.openOne()
        if raw >= 0 {
            opened(raw)
            _ = Glibc.close(raw)
        } else if SystemError.isOutOfDescriptors(errno) {
            ranOut()
        }
    }

    private func recoverLater(on loop: EventLoop) {
        loop.execute { loop.schedule(after: Self.pause) { self.recover(on: loop) } }
    }

    private func recover(on loop: EventLoop) {
        let below = CInt(clamping: Self.limit - Self.margin)
        guard var spares = Self.openSpares(Self.spares + Self.slack, below: below) else {
            return recoverLater(on: loop)
        }
        for raw in spares.suffix(Self.slack) { _ = Glibc.close(raw) }
        spares.removeLast(Self.slack)
        let recovered = state.withLock { [spares] state in
            state.spares = spares
            state.isStarved = false
            return state.recovered
        }
        for body in recovered { body() }
    }

    /// Opens descriptors with numbers below the bound; returns nil if there are not so many.
    private static func openSpares(_ count: Int, below bound: CInt) -> [CInt]? {
        var opened: [CInt] = []
        while opened.count < count {
            let raw = openOne()
            if raw >= 0 { opened.append(raw) }
            guard raw >= 0, raw < bound else {
                for raw in opened { _ = Glibc.close(raw) }
                return nil
            }
        }
        return opened
    }

    /// Opens a descriptor with a file of its own, so that it counts in the table of the system too.
    private static func openOne() -> CInt { eventfd(0, CInt(EFD_CLOEXEC)) }

    /// The limit of open files, which an operator can change while the process runs.
    package static var limit: Int {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return 1024 }
        return Int(clamping: limit.rlim_cur)
    }

    private static func held(_ state: State) -> [Holder: Int] {
        Dictionary(uniqueKeysWithValues: Holder.allCases.map { ($0, state.held[$0.rawValue]) })
    }
}

extension DescriptorBudget {
    /// The part of a budget that one holder takes from, for pieces of work of `Holder.each` descriptors.
    package struct Share: Sendable {
        private let budget: DescriptorBudget
        private let holder: Holder

        package init(of budget: DescriptorBudget, for holder: Holder) {
            self.budget = budget
            self.holder = holder
        }

        /// The number of descriptors that are reserved for the holder; all without a bound.
        package var reserve: Int { budget.reserve(of: holder) }

        /// Takes the descriptors of one piece of work; returns false if there is no room.
        package func take() -> Bool { budget.take(holder.each, for: holder) }

        package func giveBack() { budget.giveBack(holder.each, from: holder) }

        /// Takes the descriptors of one piece of work; nil if there is no room.
        package func lease() -> Lease? { take() ? Lease(self) : nil }

        package func whenRecovered(_ body: @escaping @Sendable () -> Void) { budget.whenRecovered(body) }
    }

    /// The descriptors of one piece of work, which are given back when the last reference is released.
    package final class Lease: Sendable {
        private let share: Share

        fileprivate init(_ share: Share) { self.share = share }

        deinit { share.giveBack() }
    }
}
