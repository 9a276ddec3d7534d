import Client
import Contract

extension APIClient {
    /// Returns the registrations that are registered or matched and whose slots are not over, in the order of
    /// the slots, and the time by the clock of the service. With a state, only those in it.
    func registrationsAhead(
        in state: RegistrationState? = nil
    ) async throws -> (registrations: [Registration], now: Timestamp) {
        let now = await ServerClock.now(self)
        // A slot that is running began at most a day ago.
        let page = try await registrations(
            from: now.adding(.seconds(-86_400)), state: state, limit: Limits.page.upperBound)
        let ahead = page.registrations.filter { registration in
            [.registered, .matched].contains(registration.state.known) && registration.slot.endsAt > now
        }
        return (ahead, now)
    }
}
