import Contract
import Database
import HTTP1
package import HTTPServer
import Postgres

/// The calls for routines.
package struct RoutineEndpoints: EndpointGroup {
    package let rest: REST

    package init(_ rest: REST) { self.rest = rest }

    package func add(to router: inout Router) {
        router.on(.post, Routes.routines, body: NewRoutine.maximumBytes, rest.keyed(makeRoutine))
        router.on(.get, Routes.routines, rest.signedIn(listRoutines))
        let path = Routes.routines + "/{id}"
        router.on(.get, path, rest.signedIn(readRoutine))
        router.on(.patch, path, body: RoutinePatch.maximumBytes, rest.signedIn(changeRoutine))
        router.on(.delete, path, rest.signedIn(deleteRoutine))
        router.on(.post, path + "/skips", body: NewSkip.maximumBytes, rest.keyed(skipDay))
        router.on(.delete, path + "/skips/{date}", rest.signedIn(unskipDay))
    }

    var planner: RoutinePlanner {
        RoutinePlanner(application.configuration, application.rules, application.timeZones)
    }

    private func makeRoutine(_ user: SignedInUser, _ keyed: KeyedRequest) async throws -> HTTPResponse {
        let body = try keyed.request.read(NewRoutine.self)
        if let timeZone = body.timeZone { try application.checkZone(timeZone) }
        let zone = body.timeZone ?? user.timeZone
        try application.limits.checkRoutineChange(of: user.id)
        return try await registering(for: keyed.request.client) { slots, now in
            try await keyed.transaction(in: application.locks, of: .user(user.id)) { connection in
                (slots, now) = ([], application.now())
                try await connection.lockAccount(user.id)
                let count = try await StoredRoutine.count(of: user.id, on: connection)
                guard count < Limits.routines else {
                    throw APIError(
                        .limitReached,
                        "You have \(count) routines, which is as many as you may have. Delete one first.")
                }
                let today = try await RoutineChanges.day(
                    of: now, in: try planner.zone(zone), by: connection)
                try Self.check(start: body.startDate, today: today)
                var random = SystemRandomNumberGenerator()
                let routine = StoredRoutine(
                    body, id: .v7(at: now, using: &random), of: user.id, timeZone: zone, today: today, at: now
                )
                try await planner.check(routine, at: now, on: connection)
                try await routine.insert(on: connection)
                try await RoutineChanges.leaveOut(body.exdates, of: routine.id, on: connection)
                slots = try await planner.plan(routine, at: now, on: connection)
                let language = keyed.request.language(of: user)
                let made = try await view(routine, at: now, on: connection).said(in: language)
                let response = try Answer.json(
                    made, status: 201, in: language, headers: ["Location": Routes.routine(routine.id)])
                return Answer.preferred(response, for: keyed.request)
            }
        }
    }

    /// Throws a 422 for a first day that is too far from today: days are counted from it.
    private static func check(start: LocalDate?, today: LocalDate) throws(RequestError) {
        guard let start, !(today.adding(days: -366)...today.adding(days: 366)).contains(start) else { return }
        throw .invalid(at: "/startDate", "The first day is at most 366 days past or ahead.")
    }

    /// Runs a transaction that registers, and then publishes which slots have changed. The body sets these,
    /// and its time. Throws if the address has made too many registrations lately.
    func registering<Value>(
        for client: ClientAddress,
        _ body: (_ slots: inout [Timestamp], _ now: inout Timestamp) async throws -> Value
    ) async throws -> Value {
        try application.limits.checkRegistrations(0, from: client)
        var slots: [Timestamp] = []
        var now = application.now()
        do {
            let value = try await body(&slots, &now)
            application.limits.noteRegistrations(slots.count, from: client)
            RoutineWorker.tell(slots, at: now, application.changed)
            return value
        } catch {
            if case .commitUnknown? = error as? PostgresError {
                RoutineWorker.tell(slots, at: now, application.changed)
            }
            throw error
        }
    }

    /// Returns the routine as its owner sees it.
    func view(
        _ routine: StoredRoutine, at now: Timestamp, on connection: PostgresConnection
    ) async throws -> Routine {
        try await RoutineView.read(
            routine, in: application.timeZones.find(routine.timeZone), at: now, on: connection)
    }

    private func listRoutines(_ user: SignedInUser, _ request: HTTPRequest) async throws -> HTTPResponse {
        let query = QueryReader(request.query)
        let (limit, cursor) = (try query.limit(), try query.cursor { Identifier($0) })
        let language = request.language(of: user)
        let now = application.now()
        let database = application.database(request.loop)
        // One more than is asked for says whether there is a next page.
        let list = try await database.transaction(readOnly: true, attempts: 3) { connection in
            let found = try await StoredRoutine.page(
                of: user.id, after: cursor, limit: limit + 1, on: connection)
            var list = RoutineList(routines: [])
            for routine in found.prefix(limit) {
                list.routines.append(
                    try await view(routine, at: now, on: connection).said(in: language))
            }
            if found.count > limit { list.nextCursor = list.routines.last?.id.description }
            return list
        }
        return try Answer.page(
            list, of: Routes.routines, next: list.nextCursor, in: language, for: request)
    }

    private func readRoutine(_ user: SignedInUser, _ request: HTTPRequest) async throws -> HTTPResponse {
        let id = try request.id()
        let now = application.now()
        let database = application.database(request.loop)
        let routine = try await database.transaction(readOnly: true, attempts: 3) { connection in
            let routine = try await StoredRoutine.find(id, of: user.id, on: connection).orThrow(.notFound)
            return try await view(routine, at: now, on: connection)
        }
        let language = request.language(of: user)
        return try Answer.tagged(routine.said(in: language), in: language, for: request)
    }
}
