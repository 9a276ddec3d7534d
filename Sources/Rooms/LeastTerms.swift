import Contract

/// The least terms that answers of the database may have, for rooms that had another owner since. Terms are
/// fencing tokens: they only grow, so an answer that a later one overtook is recognized by its term.
struct LeastTerms {
    private var terms: [Identifier: (term: Int32, until: Timestamp)] = [:]

    /// Notes that the room has reached that term; until then it is remembered.
    mutating func note(_ room: Identifier, _ term: Int32, until: Timestamp) {
        let known = terms[room] ?? (term, until)
        if known.term <= term { terms[room] = (term, max(known.until, until)) }
    }

    func isOutdated(_ room: Identifier, _ term: Int32) -> Bool {
        guard let known = terms[room] else { return false }
        return term < known.term
    }

    mutating func forget(endedBy now: Timestamp) {
        if !terms.isEmpty { terms = terms.filter { $0.value.until > now } }
    }

    /// The number of rooms.
    var count: Int { terms.count }
}
