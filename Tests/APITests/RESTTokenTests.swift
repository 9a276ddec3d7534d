import Contract
import Postgres
import PostgresTesting
import Reactor
import Scheduling
import TestKit
import Testing

@testable import BackendTesting
@testable import Database

@Suite("POST /v1/me/token")
struct RESTTokenTests {
    @Test("an answer that is lost costs nothing, 60 times of 60")
    func lostAnswers() async throws {
        try await RESTWorld.withAccount { world, token in
            for _ in 0..<60 {
                try await world.send("POST", "/v1/me/token", token: token, expecting: 201)
                #expect(try await world.status(of: token) == 200)
            }
            #expect(try await world.keys() == 2)
        }
    }

    @Test("the old token is valid until the new one is used, and ends then")
    func firstUse() async throws {
        try await RESTWorld.withAccount { world, old in
            let new = try await world.renew(old)
            #expect(try await world.status(of: old) == 200)
            world.changeEvents.withLock { $0 = [] }
            #expect(try await world.status(of: new) == 200)
            #expect(try await world.status(of: old) == 401)
            #expect(try await world.status(of: new) == 200)
            let user = try await world.user(new)
            #expect(world.changeEvents.withLock { $0 } == [.user(user)])
            #expect(try await world.keys() == 1)
        }
    }

    @Test("asking again replaces the pending token, and the one in use stays")
    func askingAgain() async throws {
        try await RESTWorld.withAccount { world, old in
            let first = try await world.renew(old)
            let second = try await world.renew(old)
            #expect(try await world.status(of: first) == 401)
            #expect(try await world.status(of: old) == 200)
            #expect(try await world.status(of: second) == 200)
            #expect(try await world.status(of: old) == 401)
        }
    }

    @Test("to ask with a pending token is to use it")
    func askingWithPending() async throws {
        try await RESTWorld.withAccount { world, old in
            let second = try await world.renew(old)
            let third = try await world.renew(second)
            #expect(try await world.status(of: old) == 401)
            #expect(try await world.status(of: second) == 200)
            #expect(try await world.status(of: third) == 200)
            #expect(try await world.status(of: second) == 401)
        }
    }

    @Test("a pending token expires after 24 hours, and the one in use stays")
    func expires() async throws {
        try await RESTWorld.withAccount { world, old in
            let new = try await world.renew(old)
            let rows = try await world.pool.query(
                "SELECT pending_until - created_at = interval '24 hours' FROM tokens WHERE number = 2")
            #expect(try rows.first?.decode(0, Bool.self) == true)
            try await world.pool.query(
                "UPDATE tokens SET pending_until = now() WHERE pending_until IS NOT NULL")
            #expect(try await world.status(of: new) == 401)
            #expect(try await world.status(of: old) == 200)
            #expect(try await world.status(of: try await world.renew(old)) == 200)
            #expect(try await world.status(of: old) == 401)
        }
    }

    @Test("used by many at once, a pending token is taken over once")
    func usedAtOnce() async throws {
        try await RESTWorld.withAccount { world, old in
            let new = try await world.renew(old)
            let statuses = try await concurrently(0..<8) { _ in try await world.status(of: new) }
            #expect(statuses == Array(repeating: 200, count: 8))
            let rows = try await world.pool.query("SELECT token_version FROM users")
            #expect(try rows.first?.decode(0, Int32.self) == 2)
            #expect(try await world.status(of: old) == 401)
        }
    }

    @Test("used and replaced at once, either the one or the other has happened", arguments: 0..<20)
    func usedAndReplaced(round: Int) async throws {
        try await RESTWorld.withAccount { world, old in
            let pending = try await world.renew(old)
            async let using = world.status(of: pending)
            async let asking = world.send("POST", "/v1/me/token", token: old)
            let (used, asked) = (try await using, try await asking)
            let next = try asked.json()["token"]?.string
            if used == 200 {
                #expect(try await world.status(of: old) == 401)
                #expect(try await world.status(of: pending) == 200)
                // The token that was pending before the use ends with it.
                if let next { #expect(try await world.status(of: next) == 401) }
            } else {
                #expect(used == 401)
                #expect(try await world.status(of: old) == 200)
                #expect(try await world.status(of: try #require(next)) == 200)
            }
        }
    }

    // Tests beside the previous release.

    @Test("the release before finds a token once it is used, and what it writes counts here")
    func releaseBefore() async throws {
        try await RESTWorld.withAccount { world, old in
            let new = try await world.renew(old)
            let pending = try #require(APIToken(new))
            #expect(try await world.releaseBefore(knows: pending) == nil)
            #expect(try await world.status(of: new) == 200)
            #expect(try await world.releaseBefore(knows: pending) == 2)
            // The previous release replaces a token at once, also while another one is pending here.
            let offered = try await world.renew(new)
            let theirs = APIToken.make()
            try await world.pool.query(
                """
                UPDATE users SET token_hash = $1, token_version = token_version + 1 WHERE token_version = 2
                """, [theirs.hash])
            world.forgetSignIns()
            #expect(try await world.status(of: theirs.text) == 200)
            #expect(try await world.status(of: offered) == 401)
            #expect(try await world.status(of: new) == 401)
            // The previous release makes accounts.
            let hers = APIToken.make()
            try await world.pool.query(
                """
                INSERT INTO users (id, name, time_zone, token_hash, created_at)
                VALUES ($1, 'Bea', 'UTC', $2, now())
                """, [Identifier(value: 7), hers.hash])
            #expect(try await world.status(of: hers.text) == 200)
        }
    }

    @Test("accounts that are there already keep their tokens, also one that was replaced")
    func migrated() async throws {
        try await TestDatabase.withConnection { connection in
            let all = try Migrations.migrator()
            let before = try Migrator(Array(try await all.status(on: connection).pending.prefix(7)))
            try await before.apply(on: connection)
            let token = APIToken.make()
            try await connection.query(
                """
                INSERT INTO users (id, name, time_zone, token_hash, token_version, created_at)
                VALUES ($1, 'Ann', 'UTC', $2, 5, now())
                """, [Identifier(value: 7), token.hash])
            try await all.apply(on: connection)
            let rows = try await connection.query(
                "SELECT number, hash, pending_until IS NULL FROM tokens")
            let (number, hash, isInUse) = try #require(rows.first).decode(
                Int32.self, [UInt8].self, Bool.self)
            #expect(rows.count == 1 && number == 5 && hash == token.hash && isInUse)
        }
    }
}

extension RESTWorld {
    /// Renews a token, and returns the pending one.
    fileprivate func renew(_ token: String) async throws -> String {
        try #require(try await send("POST", "/v1/me/token", token: token).json()["token"]?.string)
    }

    fileprivate func keys() async throws -> Int64 {
        try #require(try await pool.query("SELECT count(*) FROM tokens").first).decode(0, Int64.self)
    }

    /// Returns the version of a token as the previous release finds it.
    fileprivate func releaseBefore(knows token: APIToken) async throws -> Int32? {
        try await pool.query("SELECT token_version FROM users WHERE token_hash = $1", [token.hash]).first?
            .decode(0, Int32.self)
    }
}
