import Client
import Codecs
import Contract
import Reactor

/// A person who lives through a siege, with one slot and a part that is played as far as the servers permit.
///
/// Requests that fail for a transient reason are tried again, at whichever server is there, until there is an
/// answer.
final class BesiegedPerson: Sendable {
    enum Part: CaseIterable, Sendable {
        /// Registers early, enters, cheers and stays. The keen one has a webhook, and marks the others
        /// afterwards.
        case keen, steady
        /// Registers early and never comes.
        case absent
        /// Registers early, and cancels before the room opens.
        case fickle
        /// Registers early, enters, and cancels from the room.
        case leaver
        /// Registers when the room is open.
        case late, later
        /// Registers early, reads whatever can be read, and deletes the account in the middle.
        case goner
        /// Both register early and stay. Before that the offended one has blocked the offender, who has the
        /// offended one among the favourites.
        case offended, offender
    }

    let part: Part
    let slot: Timestamp
    private let grid: Grid
    private let fleet: Fleet
    private let home: Int
    let receiver: WebhookReceiver
    /// The feud, shared by its two people.
    let feud: Feud?
    /// The idempotency key of the account, and of the registration.
    private let key = APIClient.makeIdempotencyKey()
    private let state = Lock((person: Person?.none, ledger: BesiegedLedger()))
    private let dice: Lock<SplitMix64>

    init(
        _ part: Part, _ slot: Timestamp, _ grid: Grid, at home: Int, of fleet: Fleet,
        tellingOf receiver: WebhookReceiver, feud: Feud? = nil, seed: UInt64
    ) {
        self.feud = feud
        self.part = part
        self.slot = slot
        self.grid = grid
        self.home = home
        self.fleet = fleet
        self.receiver = receiver
        dice = Lock(SplitMix64(seed: seed))
    }

    var ledger: BesiegedLedger { state.withLock { $0.ledger } }
    var person: Person? { state.withLock { $0.person } }
    var description: String { "\(part) of \(slot), user \(person.map { "\($0.user.id)" } ?? "none")" }

    var opensAt: Timestamp { grid.opensAt(slot) }
    var endsAt: Timestamp { grid.endsAt(slot) }
    /// The instant after which no request is tried again.
    private var patienceEndsAt: Timestamp { endsAt.adding(.seconds(20)) }

    /// Whether the person makes no more requests, and only receives notifications.
    var hasPlayed: Bool { ledger.hasPlayed }

    /// Plays the part, and receives notifications until the task is cancelled.
    func live() async {
        defer { state.withLock { $0.ledger.hasPlayed = true } }
        let early = instant(opensAt.adding(.milliseconds(-2800))...opensAt.adding(.milliseconds(-300)))
        let late = instant(opensAt...slot.adding(.milliseconds(1800)))
        do {
            let isLate = part == .late || part == .later
            try await Timestamp.reach(isLate ? late.adding(.milliseconds(-500)) : early)
            let person = try await signUp()
            state.withLock { $0.person = person }
            await withTaskGroup(of: Void.self) { group in
                group.addTask { await self.follow(person) }
                if isLate { try? await Timestamp.reach(late) }
                await self.play()
                state.withLock { $0.ledger.hasPlayed = true }
                await group.waitForAll()
            }
        } catch {
            // The task was cancelled, or the slot was over first.
        }
    }

    private func play() async {
        do {
            if let feud { try await take(part, in: feud) }
            guard try await register() else { return }
            switch part {
            case .keen:
                try await listen()
                await stay()
                for _ in 0..<3 { try await remember() }
            case .steady, .late, .offended, .offender: await stay()
            case .absent, .later: break
            case .fickle:
                try await cancel()
            case .leaver:
                async let stay: Void = stay()
                try await Timestamp.reach(instant(opensAt...slot.adding(.seconds(1))))
                try await cancel()
                await stay
            case .goner:
                let end = instant(opensAt.adding(.milliseconds(-500))...slot)
                repeat { try await look() } while Timestamp.now < end
                try await leave()
            }
        } catch {
            note(error)
        }
    }

    // Requests.

    private func signUp() async throws -> Person {
        while true {
            do {
                return try await Person(named: "\(part)", on: try await fleet.server(home), key: key)
            } catch {
                note(error)
                try await pause()
            }
        }
    }

    /// Returns the answer of the call, which is tried again while errors are transient. Throws a final error,
    /// and any error long after the end of the slot.
    func insist<Value: Sendable>(
        _ body: @Sendable (APIClient) async throws -> Value
    ) async throws -> Value {
        while true {
            do {
                guard let person else { throw CancellationError() }
                return try await body(try person.at(try await fleet.server(home)).api)
            } catch let error as ClientError {
                guard error.isPassing, Timestamp.now < patienceEndsAt else { throw error }
                note(error)
                try await pause()
            }
        }
    }

    private func register() async throws -> Bool {
        let slot = slot
        // The users' time zone is UTC, so local times are the same.
        let local = LocalDateTime("\(slot)".filter { $0 != "Z" }).map { [$0] }
        let slots: NewRegistration.Slots =
            if part == .steady, let local { .local(local, timeZone: nil) } else { .instants([slot]) }
        let key = key
        let ask: @Sendable (APIClient) async throws -> Registration? = { api in
            try await api.repeating(key).register(NewRegistration(task: "Work", slots: slots)).first
        }
        do {
            let made = try await insist(ask)
            let isThere = acknowledge(made)
            // As if the answer had been lost.
            if let id = made?.id { await askAgain(for: id, ask) }
            return isThere
        } catch ClientError.problem(let problem) where problem.status == 409 {
            if problem.name == .alreadyRegistered { contradict("refused as already registered") }
            // It is too late, unless the service was too slow.
            return acknowledge(
                try await insist { api in
                    try await api.registrations().registrations.first { $0.slot.startsAt == slot }
                })
        }
    }

    private func askAgain(
        for id: Identifier, _ ask: @Sendable (APIClient) async throws -> Registration?
    ) async {
        do {
            let again = try await insist(ask)
            if again?.id != id { contradict("\(again.map { "\($0.id)" } ?? "nothing") and not \(id)") }
        } catch ClientError.problem(let problem) {
            contradict(problem.detail)
        } catch {
            // There was no answer for long, or the task was cancelled.
        }
    }

    private func contradict(_ answer: String) {
        note { $0.contradictions.append("the registration came again, and was answered: \(answer)") }
    }

    private func acknowledge(_ registration: Registration?) -> Bool {
        guard let registration else { return false }
        state.withLock { state in
            state.ledger.registration = registration.id
            state.ledger.acknowledgedAt = Timestamp.now
        }
        return true
    }

    private func cancel() async throws {
        guard let id = ledger.registration else { return }
        state.withLock { $0.ledger.hasTriedToCancel = true }
        do {
            try await insist { try await $0.cancel(id) }
            state.withLock { $0.ledger.isCancelled = true }
        } catch ClientError.problem(let problem) where problem.status == 409 {
            // The slot is over.
        }
    }

    private func leave() async throws {
        note { $0.hasTriedToLeave = true }
        do {
            let token = try await insist { try await $0.rotateToken() }
            state.withLock { $0.person = $0.person?.with(token: token) }
            try await insist { try await $0.deleteMe() }
            note { $0.hasLeft = true }
        } catch ClientError.problem(let problem) where problem.status == 401 {
            // The account is gone already, or its token is, and the answer was lost.
        }
    }

    // Notifications and sockets.

    /// Receives every notification once, at whichever server is there.
    private func follow(_ person: Person) async {
        while !Task.isCancelled {
            do {
                let api = try person.at(try await fleet.server(home)).api
                for try await event in api.events(after: ledger.told.last?.id ?? 0) {
                    if case .notification(let notification) = event {
                        state.withLock { $0.ledger.hear(notification) }
                    } else if case .interrupted = event {
                        break
                    }
                }
                try await pause()
            } catch ClientError.problem(let problem) where problem.status == 401 {
                return
            } catch {
                try? await pause()
            }
        }
    }

    /// Stays in the room, or on the way back to it, until the slot is over.
    private func stay() async {
        while !Task.isCancelled && Timestamp.now < endsAt && !ledger.isOver && !ledger.isCancelled {
            do {
                guard let room = ledger.room, let person else {
                    try await pause()
                    continue
                }
                let server = try await fleet.server(of: room)
                let socket = try await RoomSocket.open(room, as: try person.at(server))
                _ = try await socket.message("handshake")
                note { $0.handshakes.append((server, .now)) }
                for _ in 0..<2 {
                    state.withLock { $0.ledger.cheers += 1 }
                    await socket.cheer()
                }
                _ = try await socket.close()
                await socket.drop()
                // Reconnecting without a pause would leave no time to the others.
                try await pause()
            } catch {
                try? await pause()
            }
        }
    }

    private func note(_ error: any Error) {
        guard case .problem(let problem) = error as? ClientError, problem.status == 500 else { return }
        note { $0.surprises.append("500: \(problem.detail)") }
    }

    func note(_ change: (inout BesiegedLedger) -> Void) { state.withLock { change(&$0.ledger) } }

    func pause() async throws {
        try await ContinuousClock().sleep(for: .milliseconds(40 + Int(draw() % 60)))
    }

    private func draw() -> UInt64 { dice.withLock { $0.next() } }

    private func instant(_ range: ClosedRange<Timestamp>) -> Timestamp {
        let width = range.upperBound.microseconds - range.lowerBound.microseconds
        let part = draw() % UInt64(max(1, width))
        return Timestamp(microseconds: range.lowerBound.microseconds + Int64(part))
    }
}

extension ClientError {
    /// Whether another attempt may well succeed.
    fileprivate var isPassing: Bool {
        switch self {
        case .network, .timedOut, .unexpected: true
        case .problem(let problem):
            problem.status >= 500 || problem.status == 429 || problem.name == .keyUnderWay
        case .badAddress, .untrusted, .cancelled, .queueFull, .badMessage, .storage: false
        }
    }
}
