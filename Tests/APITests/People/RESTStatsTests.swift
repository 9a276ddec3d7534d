import Codecs
import Contract
import Postgres
import Testing

@testable import BackendTesting

@Suite("The figures of a user")
struct RESTStatsTests {
    @Test("are nothing to begin with, and there is no punctuality yet")
    func empty() async throws {
        try await RESTWorld.withAccount { world, token in
            let stats = try await world.stats(token)
            #expect(
                stats
                    == Stats(
                        attended: 0, missed: 0, lateCancellations: 0, punctuality: nil, currentStreak: 0,
                        longestStreak: 0, alesSent: 0, alesReceived: 0, partnersMet: 0))
            #expect(try await world.send("GET", "/v1/stats").status == 401)
        }
    }

    @Test(
        "count what was attended, missed and cancelled late; a streak ends with either of the last two",
        arguments: [
            (["attended", "attended", "attended"], [3, 0, 0], 3, 3),
            (["attended", "attended", "missed", "attended"], [3, 1, 0], 1, 2),
            (["attended", "late"], [1, 0, 1], 0, 1),
            (["missed"], [0, 1, 0], 0, 0),
            // Slots that were cancelled in time, lapsed or disturbed by an outage do not count.
            (["attended", "early", "attended", "lapsed", "attended", "down", "attended"], [4, 0, 0], 4, 4),
            (["down", "lapsed", "early", "asked"], [0, 0, 0], 0, 0),
        ] as [([String], [Int64], Int64, Int64)])
    func outcomes(_ outcomes: [String], counts: [Int64], current: Int64, longest: Int64) async throws {
        try await RESTWorld.withPerson { world, ann in
            try await world.went(ann, outcomes)
            let stats = try await world.stats(ann.token)
            #expect([stats.attended, stats.missed, stats.lateCancellations] == counts)
            #expect((stats.currentStreak, stats.longestStreak) == (current, longest))
        }
    }

    @Test("are what counting by hand says, whatever happened")
    func model() async throws {
        let seed = UInt64.random(in: .min ... .max)
        try await RESTWorld.with { world in
            var random = SplitMix64(seed: seed)
            let choices = ["attended", "attended", "attended", "missed", "late", "early", "lapsed", "down"]
            let outcomes = (0..<60).map { _ in choices.randomElement(using: &random) ?? "attended" }
            let (ann, bea) = (try await world.person("Ann"), try await world.person("Bea"))
            try await world.went(ann, outcomes)
            // Another user's sessions count for that user only.
            try await world.went(bea, ["missed", "attended"], from: 100)
            var (streak, longest) = (Int64(0), Int64(0))
            for outcome in outcomes {
                switch outcome {
                case "attended": streak += 1
                case "missed", "late": streak = 0
                default: break
                }
                longest = max(longest, streak)
            }
            func count(_ outcome: String) -> Int64 { Int64(outcomes.filter { $0 == outcome }.count) }
            let stats = try await world.stats(ann.token)
            #expect(stats.attended == count("attended"), "seed \(seed)")
            #expect(stats.missed == count("missed"), "seed \(seed)")
            #expect(stats.lateCancellations == count("late"), "seed \(seed)")
            #expect(stats.currentStreak == streak, "seed \(seed)")
            #expect(stats.longestStreak == longest, "seed \(seed)")
        }
    }

    @Test("what was attended in spite of an outage counts, but not how punctual one was")
    func attendedInOutage() async throws {
        try await RESTWorld.withPerson { world, ann in
            let slot = RESTWorld.past(0)
            try await world.met(slot, [try await world.registered(ann, slot)], entered: [900])
            try await world.down(slot, for: 800)
            let stats = try await world.stats(ann.token)
            #expect(stats.attended == 1)
            #expect(stats.punctuality == nil)
        }
    }

    @Test("an outage that ends as a slot begins, or begins as it ends, excuses no absence")
    func edgesOfOutages() async throws {
        try await RESTWorld.withPerson { world, ann in
            try await world.went(ann, ["missed"], from: 1)
            try await world.down(RESTWorld.past(0), for: 1800)
            try await world.down(RESTWorld.past(2), for: 1800)
            #expect(try await world.stats(ann.token).missed == 1)
            try await world.down(RESTWorld.past(2).adding(.seconds(-1)), for: 1)
            #expect(try await world.stats(ann.token).missed == 0)
        }
    }

    @Test("a slot counts once: a person who cancels late, registers again and comes, has come")
    func onceForASlot() async throws {
        try await RESTWorld.withPerson { world, ann in
            let slot = RESTWorld.past(0)
            for _ in 0..<2 {
                let id = try await world.registered(ann, slot)
                try await world.met(slot, [id], entered: [nil])
                try await world.cancel(id, at: slot)
            }
            var stats = try await world.stats(ann.token)
            #expect((stats.attended, stats.lateCancellations) == (0, 1))
            let last = try await world.registered(ann, slot)
            try await world.met(slot, [last], isOver: false)
            stats = try await world.stats(ann.token)
            // The slot is not over yet: it does not count.
            #expect((stats.attended, stats.lateCancellations) == (0, 0))
            try await world.close(slot.description)
            stats = try await world.stats(ann.token)
            #expect((stats.attended, stats.lateCancellations, stats.currentStreak) == (1, 0, 1))
        }
    }

    @Test("punctuality is the time from the opening to the first entry, in the middle and on average")
    func punctuality() async throws {
        try await RESTWorld.withPerson { world, ann in
            for (number, seconds) in [5, 20, 200].enumerated() {
                let slot = RESTWorld.past(number)
                let id = try await world.registered(ann, slot)
                try await world.met(slot, [id], entered: [seconds])
            }
            #expect(
                try await world.stats(ann.token).punctuality
                    == Stats.Punctuality(medianSeconds: 20, meanSeconds: 75))
        }
    }

    @Test("for a late registration the time begins then, and for a moved member it goes on")
    func lateAndMoved() async throws {
        try await RESTWorld.withTwoPeople { world, ann, bea in
            let slot = RESTWorld.past(0)
            // A minute before the slot the room opens; Ann comes 100 s later and enters 7 s after that.
            let late = try await world.registered(ann, slot, madeAt: slot.adding(.seconds(40)))
            try await world.met(slot, [late], entered: [107])
            #expect(try await world.stats(ann.token).punctuality?.medianSeconds == 7)
            // Bea enters the second of two rooms, 30 s after the first had opened.
            let moved = try await world.registered(bea, slot)
            let first = try await world.met(slot, [moved], entered: [nil])
            try await world.pool.query("UPDATE members SET left_revision = 2 WHERE room_id = $1", [first])
            let second = try await world.met(slot, [moved], entered: [30])
            try await world.pool.query(
                "UPDATE rooms SET opened_at = opened_at + interval '20 s' WHERE id = $1", [second])
            let stats = try await world.stats(bea.token)
            #expect(stats.attended == 1)
            #expect(stats.punctuality == Stats.Punctuality(medianSeconds: 30, meanSeconds: 30))
        }
    }

    @Test("ales are added up, and partners are people who both came, each once")
    func company() async throws {
        try await RESTWorld.withThreePeople { world, ann, bea, cid in
            for number in 0..<3 {
                let slot = RESTWorld.past(number)
                let ids = [
                    try await world.registered(ann, slot), try await world.registered(bea, slot),
                    try await world.registered(cid, slot),
                ]
                // Cid never comes.
                try await world.met(slot, ids, entered: [10, 20, nil])
                try await world.pool.query(
                    "UPDATE members SET ales_sent = 2, ales_received = 3 WHERE registration_id = $1", [ids[0]]
                )
            }
            let stats = try await world.stats(ann.token)
            #expect((stats.alesSent, stats.alesReceived, stats.partnersMet) == (6, 9, 1))
            #expect(try await world.stats(cid.token).partnersMet == 0)
            try await world.pool.query(
                "UPDATE registrations SET user_id = NULL, task = NULL WHERE user_id = $1", [bea.id])
            #expect(try await world.stats(ann.token).partnersMet == 0)
        }
    }
}
