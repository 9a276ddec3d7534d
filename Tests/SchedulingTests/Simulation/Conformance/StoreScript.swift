import Codecs
import Contract
import Matching
import Reactor

@testable import Scheduling

/// A script that is drawn from a seed and runs against PostgreSQL and its model alike. It records the result
/// of each step.
struct StoreScript {
    private static let first = Timestamp("2030-01-01T09:00:00Z") ?? Timestamp(seconds: 0)
    private static let length = Duration.seconds(1800)

    private let subject: any ScriptSubject
    private var random: SplitMix64
    private let clock = Lock(first.adding(.seconds(-3600)))
    private let roomCount = Lock<UInt64>(0)
    private var registrations: [ScriptRegistration] = []
    /// Those that were stored: they may have a guest, and blocks name them.
    private var stored: [ScriptRegistration] = []
    private(set) var lines: [String] = []

    init(_ subject: any ScriptSubject, seed: UInt64) {
        self.subject = subject
        random = SplitMix64(seed: seed)
    }

    static func play(_ subject: any ScriptSubject, seed: UInt64) async throws -> [String] {
        var script = StoreScript(subject, seed: seed)
        for slot in 0..<2 { try await script.play(first.adding(.seconds(1800 * slot))) }
        return script.lines
    }

    private mutating func play(_ startsAt: Timestamp) async throws {
        for person in 1...Int.random(in: 2...6, using: &random) { try await register(person, startsAt) }
        if Bool.random(using: &random) { try await block() }
        try await look("before", startsAt)
        set(startsAt.adding(.seconds(-60)))
        try await match(startsAt)
        for _ in 0..<8 {
            set(now.adding(.seconds(Int.random(in: 1...150, using: &random))))
            try await step(startsAt)
        }
        set(startsAt.adding(Self.length))
        let closer = SlotCloser(clock: ScriptClock(clock), store: subject.store)
        lines.append(
            "closed: \(try await closer.close(startsAt)), again: \(try await closer.close(startsAt))")
        // The server's clock is behind the one that closed the slot.
        try await register(8, startsAt)
        try await look("after", startsAt)
    }

    private mutating func step(_ startsAt: Timestamp) async throws {
        let mine = registrations.filter { $0.startsAt == startsAt }
        guard let registration = mine.randomElement(using: &random) else { return }
        switch Int.random(in: 0..<8, using: &random) {
        case 0:
            try await register(registration.person, startsAt)
        case 1:
            try await register(Int.random(in: 7...9, using: &random), startsAt)
        case 2:
            lines.append("r\(registration.number) cancels")
            try await subject.cancel(registration, at: now)
        case 3, 4:
            lines.append("r\(registration.number) is there")
            try await subject.visit(registration, isPresent: true, at: now)
        case 5:
            lines.append("r\(registration.number) is away")
            try await subject.visit(registration, isPresent: false, at: now)
        case 6:
            try await block()
        default:
            try await subject.store.serve(startsAt, at: now)
            let note = try await subject.store.noteAlive(
                at: now, upSince: now, silence: .seconds(75), releasing: true)
            lines.append("noted \(note), outages \(try await subject.outages())")
        }
        try await match(startsAt)
        try await look("then", startsAt)
    }

    private var now: Timestamp { clock.withLock { $0 } }

    private func set(_ instant: Timestamp) { clock.withLock { $0 = instant } }

    private mutating func register(_ person: Int, _ startsAt: Timestamp) async throws {
        var registration = ScriptRegistration(
            number: 100 + registrations.count, startsAt: startsAt, person: person,
            tag: [nil, "code", "write"].randomElement(using: &random) ?? nil)
        registration.intent.favouritesOnly = Int.random(in: 0..<6, using: &random) == 0
        if Int.random(in: 0..<3, using: &random) == 0 {
            registration.intent.invitedBy =
                stored.filter { $0.startsAt == startsAt }.randomElement(using: &random)?.id
        }
        registrations.append(registration)
        let answer = try await subject.register(registration)
        if answer == "registered" { stored.append(registration) }
        lines.append("r\(registration.number) of user \(person): \(answer)")
    }

    private mutating func block() async throws {
        guard let one = stored.randomElement(using: &random),
            let other = stored.randomElement(using: &random), one.person != other.person
        else { return }
        lines.append("user \(one.person) blocks user \(other.person)")
        try await subject.block(one, other)
    }

    private mutating func match(_ startsAt: Timestamp) async throws {
        guard let grid = SlotGrid(slotSeconds: 1800), let two = RoomSize(2) else { return }
        var rules = ScheduleRules(grid: grid, lead: .seconds(60), roomSize: two)
        rules.noShow = .seconds(120)
        rules.roomsAtOnce = 2
        let count = roomCount
        let matcher = SlotMatcher(
            rules: rules, clock: ScriptClock(clock), store: subject.store,
            makeRoomID: {
                Identifier(
                    value: UInt128(
                        count.withLock {
                            $0 += 1
                            return $0
                        }) << 64 | 3)
            }, holder: "here")
        let outcome = try await matcher.match(startsAt, seed: random.next())
        lines.append(
            "matched \(outcome.people) anew, \(outcome.rematched) again, in \(outcome.rooms.map(\.number))")
    }

    /// Records everything that can be read.
    private mutating func look(_ moment: String, _ startsAt: Timestamp) async throws {
        lines.append("\(moment): \(try await subject.store.agenda())")
        let read = try await subject.store.people(of: startsAt, within: .seconds(10))
        lines.append("people \(read.people.map { "\($0)" })")
        lines.append("ties \(Set(read.edges.map { "\($0)" }).sorted())")
        lines += try await subject.store.transaction(on: startsAt) { slot in try await Self.look(slot) }
        // Notifications of different people have no order: a room's members are told in any order.
        let told = try await subject.notifications()
        for (_, told) in told.enumerated().sorted(by: {
            ($0.element.registration, $0.offset) < ($1.element.registration, $1.offset)
        }) {
            let room = told.room.map { "\($0.number)" } ?? "-"
            lines.append("told r\(told.registration.number) \(told.type) \(room) \(told.revision ?? 0)")
        }
    }

    private static func look(_ slot: any SlotTransaction) async throws -> [String] {
        let arrivals = try await slot.arrivals()
        let members = try await slot.members(awayAfter: nil)
        let unplaced = try await slot.unplaced(arrivals.map(\.registration) + members.map(\.registration))
        return [
            "slot \(String(describing: try await slot.slot()))",
            "arrivals \(arrivals.map { "\($0)" })",
            "members \(members.map { "\($0)" })",
            "unplaced \(unplaced.map(\.number).sorted())",
            "blocks \(Set(try await slot.blocks().map { "\($0)" }).sorted())",
            "ties \(Set(try await slot.edges(of: arrivals.map(\.registration)).map { "\($0)" }).sorted())",
        ]
    }
}

/// A clock that stands still between the steps of a script.
private struct ScriptClock: ScheduleClock {
    private let time: Lock<Timestamp>

    init(_ time: Lock<Timestamp>) { self.time = time }

    func now() -> Timestamp { time.withLock { $0 } }
    var isCertain: Bool { true }
    func monotonicNanoseconds() -> UInt64 { 0 }
    func wake(after delay: Duration, _ body: @escaping @Sendable () -> Void) -> @Sendable () -> Void { {} }
}
