/// The latest message ids of one member, and the ale that each became: a ring of places, which a restart
/// finds again.
struct MessageIdMemory: Sendable {
    private var numbers: [MessageFingerprint: Int64] = [:]
    /// Nil: nothing is known of what an earlier process had there.
    private var places: [MessageFingerprint?] = []
    private var next = 0

    init() {}

    /// What an earlier process remembered at each place, at most `capacity`.
    init(restoring places: [(fingerprint: MessageFingerprint, number: Int64)?], capacity: Int) {
        self.places = places.map { $0?.fingerprint }
        for case (let fingerprint, let number)? in places { numbers[fingerprint] = number }
        let latest = places.indices.max { places[$0]?.number ?? 0 < places[$1]?.number ?? 0 }
        if let latest { next = (latest + 1) % capacity }
    }

    func number(of messageId: MessageFingerprint) -> Int64? { numbers[messageId] }

    /// Answers with the place that it took, below `capacity`; what was there is forgotten.
    mutating func remember(_ messageId: MessageFingerprint, _ number: Int64, capacity: Int) -> Int {
        let place = next
        if place < places.count {
            if let oldest = places[place] { numbers[oldest] = nil }
            places[place] = messageId
        } else {
            places.append(messageId)
        }
        numbers[messageId] = number
        next = place + 1 == capacity ? 0 : place + 1
        return place
    }
}
