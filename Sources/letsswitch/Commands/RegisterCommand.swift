import Client
import Contract
import Reactor

enum RegisterCommand {
    @Sendable static func run(_ invocation: Invocation) async throws {
        let texts = invocation.arguments.all("at")
        guard texts.count <= Limits.slotsAtOnce.upperBound else {
            throw Failure.usage("--at can be given \(Limits.slotsAtOnce.upperBound) times at most.")
        }
        let code = try InviteArgument.code(invocation.arguments.value("invite"))
        guard (code == nil) != texts.isEmpty else {
            throw Failure.usage("Say when: --at TIME, or --invite CODE for the slot of another person.")
        }
        let specs = try texts.map { try TimeSpec($0) }
        let company = try company(invocation.arguments.value("with"))
        let minutes = try SlotLength.read(invocation.arguments)
        if code != nil, minutes != nil {
            throw Failure.usage("An invite has a length already: leave --for out.")
        }
        let api = try await invocation.signedIn()
        let now = await ServerClock.now(api)
        var chooser = SlotChooser(api: api, now: now, minutes: minutes)
        let slots =
            if let code { NewRegistration.Slots.invite(code) } else { try await chooser.choose(specs) }
        for note in chooser.notes { invocation.console.warn(note) }
        let wanted = NewRegistration(
            task: invocation.arguments[0] ?? "", tag: invocation.arguments.value("tag"), slots: slots,
            minutes: minutes, with: company, quiet: invocation.arguments.has("no-ales") ? true : nil)
        let made: [Registration]
        do throws(ClientError) {
            made = try await api.register(wanted)
        } catch {
            throw await refusal(error, slots, texts, &chooser)
        }
        let console = invocation.console
        console.json(RegistrationList(registrations: made))
        if !console.isJSON {
            for registration in made { console.line(await describe(registration, &chooser)) }
        }
        if let first = made.map(\.slot.startsAt).min() {
            console.note("It begins \(Countdown.words(first.since(now))). Then: letsswitch join")
        }
    }

    private static func company(_ text: String?) throws(Failure) -> Company? {
        guard let text else { return nil }
        guard let company = Company(rawValue: text) else {
            throw .usage("--with takes favourites or anyone, and not \"\(SafeText.escape(text))\".")
        }
        return company
    }

    /// Returns the failure with the time of each slot that is refused, and the registration that has it
    /// already, instead of its place in the request.
    private static func refusal(
        _ error: ClientError, _ slots: NewRegistration.Slots, _ texts: [String], _ chooser: inout SlotChooser
    ) async -> Failure {
        var failure = Failure(error)
        guard case .problem(let problem) = error, let errors = problem.errors else { return failure }
        var particulars: [String] = []
        for error in errors {
            let parts = error.pointer.split(separator: "/")
            guard parts.count == 2, ["slots", "localSlots"].contains(parts[0]), let index = Int(parts[1]),
                texts.indices.contains(index)
            else {
                if error.detail != problem.detail { particulars.append("\(error.pointer): \(error.detail)") }
                continue
            }
            // If the server cannot be asked, the slot is named in the words that were given.
            let view = try? await chooser.slot(index, of: slots)
            let span = view.map { LocalClock.span(SlotSpan(startsAt: $0.startsAt, endsAt: $0.endsAt)) }
            let holder = problem.name == .alreadyRegistered ? view?.registrationId : nil
            let reason = holder.map { local("registration \($0)") } ?? error.detail
            particulars.append("\(span ?? texts[index]): \(reason)")
        }
        failure.particulars = particulars
        return failure
    }

    /// Returns a text on a registration, with its time in the account's zone, which was asked for, and in
    /// that of this machine if they differ.
    private static func describe(_ registration: Registration, _ chooser: inout SlotChooser) async -> String {
        let moved: Text =
            switch registration.adjusted?.known {
            case nil: ""
            case .gap:
                "\n  That time does not exist on that day, as clocks go forward over it: it was moved "
                    + "on by as much."
            case .overlap:
                "\n  That time comes twice on that day, as clocks go back over it: this is the first of "
                    + "the two."
            }
        let here = LocalClock.span(registration.slot)
        var time = here
        // If the server cannot be asked, that is no failure: the slot is registered.
        if let there = try? await chooser.accountTime(of: registration.slot) {
            let isSame = here.hasPrefix(there.dateAndTime)
            let zone = here.hasSuffix(" \(there.zone)") ? "" : " (\(there.zone))"
            time =
                isSame
                ? "\(here)\(zone)" : local("\(there.dateAndTime) in \(there.zone), which is \(here) here")
        }
        let task = SafeText.escape(registration.task)
        return local("Registered: \(time): \(task) (\(registration.id))\(moved)")
    }
}
