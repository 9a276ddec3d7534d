/// The places for questions to the name service: each question costs a thread, for seconds if no answer
/// comes. Some places are for names that have been found before, so that names that are never found do not
/// hold up the others.
struct LookUpPlaces {
    package static let all = 128
    static let forNew = all - all / 4
    /// The maximum number of further threads that nobody waits for any more, since no answer came in time.
    /// They end by themselves.
    static let overdue = all

    private var taken = 0
    private var takenByNew = 0
    /// The waiting turns, in the order of their arrival.
    private var proven: [UInt64] = []
    private var new: [UInt64] = []

    /// Takes a place. Returns false if the turn has to wait until `leave` returns it.
    package mutating func take(_ turn: UInt64, _ isProven: Bool) -> Bool {
        if hasRoom(isProven) {
            begin(isProven)
            return true
        }
        if isProven { proven.append(turn) } else { new.append(turn) }
        return false
    }

    /// Leaves a place, and returns the turn that has it now.
    package mutating func leave(_ isProven: Bool) -> UInt64? {
        taken -= 1
        if !isProven { takenByNew -= 1 }
        if !proven.isEmpty, hasRoom(true) {
            begin(true)
            return proven.removeFirst()
        }
        guard !new.isEmpty, hasRoom(false) else { return nil }
        begin(false)
        return new.removeFirst()
    }

    /// Removes a waiting turn; returns false if it does not wait any more.
    mutating func giveUp(_ turn: UInt64) -> Bool {
        let count = proven.count + new.count
        proven.removeAll { $0 == turn }
        new.removeAll { $0 == turn }
        return proven.count + new.count < count
    }

    private func hasRoom(_ isProven: Bool) -> Bool {
        taken < Self.all && (isProven || takenByNew < Self.forNew)
    }

    private mutating func begin(_ isProven: Bool) {
        taken += 1
        if !isProven { takenByNew += 1 }
    }
}
