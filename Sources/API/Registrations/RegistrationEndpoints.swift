import Contract
package import Database
import HTTP1
package import HTTPServer
import Postgres
import Settings

/// The calls for registrations.
package struct RegistrationEndpoints: EndpointGroup {
    package let rest: REST
    let batcher: RegistrationBatcher
    let leaving: Leaving

    package init(_ rest: REST, _ batcher: RegistrationBatcher, _ leaving: Leaving) {
        self.rest = rest
        self.batcher = batcher
        self.leaving = leaving
    }

    package func add(to router: inout Router) {
        router.on(.post, Routes.registrations, body: NewRegistration.maximumBytes, rest.keyed(register))
        router.on(.get, Routes.registrations, rest.signedIn(listRegistrations))
        router.on(.get, Routes.registrations + "/{id}", rest.signedIn(readRegistration))
        router.on(
            .patch, Routes.registrations + "/{id}", body: RegistrationPatch.maximumBytes,
            rest.signedIn(changeRegistration))
        router.on(.delete, Routes.registrations + "/{id}", rest.signedIn(cancelRegistration))
    }

    private func listRegistrations(_ user: SignedInUser, _ request: HTTPRequest) async throws -> HTTPResponse
    {
        let query = QueryReader(request.query)
        let limit = try query.limit()
        let (from, to) = (try query.time("from"), try query.time("to"))
        let (state, cursor) = (try query.state(), try query.cursor { Cursor($0) })
        // One more than is asked for says whether there is a next page.
        let found = try await UserRegistrations.page(
            of: user.id, from: from, to: to, state: state, after: cursor.map { ($0.startsAt, $0.id) },
            limit: limit + 1, in: application.database(request.loop))
        let page = found.prefix(limit)
        var list = RegistrationList(registrations: page.map(\.registration))
        if found.count > limit, let last = page.last {
            list.nextCursor = Cursor(startsAt: last.key, id: last.registration.id).text
        }
        return try Answer.page(
            list, of: Routes.registrations, next: list.nextCursor, .revalidated, for: request)
    }

    private func readRegistration(_ user: SignedInUser, _ request: HTTPRequest) async throws -> HTTPResponse {
        try Answer.tagged(
            try await readOwn(try request.id(), of: user, in: application.database(request.loop)),
            .revalidated, for: request)
    }

    private func changeRegistration(
        _ user: SignedInUser, _ request: HTTPRequest
    ) async throws -> HTTPResponse {
        let id = try request.id()
        let patch = try request.read(RegistrationPatch.self)
        let registration =
            patch.hasWords
            ? try await say(patch, on: id, user, request) : try await change(id, of: user, patch, request)
        return Answer.preferred(try Answer.tagged(registration, for: request), for: request)
    }

    /// Changes task, tag and intent, until the room opens.
    private func change(
        _ id: Identifier, of user: SignedInUser, _ patch: RegistrationPatch, _ request: HTTPRequest
    ) async throws -> Registration {
        let now = application.now()
        let opening = now.adding(.seconds(application.configuration.leadSeconds))
        // A registration that can no longer be changed is refused without waiting for a lock.
        let current = try await readOwn(id, of: user, in: application.database(request.loop))
        guard current.state == .registered, current.slot.startsAt > opening else {
            throw APIError(.conflict, Self.whyUnchangeable(current.state))
        }
        let slot = LockKey.slot(current.slot.startsAt)
        let (changed, registration) = try await application.locks.transaction(under: slot, attempts: 1) {
            connection in
            // If a match has read the person's intent already, the change waits for the match and is then
            // too late.
            if patch.changesIntent,
                let span = try await UserRegistrations.findSpan(id, of: user.id, in: connection)
            {
                try await SlotLock.take(span.startsAt, on: connection)
            }
            if request.head.headers.contains("If-Match") {
                let before = try await UserRegistrations.find(
                    id, of: user.id, locking: true, in: connection
                ).orThrow(.notFound)
                try Answer.check(before, as: request)
            }
            let changed = try await UserRegistrations.change(
                id, of: user.id, patch, opensAfter: opening, at: now, on: connection)
            let registration = try await UserRegistrations.find(id, of: user.id, in: connection)
            return (changed, try registration.orThrow(.notFound))
        }
        guard changed else { throw APIError(.conflict, Self.whyUnchangeable(registration.state)) }
        return registration
    }

    private func readOwn(
        _ id: Identifier, of user: SignedInUser, in database: PostgresPool
    ) async throws -> Registration {
        try await UserRegistrations.find(id, of: user.id, in: database).orThrow(.notFound)
    }

    private static func whyUnchangeable(_ state: Extensible<RegistrationState>) -> Text {
        switch state.known {
        case .cancelled: "This registration is cancelled. Make a new one."
        case .registered, .matched: "The room opens or is open: it stays as it is now."
        case .attended, .missed, .lapsed, nil: "This slot is over: it stays as it was."
        }
    }
}
