extension Routes {
    public static let routines = "/v1/routines"
    public static func routine(_ id: Identifier) -> String { "\(routines)/\(id)" }
    public static func routineSkips(_ id: Identifier) -> String { "\(routine(id))/skips" }
    public static func routineSkip(_ id: Identifier, _ date: LocalDate) -> String {
        "\(routineSkips(id))/\(date)"
    }
}

/// A task that the server registers repeatedly, by a rule.
public struct Routine: Codable, Hashable, Sendable {
    /// The state of a routine.
    public enum State: String, CaseIterable, Codable, Hashable, Sendable {
        case active
        /// The server makes no registrations until the routine is resumed.
        case paused
        /// The rule has no future day.
        case ended
    }

    public var id: Identifier
    public var task: String
    public var tag: String?
    public var rrule: RecurrenceRule
    /// The time of day of each start, in `timeZone`.
    public var localTime: LocalTime
    /// The IANA name of the time zone.
    public var timeZone: String
    /// The day from which the rule counts its COUNT and INTERVAL.
    public var startDate: LocalDate
    /// The future days that are skipped, in their order.
    public var exdates: [LocalDate]
    public var state: Extensible<State>
    public var createdAt: Timestamp
    public var updatedAt: Timestamp
    /// The next occurrences, `Limits.nextOccurrences` at most.
    public var next: [RoutineOccurrence]
    /// The occurrences that could not be registered: those of the last 30 days, and all future ones.
    public var problems: [RoutineOccurrence]

    public init(
        id: Identifier, task: String, tag: String?, rrule: RecurrenceRule, localTime: LocalTime,
        timeZone: String, startDate: LocalDate, exdates: [LocalDate], state: State, createdAt: Timestamp,
        updatedAt: Timestamp, next: [RoutineOccurrence], problems: [RoutineOccurrence]
    ) {
        self.id = id
        self.task = task
        self.tag = tag
        self.rrule = rrule
        self.localTime = localTime
        self.timeZone = timeZone
        self.startDate = startDate
        self.exdates = exdates
        self.state = .known(state)
        self.createdAt = createdAt
        self.updatedAt = updatedAt
        self.next = next
        self.problems = problems
    }
}

/// One day of a routine.
public struct RoutineOccurrence: Codable, Hashable, Sendable {
    /// The state of an occurrence.
    public enum State: String, CaseIterable, Codable, Hashable, Sendable {
        /// The day is too far ahead to be registered, or the routine is paused.
        case planned
        case registered
        /// The day is in `exdates`, or its registration was cancelled.
        case skipped
        /// The user has another registration for the slot.
        case conflict
        /// The user has, or made on one day, as many registrations as are permitted.
        case limit
        /// The user has missed too many sessions to hold more registrations at once.
        case attendance
        /// No slot starts at that time.
        case offGrid = "off-grid"
        /// The slot began before it could be registered.
        case late

        /// The reason for which the day is not registered, and the remedy; nil if it is not a problem.
        public var detail: String? {
            switch self {
            case .planned, .registered, .skipped: nil
            case .conflict:
                "You have another registration for this slot. Once it is free, the routine takes it."
            case .limit:
                "You hold, or made today, as many registrations as you may. This one follows once there are "
                    + "fewer, or on the next day."
            case .attendance:
                "You came too seldom to hold more registrations at once. Once you may, this follows."
            case .offGrid: "No slot starts at that time on this day."
            case .late: "The slot had begun before it could be registered."
            }
        }
    }

    /// The local day, in the routine's time zone.
    public var date: LocalDate
    public var startsAt: Timestamp
    public var state: Extensible<State>
    /// The registration; nil if there is none.
    public var registrationId: Identifier?
    /// The reason for which the local time was adjusted (RFC 5545 §3.3.5); nil if it was not.
    public var adjusted: Extensible<Registration.Adjustment>?
    /// The reason for which the day is not registered, for people; nil if it is not a problem.
    public var detail: String?

    public init(
        date: LocalDate, startsAt: Timestamp, state: State, registrationId: Identifier? = nil,
        adjusted: Registration.Adjustment? = nil
    ) {
        self.date = date
        self.startsAt = startsAt
        self.state = .known(state)
        self.registrationId = registrationId
        self.adjusted = adjusted.map { .known($0) }
        detail = state.detail
    }
}

/// The answer of `GET /v1/routines`, oldest first.
public struct RoutineList: Codable, Hashable, Sendable {
    public var routines: [Routine]
    /// The cursor of the next page; nil on the last one.
    public var nextCursor: String?

    public init(routines: [Routine], nextCursor: String? = nil) {
        self.routines = routines
        self.nextCursor = nextCursor
    }
}
