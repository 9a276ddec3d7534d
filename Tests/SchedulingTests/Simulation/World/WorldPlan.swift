import Codecs
import Contract
import Matching
import TestKit

@testable import Backend
@testable import Scheduling

/// The size of a world and its faults, drawn from a seed.
struct WorldPlan: Sendable {
    /// The probability of each fault; all zero in a world without faults.
    struct Faults: Sendable {
        var lostConnection = 0.0
        var serialization = 0.0
        var lostCommit = 0.0
        var lostChangeEvent = 0.0
        var crashAtStatement = 0.0
        var slowAnswer = 0.0
        /// The number of crashes in the whole run.
        var crashes = 0
        var clockSteps = 0
        var outages = 0
        var stalls = 0
        /// Whether the last of several servers is killed while a slot runs, and not started again.
        var losesServer = false
    }

    let seed: UInt64
    let begin: Timestamp
    let rules: ScheduleRules
    let lateSeconds: Int64
    let servers: Int
    let people: Int
    /// The keys of the slots.
    let slots: [Timestamp]
    /// Whether people have tags and favourites.
    let hasPreferences: Bool
    /// Whether some people meet favourites only, or have a guest.
    var hasIntents: Bool { seed % 5 == 3 }
    /// The probability that one person blocks another one.
    let blocking: Double
    /// Whether each slot gets a registration in the last possible second, with a slow answer.
    let hasStragglers: Bool
    let faults: Faults
    /// The largest error of the servers' wall clocks, in microseconds.
    let skew: Int64
    /// The largest error of a server's knowledge of the time, in microseconds: half of a round trip, and the
    /// drift meanwhile.
    var clockError: Int64 {
        isFaultless ? 2_000 : faults.slowAnswer > 0 ? ClockOffset.longestRoundTrip / 2 + 50_000 : 50_000
    }

    var isFaultless: Bool

    /// The days on which clocks change in Berlin, New York and Lord Howe, and one on which none does.
    private static let days = ["2027-03-28", "2027-10-31", "2027-03-14", "2027-04-04", "2027-06-01"]

    init(seed: UInt64) {
        self.seed = seed
        var random = SplitMix64(seed: seed)
        let length: Int64 = [20, 60, 60, 120, 300, 1800].weighted([30, 30, 28, 8, 3, 1], using: &random)
        let lead = Int64.random(in: 1...max(1, min(60, length / 2)), using: &random)
        let late = Int64.random(in: 0...length, using: &random)
        // A separate generator leaves most worlds as they would be without it.
        var own = SplitMix64(seed: seed ^ 0x5354_5241_4747_4C45)
        hasStragglers = Int.random(in: 0..<8, using: &own) == 0
        lateSeconds = hasStragglers ? length : late
        let day = Self.days.randomElement(using: &random) ?? ""
        begin = Timestamp("\(day)T00:30:00Z") ?? Timestamp(seconds: 0)
        let size = [2, 3, 4, 5].weighted([80, 10, 5, 5], using: &random)
        guard let grid = SlotGrid(slotSeconds: length), let roomSize = RoomSize(size) else {
            preconditionFailure("a length that divides a day")
        }
        var rules = ScheduleRules(grid: grid, lead: .seconds(lead), roomSize: roomSize)
        rules.trios = Int.random(in: 0..<4, using: &random) != 0
        rules.planAhead = .seconds(Int.random(in: 0...20, using: &random))
        rules.roomsAtOnce = [5_000, 1, 2].weighted([60, 20, 20], using: &random)
        rules.hasHeadStart = Bool.random(using: &random)
        rules.leaseTime = .seconds(Int.random(in: 2...15, using: &random))
        if Int.random(in: 0..<3, using: &random) != 0 {
            rules.noShow = .seconds(Int64.random(in: 0..<length, using: &random))
        }
        self.rules = rules
        servers = [1, 2, 3].weighted([50, 42, 8], using: &random)
        people = min(Int.random(in: 2...12, using: &random), Int.random(in: 2...14, using: &random))
        // If all people have preferences, the search for rooms of more than two takes long.
        hasPreferences = size == 2 || Int.random(in: 0..<5, using: &random) == 0
        let first = grid.start(atOrAfter: begin.seconds + length + 20)
        let count = [1, 2, 3, 4].weighted([45, 30, 15, 10], using: &random)
        let offsets = Array(0...Int64(count)).shuffled(using: &random).prefix(count)
        let starts = offsets.sorted().map { Timestamp(seconds: first + $0 * length) }
        slots = length > 60 || seed % 8 != 3 ? starts : Self.slots(startingAt: starts, seed: seed)
        blocking = [0, 0.05, 0.3].weighted([50, 30, 20], using: &random)
        isFaultless = Int.random(in: 0..<4, using: &random) == 0
        skew = isFaultless ? 0 : Int64.random(in: 0...3_600_000_000, using: &random)
        faults = isFaultless ? Faults() : Faults(using: &random)
    }

    /// Returns slots of several lengths, of which some start together.
    private static func slots(startingAt starts: [Timestamp], seed: UInt64) -> [Timestamp] {
        var random = SplitMix64(seed: seed ^ 0x4C45_4E47_5448_5321)
        let keys = starts.flatMap { start in
            [nil, 1, 2].shuffled(using: &random).prefix(Int.random(in: 1...2, using: &random)).map {
                SlotKey(startsAt: start, minutes: $0).instant
            }
        }
        return keys.sorted()
    }

    /// The instant a while after the end of the last slot, from which on there are no faults.
    var calmAt: Timestamp {
        (slots.map(rules.endsAt).max() ?? begin).adding(.seconds(2))
    }
}

extension WorldPlan.Faults {
    init(using random: inout SplitMix64) {
        func some(_ probability: Double) -> Double {
            Int.random(in: 0..<3, using: &random) == 0
                ? Double.random(in: 0...probability, using: &random) : 0
        }
        func few(_ most: Int) -> Int {
            Int.random(in: 0..<2, using: &random) == 0 ? Int.random(in: 0...most, using: &random) : 0
        }
        lostConnection = some(0.1)
        serialization = some(0.3)
        lostCommit = some(0.3)
        lostChangeEvent = some(1)
        crashAtStatement = some(0.05)
        slowAnswer = some(0.2)
        crashes = few(4)
        clockSteps = few(4)
        outages = few(3)
        stalls = few(3)
        losesServer = Int.random(in: 0..<3, using: &random) == 0
    }
}

extension Array {
    /// Returns one of the elements, with the probabilities of its weights.
    func weighted(_ weights: [Int], using random: inout SplitMix64) -> Element {
        var point = Int.random(in: 0..<weights.reduce(0, +), using: &random)
        for (element, weight) in zip(self, weights) {
            if point < weight { return element }
            point -= weight
        }
        preconditionFailure("a weight for each element")
    }
}
