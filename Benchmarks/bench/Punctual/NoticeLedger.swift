import Contract

/// Who was told of which slot, and how long after the instant due.
struct NoticeLedger {
    private let dues: [Timestamp]
    private let numbers: [Timestamp: Int]
    private let people: Int
    /// How often each was told, person by person within each slot.
    private var counts: [UInt8]
    /// In nanoseconds; those who were told early count as zero.
    private(set) var lateness = Histogram()
    /// In microseconds, of the last who was told of each slot; nil: nobody was.
    private(set) var lastOfSlot: [Int64?]
    /// How often somebody was told of a slot for the first time.
    private(set) var told = 0
    /// Told again of a slot that they had been told of.
    private(set) var twice = 0
    private(set) var early = 0
    /// How often somebody was told of a slot that nobody asked about.
    private(set) var strange = 0

    init(_ plan: NoticePlan) {
        self.init(people: plan.tokens.count, slots: plan.slots, lead: plan.lead)
    }

    /// Everybody is to be told of all the slots, each of them the lead before it starts.
    init(people: Int, slots: [Timestamp], lead: Duration) {
        self.people = people
        dues = slots.map { $0.adding(.zero - lead) }
        numbers = Dictionary(zip(slots, slots.indices), uniquingKeysWith: { first, _ in first })
        counts = Array(repeating: 0, count: people * slots.count)
        lastOfSlot = Array(repeating: nil, count: slots.count)
    }

    /// What should have been told once everybody was.
    var expected: Int { counts.count }

    var isComplete: Bool { told == expected }

    /// Somebody was told that the room of the slot that begins then is open.
    mutating func note(_ person: Int, slot startsAt: Timestamp, at now: Timestamp) {
        guard let slot = numbers[startsAt] else {
            strange += 1
            return
        }
        let index = slot * people + person
        guard counts[index] == 0 else {
            twice += 1
            return
        }
        counts[index] = 1
        told += 1
        let late = now.microseconds - dues[slot].microseconds
        if late < 0 { early += 1 }
        lateness.add(UInt64(max(0, late)) * 1_000)
        lastOfSlot[slot] = max(lastOfSlot[slot] ?? .min, late)
    }
}
