import Contract
import HTTP1
import HTTPServer
import Postgres
import Testing

@testable import API
@testable import BackendTesting
@testable import Database
@testable import Settings

@Suite("Limits of addresses and accounts")
struct RequestLimitTests {
    private static let slots = (1...8).map { RESTWorld.noon.adding(.seconds($0 * 1800)).description }

    private static func setting(
        _ path: WritableKeyPath<ServerConfiguration, Int>, _ value: Int
    ) -> (inout ServerConfiguration) -> Void {
        { $0[keyPath: path] = value }
    }

    @Test("an address makes so many accounts in a minute, and what was wrong does not count")
    func signUps() async throws {
        // The limit is one sign-up a minute: the test is never slow enough for a second one.
        try await RESTWorld.with(configure: Self.setting(\.signUpsPerMinute, 1)) { world in
            try await world.send("POST", "/v1/users", body: #"{"name":""}"#, expecting: 422)
            _ = try await world.signUp()
            let refused = try await world.send("POST", "/v1/users", body: #"{"name":"Bea"}"#)
            #expect(refused.status == 429)
            #expect(refused.problem == "quota-exceeded")
            #expect(try refused.json()["violated-policies"]?.array?.map(\.string) == ["sign-ups"])
            #expect(refused.headers["retry-after"].flatMap { Int($0) }.map { (1...60).contains($0) } == true)
            #expect(world.application.limits.counts == [.signUps: 1])
        }
    }

    @Test("an address makes so many registrations in an hour, whichever accounts it has")
    func addressRegistrations() async throws {
        try await RESTWorld.with(configure: Self.setting(\.registrationsPerHour, 5)) { world in
            let (ann, bea) = (try await world.signUp("Ann"), try await world.signUp("Bea"))
            #expect(try await world.book(ann, Array(Self.slots[0...2])).status == 201)
            #expect(try await world.book(bea, Array(Self.slots[0...2])).status == 429)
            // A request that stores nothing does not count.
            for _ in 0..<5 { #expect(try await world.book(ann, [Self.slots[0]]).status == 409) }
            #expect(try await world.book(bea, Array(Self.slots[0...1])).status == 201)
            let refused = try await world.book(bea, [Self.slots[3]])
            #expect(refused.status == 429 && refused.problem == "quota-exceeded")
            #expect(try refused.json()["violated-policies"]?.array?.map(\.string) == ["registrations"])
            #expect(refused.headers["retry-after"].flatMap { Int($0) }.map { (1...720).contains($0) } == true)
            #expect(world.application.limits.counts == [.addressRegistrations: 2])
        }
    }

    @Test("what a routine registers counts for the address that asked")
    func addressRoutine() async throws {
        try await RESTWorld.with(configure: Self.setting(\.registrationsPerHour, 5)) { world in
            let token = try await world.signUp()
            let routine = try await world.make(token, "FREQ=DAILY", "15:00")
            #expect(try await world.registrations(token).count == 60)
            let refused = try await world.book(token, [Self.slots[0]])
            // 56 more than five, at 720 s each, less the time that the test has taken.
            let wait = try #require(refused.headers["retry-after"].flatMap { Int($0) })
            #expect(refused.status == 429 && (30_000...40_320).contains(wait))
            try await world.send(
                "PATCH", "/v1/routines/\(routine.id)", token: token, body: #"{"task":"Edit"}"#,
                expecting: 429)
        }
    }

    @Test("an account changes its routines so many times in an hour")
    func routineChanges() async throws {
        try await RESTWorld.withTwoAccounts { world, ann, bea in
            let made = try await world.make(ann, "FREQ=WEEKLY;COUNT=1", "15:00")
            let path = "/v1/routines/\(made.id)"
            var statuses: [Int] = []
            while statuses.last != 429, statuses.count < 1000 {
                let body = #"{"paused":\#(statuses.count % 2 == 0)}"#
                statuses.append(try await world.send("PATCH", path, token: ann, body: body).status)
            }
            #expect(statuses.last == 429 && statuses.count >= RequestLimits.routineChangesPerHour)
            let skip = try await world.send(
                "POST", "\(path)/skips", token: ann, body: #"{"date":"2027-03-01"}"#)
            #expect(skip.status == 429)
            #expect(try skip.json()["violated-policies"]?.array?.map(\.string) == ["routines"])
            _ = try await world.make(bea, "FREQ=WEEKLY;COUNT=1", "15:00")
            #expect(try await world.send("DELETE", path, token: ann).status == 204)
        }
    }

    @Test("an account begins so many replays of failed deliveries in an hour")
    func replays() async throws {
        try await RESTWorld.withTwoAccounts { world, ann, bea in
            let path = "/v1/endpoints/\(Identifier(value: 1))/replay"
            for _ in 0..<RequestLimits.replaysPerHour {
                #expect(try await world.send("POST", path, token: ann).status == 404)
            }
            let refused = try await world.send("POST", path, token: ann)
            #expect(refused.status == 429 && refused.headers["retry-after"] != nil)
            #expect(try refused.json()["violated-policies"]?.array?.map(\.string) == ["replays"])
            #expect(try await world.send("POST", path, token: bea).status == 404)
        }
    }

    @Test("the account of a request counts, whichever token it has")
    func account() throws {
        var configuration = ServerConfiguration(cores: 1)
        configuration.accountRequestsPerSecond = 1
        let limits = RequestLimits(configuration)
        let (ann, bea) = (Identifier(value: 1), Identifier(value: 2))
        for _ in 0..<3 { try limits.checkRequest(of: ann) }
        let refused = #expect(throws: APIError.self) {
            for _ in 0..<1000 { try limits.checkRequest(of: ann) }
        }
        #expect(refused?.problem.status == 429)
        #expect(refused?.headers["Retry-After"] == "1")
        try limits.checkRequest(of: bea)
        #expect(limits.counts == [.account: 1])
    }

    @Test("the refusals of an account are counted by limit, since the first of them")
    func hits() throws {
        var configuration = ServerConfiguration(cores: 1)
        configuration.accountStreams = 1
        let clock = TestClock(Timestamp(seconds: 1_000))
        let limits = RequestLimits(configuration, now: { clock.now })
        let (ann, bea) = (Identifier(value: 1), Identifier(value: 2))
        // The second stream takes the place of the first one, and no further one does so soon.
        let streams = [try limits.stream(of: ann), try limits.stream(of: ann)]
        let export = try limits.export(of: ann, from: ClientAddress(nil))
        #expect(limits.hits(of: ann) == nil)
        #expect(throws: APIError.self) { try limits.stream(of: ann) }
        clock.now = Timestamp(seconds: 1_060)
        #expect(throws: APIError.self) { try limits.stream(of: ann) }
        #expect(throws: APIError.self) { try limits.export(of: ann, from: ClientAddress(nil)) }
        let hits = try #require(limits.hits(of: ann))
        #expect(hits.counts == [.streams: 2, .exports: 1])
        #expect(hits.since == Timestamp(seconds: 1_000) && hits.last == clock.now)
        #expect(limits.hits(of: bea) == nil)
        withExtendedLifetime((streams, export)) {}
    }

    @Test("no more accounts are remembered than there is room for, and the latest are")
    func bounded() {
        var hits = LimitHits()
        let last = LimitHits.capacity + 10
        for number in 1...last {
            hits.note(.account, of: Identifier(value: UInt128(number)), at: Timestamp(seconds: Int64(number)))
            #expect(hits.count <= LimitHits.capacity)
        }
        #expect(hits[Identifier(value: 1)] == nil && hits[Identifier(value: UInt128(last))] != nil)
    }

    @Test("a signed-in call counts for its account")
    func signedIn() async throws {
        try await RESTWorld.with(configure: Self.setting(\.accountRequestsPerSecond, 1)) { world in
            let token = try await world.signUp()
            let wrong = try await world.send("GET", "/v1/registrations/1", token: token)
            #expect(wrong.status == 404 && wrong.headers["ratelimit"] != nil)
            var answer = wrong
            for _ in 0..<1000 where answer.status != 429 {
                answer = try await world.send("GET", "/v1/me", token: token)
                #expect(answer.headers["ratelimit-policy"] == "\"account\";q=3;w=3")
            }
            #expect(answer.status == 429 && answer.problem == "quota-exceeded")
            #expect(answer.headers["ratelimit"]?.hasPrefix("\"account\";r=0;t=") == true)
            #expect(try answer.json()["violated-policies"]?.array?.map(\.string) == ["account"])
        }
    }

    @Test("an account has so many event streams, and a place is free again when one has ended")
    func streams() throws {
        var configuration = ServerConfiguration(cores: 1)
        configuration.accountStreams = 2
        let limits = RequestLimits(configuration)
        let ann = Identifier(value: 1)
        var places = try (0..<3).map { _ in
            let place = try limits.stream(of: ann)
            place?.begin()
            return place
        }
        #expect(places[0]?.isReplaced == true)
        let refused = #expect(throws: APIError.self) { try limits.stream(of: ann) }
        #expect(refused?.problem.name == .tooManyStreams)
        #expect(refused?.headers.keys.contains("Retry-After") == true)
        #expect(try limits.stream(of: Identifier(value: 2)) != nil)
        places.removeLast()
        #expect(try limits.stream(of: ann) != nil)
        #expect(places.count == 2)
    }

    @Test(
        "open registrations are counted, and the refusal says how many there are and until when"
    )
    func registrations() async throws {
        try await RESTWorld.with(configure: Self.setting(\.accountRegistrations, 3)) { world in
            let token = try await world.signUp()
            #expect(try await world.book(token, Array(Self.slots[0...1])).status == 201)
            let refused = try await world.book(token, Array(Self.slots[2...3]))
            #expect(refused.status == 429)
            #expect(refused.problem == "too-many-registrations")
            #expect(try refused.json()["detail"]?.string?.contains("2 registrations") == true)
            // The first slot begins in half an hour, and lasts as long.
            #expect(refused.headers["retry-after"] == "3601")
            #expect(world.application.limits.counts == [.registrations: 1])
            #expect(try await world.book(token, [Self.slots[2]]).status == 201)
            #expect(try await world.book(token, [Self.slots[3]]).status == 429)
            // A cancelled registration makes room, and so does one whose slot is over.
            try await world.pool.query(
                "UPDATE registrations SET cancelled_at = now() WHERE starts_at = $1",
                [try #require(Timestamp(Self.slots[0]))])
            #expect(try await world.book(token, [Self.slots[3]]).status == 201)
            #expect(try await world.book(token, [Self.slots[4]]).status == 429)
            world.clock.now = RESTWorld.noon.adding(.seconds(3 * 1800))
            #expect(try await world.book(token, [Self.slots[4]]).status == 201)
            #expect(try await world.book(token, [Self.slots[5]]).status == 429)
        }
    }

    @Test("more at once than one may ever hold are refused with both numbers, and with a long Retry-After")
    func tooManyAtOnce() async throws {
        try await RESTWorld.with(configure: Self.setting(\.accountRegistrations, 3)) { world in
            let token = try await world.signUp()
            let refused = try await world.book(token, Array(Self.slots[0...3]))
            #expect(refused.status == 429)
            #expect(refused.problem == "too-many-registrations")
            let detail = try #require(try refused.json()["detail"]?.string)
            #expect(detail.contains("4 slots") && detail.contains("3 registrations"), "\(detail)")
            #expect(refused.headers["retry-after"] == "3600")
            #expect(world.application.limits.counts == [.registrations: 1])
        }
    }

    @Test("a race does not exceed the number: two servers, each with a transaction of its own")
    func race() async throws {
        try await RESTWorld.with(configure: Self.setting(\.accountRegistrations, 3)) { world in
            let ann = try await world.person("Ann")
            let limit = try #require(RegistrationLimit(world.application.configuration))
            let admitted = try await withThrowingTaskGroup(of: Int.self) { group in
                for number in 1...8 {
                    let request = world.request(ann.id, [number])
                    group.addTask {
                        let results = try await world.pool.transaction(attempts: 5) { connection in
                            try await RegistrationWriter.write([request], nil, limit, on: connection)
                        }.0
                        return results == [.settled(.registered)] ? 1 : 0
                    }
                }
                return try await group.reduce(0, +)
            }
            #expect(admitted == 3)
        }
    }

    @Test("of one transaction as many are admitted as there is room for, and others are not touched")
    func batch() async throws {
        try await RESTWorld.with(configure: Self.setting(\.accountRegistrations, 2)) { world in
            let (ann, bea) = (try await world.person("Ann"), try await world.person("Bea"))
            let limit = try #require(RegistrationLimit(world.application.configuration))
            let requests = [
                world.request(ann.id, [1]), world.request(bea.id, [1, 2]), world.request(ann.id, [2, 3]),
                world.request(ann.id, [2]), world.request(bea.id, [1, 2, 3]),
            ]
            let results = try await world.pool.transaction { connection in
                try await RegistrationWriter.write(requests, nil, limit, on: connection)
            }.0
            #expect(
                results == [
                    .settled(.registered), .settled(.registered), .again, .settled(.registered),
                    .settled(.tooMany(OpenRegistrations(count: 0, allowed: 2))),
                ])
        }
    }
}
