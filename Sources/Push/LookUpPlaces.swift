import Reactor

/// The places for questions to the name service: each question costs a thread, for seconds if no answer
/// comes. Some places are for names that have been found before, so that names that are never found do not
/// hold up the others.
struct LookUpPlaces {
    package static let all = 128
    static let forNew = all - all / 4
    /// The maximum number of further threads that nobody waits for any more, since no answer came in time.
    /// They end by themselves.
    static let overdue = all

    /// The descriptors of questions; nil for no bound. An overdue question keeps its own.
    var descriptors: DescriptorBudget.Share?
    private var taken = 0
    private var takenByNew = 0
    /// The waiting turns, in the order of their arrival.
    private var proven: [UInt64] = []
    private var new: [UInt64] = []

    /// Takes a place. Returns false if the turn has to wait until `leave` returns it.
    package mutating func take(_ turn: UInt64, _ isProven: Bool) -> Bool {
        if begin(isProven) { return true }
        if isProven { proven.append(turn) } else { new.append(turn) }
        return false
    }

    /// Leaves a place. The descriptors of an overdue question are given back by `endOverdue`.
    package mutating func leave(_ isProven: Bool, isOverdue: Bool = false) {
        taken -= 1
        if !isProven { takenByNew -= 1 }
        if !isOverdue { descriptors?.giveBack() }
    }

    /// Notes that the thread of an overdue question has ended.
    func endOverdue() { descriptors?.giveBack() }

    /// Returns the next waiting turn, which has a place now; nil if none waits, or there is no place for it.
    package mutating func next() -> UInt64? {
        if !proven.isEmpty, begin(true) { return proven.removeFirst() }
        guard !new.isEmpty, begin(false) else { return nil }
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

    /// Takes a place; returns false if there is none.
    private mutating func begin(_ isProven: Bool) -> Bool {
        guard hasRoom(isProven), descriptors?.take() ?? true else { return false }
        taken += 1
        if !isProven { takenByNew += 1 }
        return true
    }
}
