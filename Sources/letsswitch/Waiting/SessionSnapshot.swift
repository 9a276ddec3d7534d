import Contract

/// How a session stood when `wait` last looked at it.
struct SessionSnapshot: Equatable, Sendable {
    /// How near the session is to a goal.
    enum Progress: Equatable, Sendable {
        /// The text is for people.
        case reached(String)
        case waiting(String)
        /// The goal is out of reach; the text says why.
        case over(String)
    }

    let registration: Registration
    /// The state of the slot while the room is not open; nil if it was not asked for.
    var slot: SlotState?
    /// The open room; nil if there is none.
    var room: Room?

    var partners: [Member] { (room?.members ?? []).filter { !$0.you } }

    /// Whether a change of this may come without a notification.
    func changesUntold(for goal: WaitGoal) -> Bool { goal == .connected && room != nil }

    func progress(to goal: WaitGoal) -> Progress {
        switch registration.state.known {
        case .cancelled: return .over(local("The registration was cancelled."))
        case .attended, .missed: return .over(local("The session is over."))
        case .lapsed: return .over(local("The service was down for the whole slot."))
        case .registered, .matched, nil: break
        }
        guard let room else {
            return slot == .partnered && goal == .matched ? .reached(partnered) : notOpen(goal)
        }
        if let closer = room.closedBy { return .over(closer.sentence) }
        let (names, present) = (Self.names(partners), partners.filter(\.present))
        switch goal {
        case .open:
            return .reached(
                partners.isEmpty ? local("The room is open.") : local("The room is open, with \(names)."))
        case .matched where !partners.isEmpty: return .reached(local("You are with \(names)."))
        case .connected where !present.isEmpty: return .reached(local("In the room: \(Self.names(present))."))
        case .matched, .connected:
            let company = partners.isEmpty ? local("you are alone so far") : local("with \(names)")
            return .waiting(local("waiting for \(goal.words): the room is open, \(company)"))
        }
    }

    private var partnered: String { local("You have a partner for \(LocalClock.span(registration.slot)).") }

    private func notOpen(_ goal: WaitGoal) -> Progress {
        let task = SafeText.escape(registration.task)
        return .waiting(
            local("waiting for \(goal.words): \(LocalClock.span(registration.slot)), \(task)"))
    }

    private static func names(_ members: [Member]) -> String {
        members.map { SafeText.escape($0.name) }.joined(separator: ", ")
    }
}
