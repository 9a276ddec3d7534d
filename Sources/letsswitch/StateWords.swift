import Contract

/// A state that has a word for people.
protocol WordedState {
    var word: String { get }
}

extension Extensible where Known: WordedState {
    /// The state as a word for people; the server's own word if this version does not know the state.
    var word: String { known?.word ?? SafeText.escape(rawValue) }
}

extension SlotState: WordedState {
    /// The state as a word for people.
    var word: String {
        switch self {
        case .empty: local("empty")
        case .waiting: local("waiting")
        case .registered: local("registered")
        case .partnered: local("partnered")
        case .open: local("open")
        case .attended: local("attended")
        case .missed: local("missed")
        case .lapsed: local("lapsed")
        case .closed: local("closed")
        }
    }
}

extension Extensible<RoomCloser> {
    /// A sentence for the members of the room.
    var sentence: String { (known?.message ?? "The room was closed.").local }
}

extension RegistrationState: WordedState {
    /// The state as a word for people.
    var word: String {
        switch self {
        case .registered: local("registered")
        case .matched: local("matched")
        case .attended: local("attended")
        case .missed: local("missed")
        case .cancelled: local("cancelled")
        case .lapsed: local("lapsed")
        }
    }
}

extension EndpointState: WordedState {
    /// The state as a word for people.
    var word: String {
        switch self {
        case .active: local("active")
        case .unverified: local("unverified")
        case .failing: local("failing")
        case .disabled: local("disabled")
        }
    }
}

extension Routine.State: WordedState {
    /// The state as a word for people.
    var word: String {
        switch self {
        case .active: local("active")
        case .paused: local("paused")
        case .ended: local("ended")
        }
    }
}

extension RoutineOccurrence.State: WordedState {
    /// The state as a word for people.
    var word: String {
        switch self {
        case .planned: local("planned")
        case .registered: local("registered")
        case .skipped: local("skipped")
        case .conflict: local("conflict")
        case .limit: local("limit")
        case .attendance: local("attendance")
        case .offGrid: local("off-grid")
        case .late: local("late")
        }
    }
}

extension Weekday {
    /// The whole name: `monday` to `sunday` in English.
    var longName: Text {
        switch self {
        case .monday: "monday"
        case .tuesday: "tuesday"
        case .wednesday: "wednesday"
        case .thursday: "thursday"
        case .friday: "friday"
        case .saturday: "saturday"
        case .sunday: "sunday"
        }
    }

    /// The short name: `Mon` to `Sun` in English.
    var shortName: String {
        switch self {
        case .monday: local("Mon")
        case .tuesday: local("Tue")
        case .wednesday: local("Wed")
        case .thursday: local("Thu")
        case .friday: local("Fri")
        case .saturday: local("Sat")
        case .sunday: local("Sun")
        }
    }
}
