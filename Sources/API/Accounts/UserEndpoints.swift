package import Contract
import Database
import HTTP1
package import HTTPServer
import Postgres
import Scheduling

/// The calls that make an account, and show, change and delete it.
package struct UserEndpoints: EndpointGroup {
    package let rest: REST
    private let leaving: Leaving

    package init(_ rest: REST, _ leaving: Leaving) {
        self.rest = rest
        self.leaving = leaving
    }

    package func add(to router: inout Router) {
        router.on(.post, Routes.users, body: NewUser.maximumBytes, rest.openKeyed(signUp))
        router.on(
            .get, Routes.me,
            rest.signedInAtOnce { user, request in
                try Answer.tagged(UserAnswer(user: user.user), for: request)
            })
        router.on(.patch, Routes.me, body: UserPatch.maximumBytes, rest.signedIn(changeUser))
        router.on(.delete, Routes.me, rest.signedIn(deleteUser))
    }

    private func signUp(_ keyed: KeyedRequest) async throws -> HTTPResponse {
        let request = keyed.request
        try rest.signIn.checkCookie(of: request)
        let body = try request.read(NewUser.self)
        let timeZone = body.timeZone ?? "UTC"
        try application.checkZone(timeZone)
        let admission = try application.admission(for: body, from: request.client)
        try application.limits.checkSignUp(request.client)
        let now = application.now()
        var random = SystemRandomNumberGenerator()
        let user = User(
            id: .v7(at: now, using: &random), name: body.name, timeZone: timeZone,
            language: body.language?.rawValue, createdAt: now)
        let secret = keyed.secret(.account)
        return try await keyed.transaction(
            in: application.database(request.loop), showing: secret, for: user.id
        ) { connection in
            let (token, recovery) = (APIToken(derived: secret), AccessCode(derived: secret))
            try await AccountWriter.create(user, token, recovery, under: keyed.key, on: connection)
            // Last, since others with the same code wait for its row until the commit.
            try await admission.take(in: application, on: connection)
            return try Answer.json(
                SignedUp(user: user, token: token.text, recoveryCode: recovery.text), status: 201)
        }
    }

    private func changeUser(_ user: SignedInUser, _ request: HTTPRequest) async throws -> HTTPResponse {
        let patch = try request.read(UserPatch.self)
        if let timeZone = patch.timeZone { try application.checkZone(timeZone) }
        let changed = UserAnswer(user: try await change(user, patch, request))
        return Answer.preferred(try Answer.tagged(changed, for: request), for: request)
    }

    /// Deletes the account, and ends all its streams and sockets.
    private func deleteUser(_ user: SignedInUser, _ request: HTTPRequest) async throws -> HTTPResponse {
        try await application.checkRecovery(user, request)
        try await leaving.delete(user.id) { _ in }
        var response = HTTPResponse(status: 204)
        if rest.signIn.hasCookie(request) {
            rest.signIn.cookie.remove(for: request, in: &response.headers)
        }
        return response
    }

    private func change(
        _ user: SignedInUser, _ patch: UserPatch, _ request: HTTPRequest
    ) async throws -> User {
        var rooms: [Identifier] = []
        do {
            // A deletion of the account holds the row of the user while it waits for the lock of a slot.
            let changed = try await application.locks.transaction(under: .user(user.id)) { connection in
                var name = user.name
                let changed = try await AccountWriter.change(user.user, patch, on: connection) {
                    current in
                    name = current.name
                    try Answer.check(UserAnswer(user: current), as: request)
                }
                // The account was deleted meanwhile.
                guard let changed else { throw APIError(.notFound, "There is no such account any more.") }
                let isRenamed = changed.name != name
                rooms = isRenamed ? try await UserRooms.read(of: user.id, on: connection) : []
                return changed
            }
            application.changed(.account(user.id))
            for room in rooms { application.changed(.room(room)) }
            return changed
        } catch {
            application.tell([.account(user.id)] + rooms.map { .room($0) }, ifInDoubt: error)
            throw error
        }
    }
}

extension Application {
    /// Returns the zone of an account or a routine. Throws a 409 for one that PostgreSQL knows no more.
    func zone(_ name: String) throws(APIError) -> KnownZone {
        try timeZones.find(name).orThrow(.unknownTimeZone(name))
    }

    /// Throws a 422 for a time zone in a body that PostgreSQL knows by no name.
    package func checkZone(_ name: String) throws(RequestError) {
        guard timeZones.find(name) != nil else {
            throw .invalid(
                at: "/timeZone", "There is no time zone of this name; give an IANA name like Europe/Berlin.")
        }
    }
}
