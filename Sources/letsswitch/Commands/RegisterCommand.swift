import Client
import Contract
import Reactor

enum RegisterCommand {
    @Sendable static func run(_ invocation: Invocation) async throws {
        let texts = invocation.arguments.all("at")
        guard texts.count <= Limits.slotsAtOnce.upperBound else {
            throw Failure.usage("--at can be given \(Limits.slotsAtOnce.upperBound) times at most.")
        }
        let specs = try texts.map { try TimeSpec($0) }
        let api = try invocation.signedIn()
        var chooser = SlotChooser(api: api, now: WallClock.now)
        let slots = try await chooser.choose(specs)
        let made = try await api.register(
            NewRegistration(
                task: invocation.arguments[0] ?? "", tag: invocation.arguments.value("tag"), slots: slots))
        let console = invocation.console
        console.json(RegistrationList(registrations: made))
        for registration in made { console.line(describe(registration)) }
        if let first = made.map(\.slot.startsAt).min() {
            console.note("It begins \(Countdown.words(first.since(WallClock.now))). Then: letsswitch join")
        }
    }

    private static func describe(_ registration: Registration) -> String {
        let moved =
            switch registration.adjusted {
            case nil: ""
            case .gap: ", moved: clocks go forward over that time"
            case .overlap: ", the first of two: clocks go back over that time"
            }
        return "Registered: \(LocalClock.span(registration.slot)) \(SafeText.escape(registration.task))"
            + " (\(registration.id))\(moved)"
    }
}
