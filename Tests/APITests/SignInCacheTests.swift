import Contract
import Postgres
import Reactor
import Testing

@testable import API
@testable import BackendTesting
@testable import Database
@testable import Scheduling

@Suite("What is known of the users who signed in lately")
struct SignInCacheTests {
    private let cache: SignInCache
    private let clock = Lock<UInt64>(1_000)

    init() {
        let clock = clock
        cache = SignInCache(now: { clock.withLock { $0 } })
    }

    @Test("is kept for each token until it is a second old, counted from before it was read")
    func age() {
        let moment = cache.moment()
        clock.withLock { $0 += 100_000_000 }
        cache.keep(user(1), of: [1], since: moment)
        cache.keep(user(1), of: [2], since: cache.moment())
        #expect(cache.find([1])?.id == user(1).id && cache.find([3]) == nil)
        clock.withLock { $0 += 899_999_999 }
        #expect(cache.find([1]) != nil)
        clock.withLock { $0 += 1 }
        #expect(cache.find([1]) == nil && cache.find([2]) != nil)
    }

    @Test("ends with the token")
    func expiry() {
        var short = user(1)
        short.timeLeft = 1_000
        cache.keep(short, of: [1], since: cache.moment())
        short.timeLeft = -1
        cache.keep(short, of: [2], since: cache.moment())
        #expect(cache.find([1]) != nil && cache.find([2]) == nil)
        clock.withLock { $0 += 1_000 }
        #expect(cache.find([1]) == nil)
    }

    @Test("is dropped by a change event of the account, and by no other")
    func changes() {
        for changeEvent: ChangeEvent in [.user(user(1).id), .account(user(1).id)] {
            for hash: UInt8 in 1...2 { cache.keep(user(1), of: [hash], since: cache.moment()) }
            cache.keep(user(2), of: [3], since: cache.moment())
            cache.apply(.room(user(2).id))
            cache.apply(changeEvent)
            #expect(cache.find([1]) == nil && cache.find([2]) == nil && cache.find([3]) != nil)
        }
        cache.apply(.all(.users))
        #expect(cache.find([3]) == nil)
    }

    @Test("is nothing while no change events come from other servers")
    func deaf() {
        let before = cache.moment()
        cache.keep(user(1), of: [1], since: before)
        cache.setListening(false)
        #expect(cache.find([1]) == nil)
        cache.keep(user(1), of: [1], since: cache.moment())
        #expect(cache.find([1]) == nil)
        let deaf = cache.moment()
        cache.setListening(true)
        cache.keep(user(1), of: [1], since: deaf)
        #expect(cache.find([1]) == nil)
        cache.keep(user(1), of: [1], since: cache.moment())
        #expect(cache.find([1]) != nil)
    }

    @Test("is not kept where the account has changed while it was read")
    func race() {
        let before = cache.moment()
        cache.apply(.user(user(1).id))
        let after = cache.moment()
        cache.keep(user(1), of: [1], since: before)
        cache.keep(user(2), of: [2], since: before)
        #expect(cache.find([1]) == nil && cache.find([2]) != nil)
        cache.keep(user(1), of: [1], since: after)
        #expect(cache.find([1]) != nil)
        // The cache remembers only the accounts that changed last. An account that began to be read before
        // those changes may be one that was forgotten, so that it is not kept.
        for id in 0...SignInCache.remembered { cache.apply(.account(user(UInt128(1_000 + id)).id)) }
        cache.keep(user(3), of: [3], since: after)
        #expect(cache.find([3]) == nil)
        let last = cache.moment()
        cache.apply(.all(.users))
        cache.keep(user(4), of: [4], since: last)
        #expect(cache.find([4]) == nil)
    }

    @Test("is not kept where the use of the token has to be noted, or the account is suspended")
    func unsettled() {
        let changes: [(inout SignedInUser) -> Void] = [
            { $0.isPending = true }, { $0.canBeShownAgain = true }, { $0.endsPreviousCode = true },
            { $0.suspension = Suspension(reason: "r", until: nil) },
        ]
        for change in changes {
            var changed = user(1)
            change(&changed)
            cache.keep(changed, of: [1], since: cache.moment())
            #expect(cache.find([1]) == nil)
        }
    }

    @Test("is bounded: the older half gives way")
    func bound() {
        let hash: (Int) -> [UInt8] = { [UInt8($0 & 255), UInt8($0 >> 8 & 255), UInt8($0 >> 16)] }
        for number in 0...(2 * SignInCache.size) {
            cache.keep(user(UInt128(number + 1)), of: hash(number), since: cache.moment())
        }
        #expect(cache.find(hash(0)) == nil && cache.find(hash(SignInCache.size - 1)) == nil)
        #expect(cache.find(hash(SignInCache.size)) != nil && cache.find(hash(2 * SignInCache.size)) != nil)
    }

    @Test("saves the question to the database, but for what lasts")
    func requests() async throws {
        try await RESTWorld.withAccount { world, token in
            #expect(try await world.status(of: token) == 200)
            #expect(try await world.status(of: token) == 200)
            // The server gets no event of this change.
            try await world.pool.query("UPDATE users SET name = 'Changed'")
            try await world.pool.query("UPDATE tokens SET expires_at = now()")
            #expect(try await world.send("GET", "/v1/me", token: token).text.contains("Ann"))
            #expect(try await world.send("GET", "/v1/me/export", token: token).status == 401)
            world.application.signIns.apply(.account(try await world.onlyUser()))
            #expect(try await world.status(of: token) == 401)
        }
    }

    @Test("is what this server has changed, at once")
    func ownChange() async throws {
        try await RESTWorld.withAccount { world, token in
            for name in ["Bea", "Cem", "Dua"] {
                #expect(try await world.status(of: token) == 200)
                try await world.send("PATCH", "/v1/me", token: token, body: #"{"name":"\#(name)"}"#)
                #expect(try await world.send("GET", "/v1/me", token: token).text.contains(name))
            }
        }
    }

    private func user(_ number: UInt128) -> SignedInUser {
        SignedInUser(
            id: Identifier(value: number), name: "Ann", timeZone: "UTC", language: nil, tokenVersion: 1,
            createdAt: RESTWorld.noon)
    }
}

extension RESTWorld {
    fileprivate func onlyUser() async throws -> Identifier {
        try #require(try await pool.query("SELECT id FROM users").first).decode(0, Identifier.self)
    }
}
