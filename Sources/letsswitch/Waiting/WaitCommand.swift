import Client
import Contract
import Reactor

/// Waits until a session has got as far as a script needs it.
struct WaitCommand: Sendable {
    /// The output for programs: on standard error while it waits, on standard output once that is over.
    private struct Report: Encodable {
        var event: String
        let until: String
        let registrationId: Identifier
        let startsAt: Timestamp
        let endsAt: Timestamp
        var roomId: Identifier?
        var partners: [Member]
        let detail: String
    }

    /// The pause between two looks at a room, of which no notification tells who is present.
    private static let shortPause = Duration.seconds(1)
    /// The pause between two looks where notifications tell of changes. It covers what they do not tell.
    private static let longPause = Duration.seconds(30)

    private let goal: WaitGoal
    private let id: Identifier
    private let api: APIClient
    private let console: Console
    private let news = WakeSignal()

    @Sendable static func run(_ invocation: Invocation) async throws {
        let goal = try goal(invocation)
        let (api, id) = try await invocation.signedIn(
            naming: invocation.arguments[0], .registration, else: next)
        let wait = WaitCommand(goal: goal, id: id, api: api, console: invocation.console)
        // A wrong address or token is not waited for.
        let first = try await wait.look()
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await wait.follow() }
            group.addTask { try await wait.reach(from: first) }
            defer { group.cancelAll() }
            try await group.next()
        }
    }

    /// Looks again and again until the goal is reached.
    private func reach(from first: SessionSnapshot) async throws {
        var (snapshot, told) = (first, "")
        while true {
            switch snapshot.progress(to: goal) {
            case .reached(let text):
                report("reached", snapshot, text)
                console.note(text)
                return
            case .over(let text): throw Failure(.conflict, "It cannot happen any more", Text(verbatim: text))
            case .waiting(let text):
                if text != told { console.isJSON ? report("waiting", snapshot, text) : console.warn(text) }
                told = text
            }
            let pause = snapshot.changesUntold(for: goal) ? Self.shortPause : Self.longPause
            await news.wait { try? await Task.sleep(for: pause) }
            try Task.checkCancellation()
            do throws(ClientError) {
                snapshot = try await look()
            } catch {
                // The stream says that the server is away, and when it is back.
                guard Self.mayPass(error) else { throw error }
            }
        }
    }

    /// Follows the stream of notifications: after each the session is looked at again. It never returns.
    private func follow() async throws {
        var isAway = false
        while true {
            do throws(ClientError) {
                for try await event in api.events() {
                    switch event {
                    case .connected, .notification:
                        isAway = false
                        news.send()
                    case .interrupted(let reason, let wait): away(reason, wait)
                    }
                }
            } catch {
                // Newer streams of the account have the places: the looks go on without this one.
                while error == .streamReplaced { try await Task.sleep(for: Self.longPause) }
                guard Self.mayPass(error) else { throw error }
                if !isAway { away(error.text, Self.shortPause) }
                isAway = true
            }
            try await Task.sleep(for: Self.shortPause)
        }
    }

    private func away(_ reason: Text, _ wait: Duration) {
        if console.isJSON { return }
        console.warn("\(SafeText.escape(reason.local)) Again \(Countdown.words(wait)).")
    }

    private func look() async throws(ClientError) -> SessionSnapshot {
        let registration = try await api.registration(id)
        var snapshot = SessionSnapshot(registration: registration)
        if registration.state == .registered, goal == .matched {
            snapshot.slot = try await slot(of: registration)?.state.known
        }
        if registration.state == .matched, let room = registration.roomId {
            do throws(ClientError) {
                snapshot.room = try await api.room(room)
            } catch {
                // The match has moved on to another room between the two calls.
                guard case .problem(let problem) = error, problem.name == .notFound else { throw error }
            }
        }
        return snapshot
    }

    private func slot(of registration: Registration) async throws(ClientError) -> SlotView? {
        let (start, length) = (
            registration.slot.startsAt, registration.slot.endsAt.since(registration.slot.startsAt)
        )
        let minutes = Int(length.components.seconds / 60)
        let day = try await api.slots(
            date: LocalDate(String(start.description.prefix(10))), timeZone: "UTC",
            minutes: minutes > 0 ? minutes : nil)
        return day.slots.first { $0.registrationId == registration.id }
    }

    private func report(_ event: String, _ snapshot: SessionSnapshot, _ detail: String) {
        let slot = snapshot.registration.slot
        let report = Report(
            event: event, until: goal.rawValue, registrationId: id, startsAt: slot.startsAt,
            endsAt: slot.endsAt, roomId: snapshot.room?.id, partners: snapshot.partners, detail: detail)
        event == "reached" ? console.json(report) : console.diagnostic(report)
    }

    /// Whether the error may be one of a server that restarts, or of the network or a proxy before it.
    private static func mayPass(_ error: ClientError) -> Bool {
        switch error {
        case .network, .timedOut, .unexpected, .untrusted: true
        case .problem(let problem): problem.status >= 500 || error.isTransient
        case .badAddress, .cancelled, .queueFull, .badMessage, .storage: false
        }
    }

    private static func goal(_ invocation: Invocation) throws(Failure) -> WaitGoal {
        let text = invocation.arguments.value("until") ?? ""
        guard let goal = WaitGoal(rawValue: text) else {
            let words = WaitGoal.allCases.map(\.rawValue).joined(separator: ", ")
            throw .usage("--until takes one of \(words), and not \"\(SafeText.escape(text))\".")
        }
        return goal
    }

    /// Returns the registration that is running, or else the next one.
    private static func next(_ api: APIClient) async throws -> Identifier {
        guard let next = try await api.registrationsAhead().registrations.first else {
            throw Failure(
                .notFound, "There is nothing to wait for",
                "No registrations. Register first: letsswitch register \"What you will do\" "
                    + "--at next")
        }
        return next.id
    }
}
