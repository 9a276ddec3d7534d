/// The callers that wait for a goal of the connection.
struct Watches: Sendable {
    /// The values of a connection on which goals depend.
    struct Facts: Sendable {
        var isInRoom = false
        /// The number of messages that wait to be sent or acknowledged.
        var queueDepth = 0
        /// The number of round trips that have been measured.
        var roundTrips = 0
        /// The entries into the room after the first.
        var reconnects = 0
        /// The error once the connection is closed for good.
        var closedError: ClientError?
    }

    enum Goal: Sendable {
        case inRoom
        /// No message waits any more.
        case emptyQueue
        /// A round trip after those facts.
        case roundTrip(after: Facts)
        /// The room, with an answer or an entry after those facts: a link that seems to work may be lost.
        case proof(after: Facts)

        /// Returns the result; nil if the goal is neither reached nor out of reach.
        func result(_ facts: Facts) -> Result<Void, ClientError>? {
            let isReached =
                switch self {
                case .inRoom: facts.isInRoom
                case .emptyQueue: facts.queueDepth == 0
                case .roundTrip(let before): facts.roundTrips > before.roundTrips
                case .proof(let before):
                    facts.isInRoom
                        && (facts.roundTrips > before.roundTrips || facts.reconnects > before.reconnects)
                }
            return isReached ? .success(()) : facts.closedError.map { .failure($0) }
        }
    }

    private struct Watch {
        let goal: Goal
        /// The instant at which the caller gives up; nil for never.
        let deadline: Duration?
        let result: PendingResult<Void>
    }

    private var watches: [Watch] = []

    /// The earliest deadline; nil for none.
    var due: Duration? { watches.compactMap(\.deadline).min() }

    /// Begins to wait for a goal, which may be reached already.
    mutating func add(_ goal: Goal, until deadline: Duration?, _ facts: Facts) -> PendingResult<Void> {
        let result = PendingResult<Void>()
        watches.append(Watch(goal: goal, deadline: deadline, result: result))
        check(facts)
        return result
    }

    /// Removes a caller that does not wait any more.
    mutating func remove(_ result: PendingResult<Void>) { watches.removeAll { $0.result == result } }

    /// Answers the callers whose goals are reached or out of reach.
    mutating func check(_ facts: Facts) {
        watches.removeAll { watch in
            guard let result = watch.goal.result(facts) else { return false }
            watch.result.settle(result)
            return true
        }
    }

    /// Answers the callers whose deadlines have passed.
    mutating func expire(at now: Duration) {
        watches.removeAll { watch in
            guard let deadline = watch.deadline, now >= deadline else { return false }
            watch.result.settle(.failure(.timedOut))
            return true
        }
    }
}
