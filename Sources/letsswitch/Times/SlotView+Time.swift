import Contract

extension SlotView {
    /// The time of a day at which the slot begins, without its seconds.
    var time: LocalTime? {
        LocalTime(String((localTime.split(separator: "T").last ?? "").prefix(5)))
    }

    /// Whether the user can register for the slot.
    var canBeHad: Bool {
        switch state.known {
        case .empty, .waiting: true
        case .registered, .partnered, .open, .attended, .missed, .lapsed, .closed, nil: false
        }
    }

    /// Whether the slot is over, so that its time of day no longer means this slot.
    func isOver(at now: Timestamp) -> Bool {
        switch state.known {
        case .attended, .missed, .lapsed, .closed: true
        case .empty, .waiting, .registered, .partnered, .open, nil: endsAt <= now
        }
    }
}

extension LocalDate {
    /// The weekday, `Mon` to `Sun` in English.
    var weekday: String { dayOfWeek.shortName }

    /// The day after; the last possible day stays.
    var next: LocalDate { adding(days: 1) }
}
