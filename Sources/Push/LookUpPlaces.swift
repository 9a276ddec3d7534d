import Reactor

/// The places for questions to the name service: each question costs a thread, for seconds if no answer
/// comes. Some places are for names that have been found before, so that names that are never found do not
/// hold up the others.
struct LookUpPlaces {
    package static let all = 128
    static let forNew = all - all / 4
    /// The maximum number of further threads whose look-up was abandoned because it took too long. They end
    /// by themselves.
    static let overdue = all

    /// The answer to a turn that wants a place.
    enum Grant {
        case place
        /// The turn waits until `next` returns it.
        case wait
        case outOfDescriptors
    }

    /// The descriptors of questions; nil for no bound. An overdue question keeps its own.
    var descriptors: DescriptorBudget.Share?
    /// Whether a turn without a descriptor waits for one that another question here gives back. Where others
    /// take from the share too, nothing tells it when they give back theirs.
    var waitsForDescriptors = true
    private var taken = 0
    private var takenByNew = 0
    /// The waiting turns, in the order of their arrival.
    private var proven: [UInt64] = []
    private var new: [UInt64] = []

    /// Takes a place, or lets the turn wait for one.
    mutating func take(_ turn: UInt64, _ isProven: Bool) -> Grant {
        let grant = begin(isProven)
        if grant == .wait {
            if isProven { proven.append(turn) } else { new.append(turn) }
        }
        return grant
    }

    /// Leaves a place. The descriptors of an overdue question are given back by `endOverdue`.
    package mutating func leave(_ isProven: Bool, isOverdue: Bool = false) {
        taken -= 1
        if !isProven { takenByNew -= 1 }
        if !isOverdue { descriptors?.giveBack() }
    }

    /// Notes that the thread of an overdue question has ended.
    func endOverdue() { descriptors?.giveBack() }

    /// Returns the next waiting turn, which has a place now, or fails; nil if none waits, or it still has to.
    mutating func next() -> (turn: UInt64, grant: Grant)? {
        let isProven = !proven.isEmpty
        guard isProven || !new.isEmpty else { return nil }
        let grant = begin(isProven)
        if grant == .wait { return nil }
        return (turn: isProven ? proven.removeFirst() : new.removeFirst(), grant: grant)
    }

    /// Removes a waiting turn; returns false if it does not wait any more.
    mutating func giveUp(_ turn: UInt64) -> Bool {
        let count = proven.count + new.count
        proven.removeAll { $0 == turn }
        new.removeAll { $0 == turn }
        return proven.count + new.count < count
    }

    /// Takes a place if there is one.
    private mutating func begin(_ isProven: Bool) -> Grant {
        guard taken < Self.all, isProven || takenByNew < Self.forNew else { return .wait }
        guard descriptors?.take() ?? true else { return waitsForDescriptors ? .wait : .outOfDescriptors }
        taken += 1
        if !isProven { takenByNew += 1 }
        return .place
    }
}
