import Contract
import Database
import HTTP1
import HTTPServer
import Postgres

extension RoutineEndpoints {
    func changeRoutine(_ user: SignedInUser, _ request: HTTPRequest) async throws -> HTTPResponse {
        let id = try request.id()
        let patch = try request.read(RoutinePatch.self)
        if let timeZone = patch.timeZone { try application.checkZone(timeZone) }
        try application.limits.checkRoutineChange(of: user.id)
        let routine = try await registering(for: request.client) { slots, now in
            try await application.locks.transaction(under: .user(user.id)) { connection in
                (slots, now) = ([], application.now())
                let routine = try await locked(
                    id, of: user, needsZone: patch.timeZone == nil, on: connection)
                // The lock may have been waited for.
                now = application.now()
                if request.head.headers.contains("If-Match") {
                    let before = try await view(routine, at: now, on: connection)
                    try Answer.check(anyOf: Language.allCases.map(before.said(in:)), as: request)
                }
                let changed = try await planner.apply(patch, to: routine, at: now, on: connection)
                if changed.pausedAt == nil {
                    slots = try await planner.plan(changed, at: now, on: connection)
                }
                return try await view(changed, at: now, on: connection)
            }
        }
        let language = request.language(of: user)
        let response = try Answer.tagged(routine.said(in: language), in: language, for: request)
        return Answer.preferred(response, for: request)
    }

    func deleteRoutine(_ user: SignedInUser, _ request: HTTPRequest) async throws -> HTTPResponse {
        let id = try request.id()
        let keepsRegistrations = try QueryReader(request.query).keepsRegistrations()
        try await application.locks.transaction(under: .user(user.id)) { connection in
            let routine = try await locked(id, of: user, needsZone: false, on: connection)
            // The lock may have been waited for.
            let now = application.now()
            if !keepsRegistrations {
                try await RoutineChanges.releaseAll(
                    of: routine, after: planner.barrier(at: now), at: now, on: connection)
            }
            try await routine.delete(on: connection)
        }
        return HTTPResponse(status: 204)
    }

    func skipDay(_ user: SignedInUser, _ keyed: KeyedRequest) async throws -> HTTPResponse {
        let id = try keyed.request.id()
        let date = try keyed.request.read(NewSkip.self).date
        try application.limits.checkRoutineChange(of: user.id)
        return try await keyed.transaction(in: application.locks, of: .user(user.id)) { connection in
            let routine = try await locked(id, of: user, on: connection)
            // The lock may have been waited for.
            let now = application.now()
            guard date <= LocalDate(utc: now).adding(days: 366) else {
                throw RequestError.invalid(at: "/date", "A day can be left out at most 366 days ahead.")
            }
            let skip = try await RoutineChanges.skip(
                date, of: routine, planner, at: now, on: connection)
            switch skip {
            case .done: break
            case .unknown:
                throw RequestError.invalid(at: "/date", "The routine has no such day that is still to come.")
            case .tooLate(let registration):
                throw APIError(
                    .conflict,
                    "The room of this day opens or is open. Cancel the registration instead: DELETE "
                        + "\(Routes.registration(registration)).")
            case .full:
                throw APIError(
                    .limitReached, "As many days as may be are left out. Change the rule instead.")
            }
            let language = keyed.request.language(of: user)
            let response = try Answer.json(
                try await view(routine, at: now, on: connection).said(in: language), status: 201,
                in: language, headers: ["Location": Routes.routineSkip(id, date)])
            return Answer.preferred(response, for: keyed.request)
        }
    }

    func unskipDay(_ user: SignedInUser, _ request: HTTPRequest) async throws -> HTTPResponse {
        let id = try request.id()
        guard request.parameters.count == 2, let date = LocalDate(request.parameters[1]) else {
            throw APIError.notFound
        }
        try application.limits.checkRoutineChange(of: user.id)
        try await registering(for: request.client) { slots, now in
            try await application.locks.transaction(under: .user(user.id)) { connection in
                (slots, now) = ([], application.now())
                let routine = try await locked(id, of: user, on: connection)
                guard try await RoutineChanges.unskip(date, of: routine, on: connection) else {
                    throw APIError(.notFound, "This day is not left out.")
                }
                if routine.pausedAt == nil {
                    slots = try await planner.plan(routine, at: now, on: connection)
                }
            }
        }
        return HTTPResponse(status: 204)
    }

    /// Returns the routine, under the lock of its user. With `needsZone`, PostgreSQL has to know its zone,
    /// which it may no longer do.
    private func locked(
        _ id: Identifier, of user: SignedInUser, needsZone: Bool = true, on connection: PostgresConnection
    ) async throws -> StoredRoutine {
        try await connection.lockAccount(user.id)
        let routine = try await StoredRoutine.find(id, of: user.id, on: connection).orThrow(.notFound)
        if needsZone { _ = try application.zone(routine.timeZone) }
        return routine
    }
}
