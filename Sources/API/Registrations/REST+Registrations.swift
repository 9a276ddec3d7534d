import Contract
import Database
import HTTP1
import HTTPServer
import Postgres
import Settings

extension REST {
    func addRegistrations(to router: inout Router) {
        router.on(.post, Routes.registrations, signedIn(register))
        router.on(.get, Routes.registrations, signedIn(listRegistrations))
        router.on(.get, Routes.registrations + "/{id}", signedIn(readRegistration))
        router.on(.patch, Routes.registrations + "/{id}", signedIn(changeRegistration))
    }

    private static let page = """
        SELECT \(RegistrationRow.columns)
        FROM \(RegistrationRow.tables)
        WHERE registration.user_id = $1
            AND ($2::timestamptz IS NULL OR registration.starts_at >= $2)
            AND ($3::timestamptz IS NULL OR registration.starts_at < $3)
            AND ($4::text IS NULL OR \(RegistrationRow.state()) = $4)
            AND ($5::timestamptz IS NULL OR (registration.starts_at, registration.id) > ($5, $6::uuid))
        ORDER BY registration.starts_at, registration.id
        LIMIT $7
        """

    private static let one = """
        SELECT \(RegistrationRow.columns)
        FROM \(RegistrationRow.tables)
        WHERE registration.id = $1 AND registration.user_id = $2
        """

    /// Changes a registration until its room opens; then the task stays, since the partners were told of it.
    /// `$6` is the start of a slot whose room would open now.
    private static let change = """
        UPDATE registrations SET
            task = coalesce($3, task),
            tag = CASE WHEN $4::bool THEN $5 ELSE tag END,
            updated_at = $7
        WHERE id = $1 AND user_id = $2 AND cancelled_at IS NULL AND starts_at > $6
            AND NOT EXISTS (SELECT FROM members WHERE registration_id = $1)
        """

    private func listRegistrations(_ user: SignedInUser, _ request: HTTPRequest) async throws -> HTTPResponse
    {
        let query = QueryReader(request.query)
        let limit = try query.limit()
        let (from, to) = (try query.time("from"), try query.time("to"))
        let (state, cursor) = (try query.state(), try query.cursor())
        // One row more than is asked for shows whether there is a next page.
        let rows = try await application.database(request.loop).query(
            Self.page,
            [user.id, from, to, state?.rawValue, cursor?.startsAt, cursor?.id, Int64(limit) + 1],
            retrying: true)
        let registrations = try rows.prefix(limit).map { try RegistrationRow.read($0) }
        var list = RegistrationList(registrations: registrations)
        if rows.count > limit, let last = registrations.last {
            list.nextCursor = Cursor(startsAt: last.slot.startsAt, id: last.id).text
        }
        return try Answer.json(list)
    }

    private func readRegistration(_ user: SignedInUser, _ request: HTTPRequest) async throws -> HTTPResponse {
        try Answer.json(
            try await readOwn(try request.id(), of: user, in: application.database(request.loop)))
    }

    private func changeRegistration(
        _ user: SignedInUser, _ request: HTTPRequest
    ) async throws -> HTTPResponse {
        let id = try request.id()
        let patch = try request.read(RegistrationPatch.self)
        let (setsTag, tag) = Self.replacement(patch.tag)
        let now = application.now()
        let opening = now.adding(.seconds(application.configuration.leadSeconds))
        // A registration that can no longer be changed is refused without waiting for a lock.
        let current = try await readOwn(id, of: user, in: application.database(request.loop))
        guard current.state == .registered, current.slot.startsAt > opening else {
            throw APIError(.conflict, Self.whyUnchangeable(current.state))
        }
        let slot = LockKey.slot(current.slot.startsAt)
        let (changed, registration) = try await application.locks.with(slot) { database in
            try await database.transaction { connection in
                let changed = try await connection.execute(
                    Self.change, [id, user.id, patch.task, setsTag, tag, opening, now])
                guard let row = try await connection.query(Self.one, [id, user.id]).first else {
                    throw APIError.notFound
                }
                return (changed > 0, try RegistrationRow.read(row))
            }
        }
        guard changed else { throw APIError(.conflict, Self.whyUnchangeable(registration.state)) }
        return try Answer.json(registration)
    }

    private func readOwn(
        _ id: Identifier, of user: SignedInUser, in database: PostgresPool
    ) async throws -> Registration {
        guard let row = try await database.query(Self.one, [id, user.id], retrying: true).first else {
            throw APIError.notFound
        }
        return try RegistrationRow.read(row)
    }

    private static func replacement(_ change: Change<String>) -> (sets: Bool, value: String?) {
        switch change {
        case .keep: (false, nil)
        case .clear: (true, nil)
        case .set(let value): (true, value)
        }
    }

    private static func whyUnchangeable(_ state: RegistrationState) -> String {
        switch state {
        case .cancelled: "This registration is cancelled. Make a new one."
        case .registered, .matched: "The room opens or is open: task and tag stay as they are now."
        case .attended, .missed, .lapsed: "This slot is over: task and tag stay as they were."
        }
    }
}
