import Contract
import Database
import HTTP1
import HTTPServer
import Postgres
import Scheduling

extension REST {
    func addUsers(to router: inout Router) {
        router.on(.post, Routes.users, open(signUp))
        router.on(
            .get, Routes.me, signedIn { user, _ in try Answer.json(UserAnswer(user: user.user)) })
        router.on(.patch, Routes.me, signedIn(changeUser))
    }

    private static let insertUser = """
        INSERT INTO users (id, name, time_zone, token_hash, created_at) VALUES ($1, $2, $3, $4, $5)
        """

    private static let updateUser = """
        UPDATE users SET name = coalesce($2, name), time_zone = coalesce($3, time_zone)
        WHERE id = $1
        RETURNING name, time_zone
        """

    private func signUp(_ request: HTTPRequest) async throws -> HTTPResponse {
        let body = try request.read(NewUser.self)
        let timeZone = body.timeZone ?? "UTC"
        try checkZone(timeZone)
        try application.limits.checkSignUp(request.client)
        let now = application.now()
        var random = SystemRandomNumberGenerator()
        let user = User(
            id: .v7(at: now, using: &random), name: body.name, timeZone: timeZone, createdAt: now)
        let token = APIToken.make()
        try await application.database(request.loop)
            .query(Self.insertUser, [user.id, user.name, user.timeZone, token.hash, now])
        return try Answer.json(SignedUp(user: user, token: token.text), status: 201)
    }

    private func changeUser(_ user: SignedInUser, _ request: HTTPRequest) async throws -> HTTPResponse {
        let patch = try request.read(UserPatch.self)
        if let timeZone = patch.timeZone { try checkZone(timeZone) }
        return try Answer.json(UserAnswer(user: try await change(user, patch)))
    }

    private func change(_ user: SignedInUser, _ patch: UserPatch) async throws -> User {
        var rooms: [Identifier] = []
        do {
            // A deletion of the account holds the row of the user while it waits for the lock of a slot.
            let changed = try await application.locks.with(.user(user.id)) { database in
                try await database.transaction(attempts: 3) { connection in
                    let row = try await connection.query(
                        Self.updateUser, [user.id, patch.name, patch.timeZone]
                    ).first
                    // The account was deleted meanwhile.
                    guard let row else { throw APIError(.notFound, "There is no such account any more.") }
                    let (name, timeZone) = try row.decode(String.self, String.self)
                    rooms = name == user.name ? [] : try await UserRooms.read(of: user.id, on: connection)
                    return User(id: user.id, name: name, timeZone: timeZone, createdAt: user.createdAt)
                }
            }
            for room in rooms { application.changed(.room(room)) }
            return changed
        } catch {
            application.tell(rooms.map { .room($0) }, ifInDoubt: error)
            throw error
        }
    }

    func checkZone(_ name: String) throws(RequestError) {
        guard application.timeZones.contains(name) else {
            throw .invalid([
                FieldError(
                    pointer: "/timeZone",
                    detail: "There is no time zone of this name; give an IANA name like Europe/Berlin.")
            ])
        }
    }
}
