import Contract

/// A record of who was notified of which slot, and how long after the due instant.
struct NoticeLedger {
    private let dues: [Timestamp]
    private let numbers: [Timestamp: Int]
    private let people: Int
    /// The number of notifications of each person, person by person within each slot.
    private var counts: [UInt8]
    /// The lateness in nanoseconds; early notifications count as zero.
    private(set) var lateness = DurationHistogram()
    /// The lateness of the last person notified of each slot, in microseconds; nil if none was.
    private(set) var lastOfSlot: [Int64?]
    /// The number of first notifications of a person and a slot.
    private(set) var told = 0
    /// The number of repeated notifications of a person and a slot.
    private(set) var twice = 0
    private(set) var early = 0
    /// The number of notifications of slots that are not measured.
    private(set) var strange = 0

    init(_ plan: NoticePlan) {
        self.init(people: plan.tokens.count, slots: plan.slots, lead: plan.lead)
    }

    /// Expects that all people are notified of all the slots, each of them the lead before it starts.
    init(people: Int, slots: [Timestamp], lead: Duration) {
        self.people = people
        dues = slots.map { $0.adding(.zero - lead) }
        numbers = Dictionary(zip(slots, slots.indices), uniquingKeysWith: { first, _ in first })
        counts = Array(repeating: 0, count: people * slots.count)
        lastOfSlot = Array(repeating: nil, count: slots.count)
    }

    /// The number of notifications once all people were notified of every slot.
    var expected: Int { counts.count }

    var isComplete: Bool { told == expected }

    /// Records that a person was notified that the room of the slot that starts at `startsAt` is open.
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
