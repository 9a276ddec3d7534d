import Contract

/// The time of a day at which a slot begins.
struct SlotTime: Hashable, Comparable, CustomStringConvertible, Sendable {
    let hour: Int
    let minute: Int

    /// The time as `09:00`.
    var description: String {
        "\(hour < 10 ? "0" : "")\(hour):\(minute < 10 ? "0" : "")\(minute)"
    }

    static func < (left: SlotTime, right: SlotTime) -> Bool {
        (left.hour, left.minute) < (right.hour, right.minute)
    }
}

extension SlotTime {
    /// Reads `09:00`, also behind a date and before seconds.
    init?(_ text: String) {
        let parts = (text.split(separator: "T").last ?? "").prefix(5).split(separator: ":")
        guard parts.count == 2, let hour = Int(parts[0]), let minute = Int(parts[1]) else { return nil }
        self.init(hour: hour, minute: minute)
    }
}

extension SlotView {
    var time: SlotTime? { SlotTime(localTime) }

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
