import Client
import Contract

/// Says how a session went.
enum OutcomeCommand {
    /// The word that takes an outcome back.
    static let none = "none"

    @Sendable static func run(_ invocation: Invocation) async throws {
        let patch = try patch(invocation.arguments[0] ?? "", note: invocation.arguments.value("note"))
        let (api, id) = try await invocation.signedIn(
            naming: invocation.arguments[1], .registration, else: latest)
        let registration = try await api.changeRegistration(id, patch)
        let console = invocation.console
        console.json(registration)
        let outcome =
            registration.outcome.map { SpokenWords.outcome($0, registration.note) } ?? local("taken back")
        console.note(
            "\(LocalClock.span(registration.slot)): \(SafeText.escape(registration.task)): \(outcome).")
    }

    private static func patch(_ word: String, note: String?) throws(Failure) -> RegistrationPatch {
        if word == none {
            if note != nil { throw .usage("A note goes with an outcome, and \(none) takes both back.") }
            return RegistrationPatch(outcome: .clear)
        }
        guard let outcome = SessionOutcome(rawValue: word) else {
            let words = SessionOutcome.allCases.map(\.rawValue).joined(separator: ", ")
            throw .usage("\"\(SafeText.escape(word))\" is no outcome: say \(words), or \(none).")
        }
        return RegistrationPatch(outcome: .set(outcome), note: note.map { .set($0) } ?? .keep)
    }

    /// Returns the last session that can have an outcome now.
    private static func latest(_ api: APIClient) async throws -> Identifier {
        let now = await ServerClock.now(api)
        // A session is a day long at most.
        let from = now.adding(.seconds(-86_400 - Limits.outcomeSeconds))
        let all = try await RegistrationList.all {
            try await api.registrations(
                from: from, to: now.adding(.seconds(1)), limit: Limits.page.upperBound, cursor: $0)
        }
        if let latest = all.last(where: { canHaveOutcome($0, at: now) }) { return latest.id }
        throw Failure(
            .notFound, "No recent session",
            "No session of yours runs, or ended within a day. "
                + "\"letsswitch registrations --all\" shows all that there were.")
    }

    private static func canHaveOutcome(_ registration: Registration, at now: Timestamp) -> Bool {
        switch registration.state.known {
        case .matched, .attended, .missed:
            registration.slot.startsAt <= now
                && now < registration.slot.endsAt.adding(.seconds(Limits.outcomeSeconds))
        case .registered, .cancelled, .lapsed, nil: false
        }
    }
}

/// Says something to one's room at the start.
enum CheckInCommand {
    @Sendable static func run(_ invocation: Invocation) async throws {
        let text = invocation.arguments[0]
        guard (text == nil) == invocation.arguments.has("remove") else {
            throw Failure.usage("Give either the text, or --remove.")
        }
        let api = try await invocation.signedIn()
        let room = try await RoomFinder(api: api).openRoom(nil)
        guard let me = room.members.first(where: \.you) else {
            throw Failure(.notFound, "No room of yours is open", "You have left that room.")
        }
        let registration = try await api.checkIn(text, to: me.id)
        invocation.console.json(registration)
        invocation.console.note(text == nil ? "Taken back." : "All members of your room see it.")
    }
}
