import Contract
import Database
import HTTP1
import HTTPServer
import Matching
import Postgres
import Scheduling
import Settings

extension REST {
    func register(_ user: SignedInUser, _ keyed: KeyedRequest) async throws -> HTTPResponse {
        let request = keyed.request
        let body = try request.read(NewRegistration.self)
        let now = application.now()
        let slots = try await requestedSlots(body.slots, user, application.database(request.loop), at: now)
        let pointers = body.slots.pointers
        try checkSlots(slots, pointers, at: now)
        try checkTimes(slots, pointers, at: now)
        var new = RegistrationRequest(
            user: user.id, task: body.task, tag: body.tag, createdAt: now, slots: slots)
        let response = Answer.preferred(try created(new), for: request)
        if let key = keyed.key { new.kept = (key, response.kept(id: request.id)) }
        switch try await keyed.whileUnderWay({ try await stored(new) }) {
        case .registered:
            return response
        case .taken(let positions):
            throw APIError(
                .alreadyRegistered, "You are registered for this slot already; change or cancel that one.",
                errors: positions.map { position in
                    FieldError(
                        pointer: pointers[position], detail: "You are registered for this slot already.")
                })
        case .over(let positions):
            throw Self.tooLate(positions.map { pointers[$0] })
        case .tooSeldom(let attendance):
            throw APIError(.attendance, attendance.detail)
        case .tooMany(let open):
            throw application.limits.tooManyRegistrations(open, asked: slots.count, now: now)
        case .unknownUser:
            throw APIError.accountDeleted
        case .keyUnderWay:
            throw KeyUnderWay()
        }
    }

    /// Returns the outcome of a request; throws `KeyUnderWay` if it met another one with its key.
    private func stored(_ new: RegistrationRequest) async throws -> RegistrationRequest.Outcome {
        let outcome = try await batcher.register(new)
        if outcome == .keyUnderWay { throw KeyUnderWay() }
        return outcome
    }

    /// Returns the slots in the order of the request; PostgreSQL converts local times to instants.
    private func requestedSlots(
        _ slots: NewRegistration.Slots, _ user: SignedInUser, _ database: PostgresPool, at now: Timestamp
    ) async throws -> [RequestedSlot] {
        var random = SystemRandomNumberGenerator()
        switch slots {
        case .instants(let instants):
            return instants.map { requestedSlot($0, nil, at: now, using: &random) }
        case .local(let times, let timeZone):
            if let timeZone { try checkZone(timeZone) }
            let resolved = try await LocalTimes.resolve(times, in: timeZone ?? user.timeZone, by: database)
            return resolved.map { requestedSlot($0.instant, $0.adjusted, at: now, using: &random) }
        }
    }

    private func requestedSlot(
        _ startsAt: Timestamp, _ adjusted: Registration.Adjustment?, at now: Timestamp,
        using random: inout SystemRandomNumberGenerator
    ) -> RequestedSlot {
        RequestedSlot(
            id: .v7(at: now, using: &random), startsAt: startsAt, endsAt: application.rules.endsAt(startsAt),
            adjusted: adjusted)
    }

    /// Throws a 422 for slots that are wrong at any time.
    private func checkSlots(
        _ slots: [RequestedSlot], _ pointers: [String], at now: Timestamp
    ) throws(RequestError) {
        var errors: [FieldError] = []
        var seen: Set<Timestamp> = []
        for (slot, pointer) in zip(slots, pointers) {
            let instant = slot.startsAt
            if instant.microseconds % 1_000_000 != 0 || !application.rules.grid.startsOnGrid(instant.seconds)
            {
                let length = application.rules.grid.slotSeconds
                errors.append(
                    FieldError(
                        pointer: pointer,
                        detail: "No slot starts then: they start every \(length) seconds from 00:00 UTC."))
            } else if application.isTooFarAhead(instant, at: now) {
                let days = application.configuration.maxDaysAhead
                errors.append(
                    FieldError(
                        pointer: pointer, detail: "A slot can be had at most \(days) days ahead."))
            } else if !seen.insert(instant).inserted {
                errors.append(FieldError(pointer: pointer, detail: "This slot is in the list twice."))
            }
        }
        if !errors.isEmpty { throw .invalid(errors) }
    }

    /// Throws a 409 for slots for which it is too late.
    private func checkTimes(
        _ slots: [RequestedSlot], _ pointers: [String], at now: Timestamp
    ) throws(APIError) {
        let late = zip(slots, pointers).filter { application.isTooLate($0.0.startsAt, at: now) }
        if !late.isEmpty { throw Self.tooLate(late.map(\.1)) }
    }

    private static func tooLate(_ pointers: [String]) -> APIError {
        APIError(
            .tooLate, "This slot can no longer be had; choose a later one.",
            errors: pointers.map { FieldError(pointer: $0, detail: "It is too late for this slot.") })
    }

    private func created(_ new: RegistrationRequest) throws -> HTTPResponse {
        let registrations = new.slots.map { slot in
            Registration(
                id: slot.id, slot: SlotSpan(startsAt: slot.startsAt, endsAt: slot.endsAt), task: new.task,
                tag: new.tag, state: .registered, roomId: nil, createdAt: new.createdAt,
                updatedAt: new.createdAt, adjusted: slot.adjusted)
        }
        var headers: HTTPHeaders = [:]
        if registrations.count == 1 {
            headers.append("Location", Routes.registration(registrations[0].id))
        }
        return try Answer.json(
            RegistrationList(registrations: registrations), status: 201, headers: headers)
    }
}

extension NewRegistration.Slots {
    /// The position of each slot in the body, as a JSON pointer (RFC 6901).
    fileprivate var pointers: [String] {
        switch self {
        case .instants(let instants): instants.indices.map { "/slots/\($0)" }
        case .local(let times, _): times.indices.map { "/localSlots/\($0)" }
        }
    }
}
