import Contract
import Database
import HTTP1
package import HTTPServer
import Matching
import Scheduling

/// The call that lists the slots of a day.
package struct SlotEndpoints: EndpointGroup {
    package let rest: REST

    package init(_ rest: REST) { self.rest = rest }

    package func add(to router: inout Router) {
        router.on(.get, Routes.slots, rest.signedIn(listSlots))
    }

    private func listSlots(_ user: SignedInUser, _ request: HTTPRequest) async throws -> HTTPResponse {
        let query = QueryReader(request.query)
        let name = try query.timeZone(knownTo: application.timeZones) ?? user.timeZone
        let zone = try application.zone(name)
        let database = application.database(request.loop)
        let now = application.now()
        let date: LocalDate
        if let given = try query.date() {
            date = given
        } else {
            date = try await RoutineChanges.day(of: now, in: zone, by: database)
        }
        let rules = application.rules
        let minutes = try rules.lengths.map { try query.minutes(among: $0.minutes) ?? $0.standard }
        let slots = try await DaySlot.read(
            on: date, in: zone, of: user.id, step: rules.startGrid.slotSeconds,
            minutes: rules.keyMinutes(minutes), lead: rules.lead, at: now, from: database)
        let language = request.language(of: user)
        let list = SlotList(
            date: date, timeZone: name, slots: slots.map { view(of: $0, at: now, in: language) },
            minutes: minutes, lengths: rules.lengths?.minutes)
        return try Answer.tagged(list, .revalidated, isWeak: true, in: language, for: request)
    }

    private func view(of slot: DaySlot, at now: Timestamp, in language: Language) -> SlotView {
        let others = max(0, slot.people - (slot.state == nil ? 0 : 1))
        let isTooLate = slot.isLeft || application.isTooLate(slot.key, at: now)
        let isClosed = slot.isClosedByOperator && slot.state == .matched
        return SlotView(
            startsAt: SlotKey(slot.key).startsAt, endsAt: application.rules.endsAt(slot.key),
            localTime: slot.localTime, utcOffset: slot.utcOffset,
            state: isClosed ? .closed : Self.slotState(slot.state, others: others, isTooLate: isTooLate),
            others: others, registrationId: slot.registration, roomId: isClosed ? nil : slot.room,
            closedBy: isClosed ? .operator : nil, task: slot.task, partners: slot.partners, in: language)
    }

    /// Returns the state of a slot for a user, from the user's own registration.
    static func slotState(_ own: RegistrationState?, others: Int, isTooLate: Bool) -> SlotState {
        switch own {
        case .registered: others > 0 ? .partnered : .registered
        case .matched: .open
        case .attended: .attended
        case .missed: .missed
        case .lapsed: .lapsed
        case .cancelled, nil: isTooLate ? .closed : others > 0 ? .waiting : .empty
        }
    }
}
