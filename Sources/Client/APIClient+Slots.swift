public import Contract
import HTTP1

extension APIClient {
    /// Returns the names of the time zones that the server knows. It needs no token.
    public func timeZones() async throws(ClientError) -> TimeZoneList {
        try await fetch(TimeZoneList.self, Routes.timeZones)
    }

    /// Returns the slots of a day, by default of today in the time zone of the account. `minutes` is one of
    /// `SlotList.lengths`.
    public func slots(
        date: LocalDate? = nil, timeZone: String? = nil, minutes: Int? = nil
    ) async throws(ClientError) -> SlotList {
        try await send(.get, Self.slots(date, timeZone, minutes)).decode(SlotList.self)
    }

    /// Returns the slots of a day with their entity tag; nil if their tag is still this one.
    public func slots(
        date: LocalDate? = nil, timeZone: String? = nil, minutes: Int? = nil, unlessTagged tag: String?
    ) async throws(ClientError) -> Tagged<SlotList>? {
        try await fetchTagged(SlotList.self, Self.slots(date, timeZone, minutes), unlessTagged: tag)
    }

    private static func slots(_ date: LocalDate?, _ timeZone: String?, _ minutes: Int?) -> String {
        Routes.query(
            Routes.slots,
            [
                ("date", date?.description), ("timeZone", timeZone),
                ("minutes", minutes.map { String($0) }),
            ])
    }

    /// Registers one task for 1 to 48 slots, all or none. Returns the registrations in the order of the
    /// slots. Throws the problems `alreadyRegistered`, `overlaps`, `tooLate` or `invalid` with the fault of
    /// each slot.
    public func register(_ registration: NewRegistration) async throws(ClientError) -> [Registration] {
        try await submit(RegistrationList.self, .post, Routes.registrations, registration).registrations
    }

    /// Returns one page of the caller's registrations, ordered by slot.
    public func registrations(
        from: Timestamp? = nil, to: Timestamp? = nil, state: RegistrationState? = nil, limit: Int? = nil,
        cursor: String? = nil
    ) async throws(ClientError) -> RegistrationList {
        try await fetch(
            RegistrationList.self, Routes.registrations,
            [
                ("from", from?.description), ("to", to?.description), ("state", state?.rawValue),
                ("limit", limit.map { String($0) }), ("cursor", cursor),
            ])
    }

    /// Returns one of the caller's registrations. Throws the problem `notFound` for another id.
    public func registration(_ id: Identifier) async throws(ClientError) -> Registration {
        try await fetch(Registration.self, Routes.registration(id))
    }

    /// Returns a registration with the tag of its state, for `changeRegistration`.
    public func taggedRegistration(_ id: Identifier) async throws(ClientError) -> Tagged<Registration> {
        try await fetchTagged(Registration.self, Routes.registration(id)) { $0 }
    }

    /// Changes a registration. With a tag it changes nothing and throws the problem `preconditionFailed` if
    /// the registration has changed since.
    public func changeRegistration(
        _ id: Identifier, _ patch: RegistrationPatch, ifMatch tag: String? = nil
    ) async throws(ClientError) -> Registration {
        try await submit(
            Registration.self, .patch, Routes.registration(id), patch, ifMatch: tag)
    }

    /// Sets the outcome of a session, from its start until a day after its end. Without a note it keeps the
    /// old one.
    public func setOutcome(
        _ outcome: SessionOutcome, note: String? = nil, of id: Identifier
    ) async throws(ClientError) -> Registration {
        try await changeRegistration(
            id, RegistrationPatch(outcome: .set(outcome), note: note.map { .set($0) } ?? .keep))
    }

    /// Shows a text to the room while it is open; nil clears it.
    public func checkIn(_ text: String?, to id: Identifier) async throws(ClientError) -> Registration {
        try await changeRegistration(
            id, RegistrationPatch(checkIn: text.map { .set($0) } ?? .clear))
    }

    /// Makes a link with which one other person registers for the same slot, as a partner of the caller. It
    /// replaces an earlier, unused link. No other answer has it.
    ///
    /// Throws a problem: `tooLate` if registration for the slot has closed, `conflict` for a cancelled
    /// registration, or one with as many invited people as a room has.
    public func makeInvite(to registration: Identifier) async throws(ClientError) -> NewInvite {
        try await send(.post, Routes.invite(to: registration)).decode(NewInvite.self)
    }

    /// Revokes the link if it is unused. It can be repeated.
    public func removeInvite(to registration: Identifier) async throws(ClientError) {
        _ = try await send(.delete, Routes.invite(to: registration))
    }

    /// Returns the maker and the slot of the invite with this code. It needs no token.
    public func invite(_ code: String) async throws(ClientError) -> Invite {
        try await fetch(Invite.self, Routes.invite(code))
    }

    /// Cancels a registration. It can be repeated.
    public func cancel(_ id: Identifier) async throws(ClientError) {
        _ = try await send(.delete, Routes.registration(id))
    }
}
