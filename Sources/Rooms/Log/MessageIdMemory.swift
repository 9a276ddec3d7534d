/// The latest message ids of one member, and the ale that each became: a ring of places, which survives a
/// restart.
struct MessageIdMemory: Sendable {
    private var numbers: [MessageFingerprint: Int64] = [:]
    /// The message id at each place; nil if it is not known what an earlier process had there.
    private var places: [MessageFingerprint?] = []
    private var next = 0

    init() {}

    /// Restores the places of an earlier process, at most `capacity`.
    init(restoring places: [(fingerprint: MessageFingerprint, number: Int64)?], capacity: Int) {
        self.places = places.map { $0?.fingerprint }
        for case (let fingerprint, let number)? in places { numbers[fingerprint] = number }
        let latest = places.indices.max { places[$0]?.number ?? 0 < places[$1]?.number ?? 0 }
        if let latest { next = (latest + 1) % capacity }
    }

    /// The message id at each place, with the number of its ale; nil where it is not known.
    var entries: [(fingerprint: MessageFingerprint, number: Int64)?] {
        places.map { place in
            guard let place, let number = numbers[place] else { return nil }
            return (place, number)
        }
    }

    func number(of messageId: MessageFingerprint) -> Int64? { numbers[messageId] }

    /// Stores the number of the ale for a message id. Returns its place, below `capacity`; the previous id
    /// there is forgotten.
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
