import Contract
import Database
import HTTP1
import HTTPServer
import Matching
import Postgres
import Settings

extension REST {
    /// A start that somebody asked for, and where in the body.
    private struct Wish {
        var pointer: String
        var time: LocalTimes.Resolved
    }

    func register(_ user: SignedInUser, _ request: HTTPRequest) async throws -> HTTPResponse {
        let body = try request.read(NewRegistration.self)
        let wishes = try await wishes(body.slots, user, application.database(request.loop))
        let now = application.now()
        try checkPlaces(wishes, at: now)
        try checkTimes(wishes, at: now)
        var random = SystemRandomNumberGenerator()
        let places = wishes.map { wish in
            NewPlaces.Place(
                id: .v7(at: now, using: &random), startsAt: wish.time.instant,
                endsAt: application.endsAt(wish.time.instant), adjusted: wish.time.adjusted)
        }
        let new = NewPlaces(user: user.id, task: body.task, tag: body.tag, createdAt: now, places: places)
        switch try await batcher.register(new) {
        case .registered:
            return try created(new)
        case .taken(let positions):
            throw Refused(
                .alreadyRegistered, "You are registered for this slot already; change or cancel that one.",
                errors: positions.map { position in
                    FieldError(
                        pointer: wishes[position].pointer, detail: "You are registered for this slot already."
                    )
                })
        case .over(let positions):
            throw Self.tooLate(positions.map { wishes[$0] })
        case .tooSeldom(let attendance):
            throw Refused(.attendance, attendance.detail)
        case .tooMany(let open):
            throw application.limits.tooManyRegistrations(open, asked: places.count, now: now)
        case .unknownUser:
            throw Refused.accountDeleted
        }
    }

    private func wishes(
        _ slots: NewRegistration.Slots, _ user: SignedInUser, _ database: PostgresPool
    ) async throws -> [Wish] {
        switch slots {
        case .instants(let instants):
            return instants.enumerated().map { index, instant in
                Wish(pointer: "/slots/\(index)", time: LocalTimes.Resolved(instant: instant))
            }
        case .local(let times, let timeZone):
            if let timeZone { try checkZone(timeZone) }
            let resolved = try await LocalTimes.resolve(times, in: timeZone ?? user.timeZone, by: database)
            return resolved.enumerated().map { index, time in
                Wish(pointer: "/localSlots/\(index)", time: time)
            }
        }
    }

    /// What is wrong whatever the time of day: 422.
    private func checkPlaces(_ wishes: [Wish], at now: Timestamp) throws(RequestError) {
        var errors: [FieldError] = []
        var seen: Set<Timestamp> = []
        for wish in wishes {
            let instant = wish.time.instant
            if instant.microseconds % 1_000_000 != 0 || !application.grid.startsOnGrid(instant.seconds) {
                let length = application.grid.slotSeconds
                errors.append(
                    FieldError(
                        pointer: wish.pointer,
                        detail: "No slot starts then: they start every \(length) seconds from 00:00 UTC."))
            } else if application.isTooFarAhead(instant, at: now) {
                let days = application.configuration.maxDaysAhead
                errors.append(
                    FieldError(
                        pointer: wish.pointer, detail: "A slot can be had at most \(days) days ahead."))
            } else if !seen.insert(instant).inserted {
                errors.append(FieldError(pointer: wish.pointer, detail: "This slot is in the list twice."))
            }
        }
        if !errors.isEmpty { throw .invalid(errors) }
    }

    /// What was right once: 409.
    private func checkTimes(_ wishes: [Wish], at now: Timestamp) throws(Refused) {
        let late = wishes.filter { application.isTooLate($0.time.instant, at: now) }
        if !late.isEmpty { throw Self.tooLate(late) }
    }

    private static func tooLate(_ late: [Wish]) -> Refused {
        Refused(
            .tooLate, "This slot can no longer be had; choose a later one.",
            errors: late.map { FieldError(pointer: $0.pointer, detail: "It is too late for this slot.") })
    }

    private func created(_ new: NewPlaces) throws -> HTTPResponse {
        let registrations = new.places.map { place in
            Registration(
                id: place.id, slot: SlotSpan(startsAt: place.startsAt, endsAt: place.endsAt), task: new.task,
                tag: new.tag, state: .registered, roomId: nil, createdAt: new.createdAt,
                updatedAt: new.createdAt, adjusted: place.adjusted)
        }
        var headers: HTTPHeaders = [:]
        if registrations.count == 1 {
            headers.append("Location", Routes.registration(registrations[0].id))
        }
        return try Answer.json(
            RegistrationList(registrations: registrations), status: 201, headers: headers)
    }
}
