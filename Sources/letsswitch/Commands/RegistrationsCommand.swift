import Client
import Contract
import Reactor

/// `registrations` and `cancel`.
enum RegistrationsCommand {
    @Sendable static func cancel(_ invocation: Invocation) async throws {
        let (api, entry) = try await invocation.signedIn(naming: invocation.arguments[0], .registration)
        try await api.cancel(entry.id)
        invocation.console.json(["id": .string("\(entry.id)"), "state": "cancelled"])
        invocation.console.note(entry.label.map { "Cancelled: \($0)" } ?? "Cancelled.")
    }

    @Sendable static func list(_ invocation: Invocation) async throws {
        let api = try await invocation.signedIn()
        let showsAll = invocation.arguments.has("all")
        // A slot that is running began at most a day ago.
        let from = showsAll ? nil : WallClock.now.adding(.seconds(-86_400))
        var all = try await RegistrationList.all {
            try await api.registrations(from: from, limit: Limits.page.upperBound, cursor: $0)
        }
        if !showsAll { all.removeAll { !isAhead($0) } }
        EntryList.show(
            .registration, all, RegistrationList(registrations: all), invocation, api,
            none: "You have none. letsswitch register \"What you will do\" --at next",
            advice: "Cancel one by its number: letsswitch cancel N"
        ) { registration in
            EntryList.Row(
                entry: ListEntry(registration),
                cells: [
                    LocalClock.span(registration.slot), state(registration),
                    SafeText.escape(registration.tag ?? ""), registration.id.description,
                    SafeText.escape(registration.task)
                        + (registration.routineId == nil ? "" : "  " + local("(routine)"))
                        + intent(of: registration),
                ])
        }
    }

    /// Returns the state, and the outcome if there is one.
    private static func state(_ registration: Registration) -> String {
        let outcome = registration.outcome.map { ", \(SpokenWords.outcome($0, nil))" } ?? ""
        return registration.state.word + outcome
    }

    private static func intent(of registration: Registration) -> String {
        let words = [
            registration.with == .favourites ? local("favourites only") : nil,
            registration.quiet == true ? local("no ales") : nil,
        ].compactMap(\.self)
        return words.isEmpty ? "" : "  (\(words.joined(separator: ", ")))"
    }

    private static func isAhead(_ registration: Registration) -> Bool {
        switch registration.state.known {
        case .registered, .matched, nil: registration.slot.endsAt > WallClock.now
        case .attended, .missed, .cancelled, .lapsed: false
        }
    }
}
