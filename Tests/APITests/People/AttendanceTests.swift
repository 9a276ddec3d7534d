import API
import Contract
import Postgres
import Testing

@testable import BackendTesting
@testable import Database
@testable import Settings

@Suite("The attendance limit")
struct AttendanceTests {
    /// Requires an attendance of 60 %, and allows two registrations below that.
    private static func limited(_ configuration: inout ServerConfiguration) {
        configuration.attendanceLimit = 60
        configuration.openRegistrations = 2
    }

    /// The slots that are open for registration at noon.
    private static let slots = (1...6).map { RESTWorld.noon.adding(.seconds($0 * 1800)).description }

    @Test("refuses, with the reason, what goes beyond a few registrations, and no more than that")
    func refuses() async throws {
        try await RESTWorld.with(configure: Self.limited) { world in
            let ann = try await world.person("Ann")
            try await world.went(ann, ["attended", "missed", "missed", "late", "attended"])
            for slot in Self.slots.prefix(2) {
                #expect(try await world.book(ann.token, [slot]).status == 201)
            }
            let refused = try await world.book(ann.token, [Self.slots[2]])
            #expect(refused.status == 409)
            #expect(refused.problem == "attendance")
            let detail = try #require(try refused.json()["detail"]?.string)
            #expect(detail.contains("2 of 5") && detail.contains("40 %") && detail.contains("60 %"))
            #expect(detail.contains("2 slots at once, and you are for 2"))
            // A cancelled registration makes room for another one.
            try await world.pool.query(
                "UPDATE registrations SET cancelled_at = $2 WHERE user_id = $1 AND starts_at = $3",
                [ann.id, RESTWorld.noon, Timestamp(Self.slots[0])])
            #expect(try await world.book(ann.token, [Self.slots[3]]).status == 201)
            #expect(try await world.book(ann.token, [Self.slots[4]]).status == 409)
        }
    }

    @Test("refuses several at once as a whole")
    func several() async throws {
        try await RESTWorld.with(configure: Self.limited) { world in
            let ann = try await world.person("Ann")
            try await world.went(ann, Array(repeating: "missed", count: 5))
            #expect(try await world.book(ann.token, Array(Self.slots.prefix(3))).problem == "attendance")
            #expect(try await world.count("registrations WHERE starts_at > '2027-03-01'") == 0)
            #expect(try await world.book(ann.token, Array(Self.slots.prefix(2))).status == 201)
        }
    }

    @Test(
        "applies to accounts below it, from five sessions on; lapsed sessions are not counted",
        arguments: [
            (["attended", "attended", "attended", "missed", "missed"], 201),
            (["missed", "missed", "missed", "missed"], 201),
            (["missed", "missed", "missed", "missed", "late"], 409),
            (["missed", "missed", "missed", "missed", "early", "lapsed", "down"], 201),
            (["attended", "attended", "missed", "missed", "missed", "down"], 409),
        ])
    func bounds(_ outcomes: [String], status: Int) async throws {
        try await RESTWorld.with(configure: Self.limited) { world in
            let ann = try await world.person("Ann")
            try await world.went(ann, outcomes)
            #expect(try await world.book(ann.token, Array(Self.slots.prefix(3))).status == status)
        }
    }

    @Test("is off unless it is set")
    func off() async throws {
        try await RESTWorld.withPerson { world, ann in
            try await world.went(ann, Array(repeating: "missed", count: 6))
            #expect(try await world.book(ann.token, Self.slots).status == 201)
            #expect(AttendanceRule(ServerConfiguration(cores: 1)) == nil)
        }
    }

    @Test("lets others of the same transaction through, and the rest of one's own as far as it goes")
    func batch() async throws {
        try await RESTWorld.with(configure: Self.limited) { world in
            let (ann, bea) = (try await world.person("Ann"), try await world.person("Bea"))
            try await world.went(ann, Array(repeating: "missed", count: 5))
            let rule = try #require(AttendanceRule(world.application.configuration))
            let requests = [
                world.request(ann.id, [1]), world.request(bea.id, [1, 2, 3]), world.request(ann.id, [2, 3]),
                world.request(ann.id, [2]), world.request(ann.id, [1, 2, 3]),
            ]
            let results = try await world.pool.transaction { connection in
                try await RegistrationWriter.write(requests, rule, on: connection)
            }.0
            // The third may go through after all if the first fails, so it is to be tried again alone.
            let attendance = Attendance(attended: 0, counted: 5, limit: 60, open: 0, allowed: 2)
            #expect(
                results == [
                    .settled(.registered), .settled(.registered), .again, .settled(.registered),
                    .settled(.tooSeldom(attendance)),
                ])
        }
    }

    @Test("holds however many requests come at once")
    func atOnce() async throws {
        try await RESTWorld.with(configure: Self.limited) { world in
            let ann = try await world.person("Ann")
            try await world.went(ann, Array(repeating: "missed", count: 5))
            let rule = AttendanceRule(world.application.configuration)
            // Two servers are simulated: each has its own writer.
            let admitted = try await withThrowingTaskGroup(of: Int.self) { group in
                for number in 1...6 {
                    let request = world.request(ann.id, [number])
                    group.addTask {
                        let results = try await world.pool.transaction(attempts: 5) { connection in
                            try await RegistrationWriter.write([request], rule, on: connection)
                        }.0
                        return results == [.settled(.registered)] ? 1 : 0
                    }
                }
                return try await group.reduce(0, +)
            }
            #expect(admitted == 2)
        }
    }
}
