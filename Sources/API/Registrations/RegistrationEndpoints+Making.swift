import Contract
import Database
import HTTP1
import HTTPServer
import Matching
import Postgres
import Scheduling
import Settings

extension RegistrationEndpoints {
    func register(_ user: SignedInUser, _ keyed: KeyedRequest) async throws -> HTTPResponse {
        let request = keyed.request
        let lengths = application.rules.lengths
        let body =
            try lengths == nil
            ? request.read(OneLengthRegistration.self).new : request.read(NewRegistration.self)
        let minutes = try Self.minutes(of: body, among: lengths)
        let now = application.now()
        let database = application.database(request.loop)
        let invite = try await usableInvite(body.slots, for: user, in: database, at: now)
        let pointers = body.slots.pointers
        let slots: [RequestedSlot]
        if let invite {
            slots = [invite.slot(at: now)]
        } else {
            let starts = try await self.starts(of: body.slots, user, database)
            slots = requestedSlots(starts, minutes, at: now)
            try checkSlots(slots, starting: starts.map(\.instant), pointers, at: now)
        }
        let late = zip(slots, pointers).filter { application.isTooLate($0.0.startsAt, at: now) }
        if !late.isEmpty { throw Self.tooLate(late.map(\.1)) }
        try application.limits.checkRegistrations(slots.count, from: request.client)
        var isStored = false
        defer {
            if !isStored { application.limits.giveBackRegistrations(slots.count, to: request.client) }
        }
        var new = RegistrationRequest(
            user: user.id, task: body.task, tag: body.tag, createdAt: now, slots: slots)
        new.intent = RegistrationRequest.Intent(
            with: body.with, quiet: body.quiet,
            invite: invite.map { ($0.code, roomSize: application.rules.roomSize.people) })
        let response = Answer.preferred(try created(new), for: request)
        if let key = keyed.key { new.kept = (key, response.kept(id: request.id)) }
        switch try await keyed.whileUnderWay({ try await stored(new) }) {
        case .registered:
            isStored = true
            return response
        case .taken(let positions):
            throw APIError(
                .alreadyRegistered, "You are registered for this slot already; change or cancel that one.",
                errors: positions.map { position in
                    FieldError(
                        pointer: pointers[position], detail: "You are registered for this slot already.")
                })
        case .overlaps(let others):
            throw Self.overlaps(others, pointers)
        case .over(let positions):
            throw Self.tooLate(positions.map { pointers[$0] })
        case .leftTwice(let positions):
            throw Self.leftTwice(positions.map { pointers[$0] })
        case .tooSeldom(let attendance):
            throw APIError(.attendance, attendance.detail)
        case .tooMany(let open):
            throw application.limits.tooManyRegistrations(
                open, asked: slots.count, of: user.id, now: now)
        case .tooManyToday(let made):
            throw application.limits.tooManyRegistrations(
                today: made, asked: slots.count, of: user.id, now: now)
        case .inviteUnusable:
            throw Self.inviteUnusable
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

    /// A start as it was asked for.
    private typealias Start = (instant: Timestamp, adjusted: Registration.Adjustment?)

    /// Returns the starts in the order of the request; PostgreSQL converts local times to instants.
    private func starts(
        of slots: NewRegistration.Slots, _ user: SignedInUser, _ database: PostgresPool
    ) async throws -> [Start] {
        switch slots {
        case .instants(let instants):
            return instants.map { ($0, nil) }
        case .invite: return []
        case .local(let times, let timeZone):
            if let timeZone { try application.checkZone(timeZone) }
            return try await LocalTimes.resolve(
                times, in: try application.zone(timeZone ?? user.timeZone), by: database)
        }
    }

    private func requestedSlots(_ starts: [Start], _ minutes: Int?, at now: Timestamp) -> [RequestedSlot] {
        var random = SystemRandomNumberGenerator()
        return starts.map { start in
            let key = application.rules.key(startsAt: start.instant, minutes: minutes)
            return RequestedSlot(
                id: .v7(at: now, using: &random), key: key, adjusted: start.adjusted, application.rules,
                at: now)
        }
    }

    /// Throws a 422 for slots that are wrong at any time.
    private func checkSlots(
        _ slots: [RequestedSlot], starting starts: [Timestamp], _ pointers: [String], at now: Timestamp
    ) throws(RequestError) {
        var errors: [FieldError] = []
        var seen: Set<Timestamp> = []
        let grid = application.rules.startGrid
        for (index, (slot, pointer)) in zip(slots, pointers).enumerated() {
            let instant = starts[index]
            if instant.microseconds % 1_000_000 != 0 || !grid.startsOnGrid(instant.seconds) {
                errors.append(
                    FieldError(
                        pointer: pointer,
                        detail: "No slot starts then: they start every \(grid.slotSeconds) seconds "
                            + "from 00:00 UTC."))
            } else if application.isTooFarAhead(instant, at: now) {
                let days = application.configuration.maxDaysAhead
                errors.append(
                    FieldError(
                        pointer: pointer,
                        detail: days == 1
                            ? "A slot can be had at most 1 day ahead."
                            : "A slot can be had at most \(days) days ahead."))
            } else if !seen.insert(instant).inserted {
                errors.append(FieldError(pointer: pointer, detail: "This slot is in the list twice."))
            } else if let other = slots[..<index].firstIndex(where: { slot.overlaps($0) }) {
                errors.append(
                    FieldError(pointer: pointer, detail: "This slot overlaps that of \(pointers[other])."))
            }
        }
        if !errors.isEmpty { throw .invalid(errors) }
    }

    private static func overlaps(_ others: [Int: SlotSpan], _ pointers: [String]) -> APIError {
        APIError(
            .overlaps,
            "Sessions of yours would overlap: choose another start or length, or cancel the other.",
            errors: others.sorted { $0.key < $1.key }.map { position, other in
                FieldError(
                    pointer: pointers[position],
                    detail: "You have a session from \(other.startsAt) to \(other.endsAt).")
            })
    }

    /// Returns the length of the requested slots; nil where all slots have one length.
    private static func minutes(
        of body: NewRegistration, among lengths: SlotLengths?
    ) throws(RequestError) -> Int? {
        guard let lengths else { return nil }
        let minutes = body.minutes ?? lengths.standard
        if lengths.minutes.contains(minutes) { return minutes }
        let all = Text.anyOf(lengths.minutes.map { "\($0)" })
        throw .invalid(at: "/minutes", "minutes has to be \(all).")
    }

    private static func tooLate(_ pointers: [String]) -> APIError {
        APIError(
            .tooLate, "This slot can no longer be had; choose a later one.",
            errors: pointers.map { FieldError(pointer: $0, detail: "It is too late for this slot.") })
    }

    private static func leftTwice(_ pointers: [String]) -> APIError {
        APIError(
            .tooLate,
            "You have left this session twice since it opened. You can come back by an invite of a member.",
            errors: pointers.map { FieldError(pointer: $0, detail: "You have left it twice.") })
    }

    private func created(_ new: RegistrationRequest) throws -> HTTPResponse {
        let registrations = new.slots.map { slot in
            Registration(
                id: slot.id, slot: SlotSpan(key: slot.startsAt, endsAt: slot.endsAt), task: new.task,
                tag: new.tag, state: .registered, roomId: nil, createdAt: new.createdAt,
                updatedAt: new.createdAt, adjusted: slot.adjusted,
                with: new.intent?.favouritesOnly == true ? .favourites : nil,
                quiet: new.intent?.isQuiet == true ? true : nil)
        }
        var headers: HTTPHeaders = [:]
        if registrations.count == 1 {
            headers.append("Location", Routes.registration(registrations[0].id))
        }
        return try Answer.json(
            RegistrationList(registrations: registrations), status: 201, headers: headers)
    }
}

/// The body where all slots have one length, so that there is no member `minutes`.
private struct OneLengthRegistration: RequestBody {
    let new: NewRegistration

    static var members: [BodyMember] { NewRegistration.members }

    init(_ reader: inout RequestReader) throws(RequestError) {
        new = try NewRegistration(&reader, hasLengths: false)
    }

    func encode(to encoder: any Encoder) throws { try new.encode(to: encoder) }
}

extension RequestedSlot {
    /// Whether the slot overlaps another one of the same request.
    fileprivate func overlaps(_ other: RequestedSlot) -> Bool {
        SlotKey(startsAt).startsAt < other.endsAt && SlotKey(other.startsAt).startsAt < endsAt
    }
}

extension NewRegistration.Slots {
    /// The position of each slot in the body, as a JSON pointer (RFC 6901).
    fileprivate var pointers: [String] {
        switch self {
        case .instants(let instants): instants.indices.map { "/slots/\($0)" }
        case .local(let times, _): times.indices.map { "/localSlots/\($0)" }
        case .invite: ["/invite"]
        }
    }
}
