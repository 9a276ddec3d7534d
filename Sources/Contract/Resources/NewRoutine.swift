/// The body of `POST /v1/routines`.
public struct NewRoutine: RequestBody {
    /// The task of each registration: 1 to 200 characters.
    public var task: String
    /// The tag of each registration: 1 to 32 characters.
    public var tag: String?
    public var rrule: RecurrenceRule
    /// The time of day of each start.
    public var localTime: LocalTime
    /// The IANA name of the time zone; nil for the account's.
    public var timeZone: String?
    /// The day from which the rule counts; nil for today.
    public var startDate: LocalDate?
    /// The days to skip, `Limits.exdates` at most.
    public var exdates: [LocalDate]

    public static let members: [BodyMember] = [
        .text("task", .task), .text("tag", .tag), .word("rrule", RecurrenceRuleReader.longest),
        .word("localTime", BodyMember.localTime), .text("timeZone", .timeZone),
        .word("startDate", BodyMember.day), .words("exdates", BodyMember.day, times: Limits.exdates),
    ]

    public init(
        task: String, tag: String? = nil, rrule: RecurrenceRule, localTime: LocalTime,
        timeZone: String? = nil, startDate: LocalDate? = nil, exdates: [LocalDate] = []
    ) {
        self.task = task
        self.tag = tag
        self.rrule = rrule
        self.localTime = localTime
        self.timeZone = timeZone
        self.startDate = startDate
        self.exdates = exdates
    }

    public init(_ reader: inout RequestReader) throws(RequestError) {
        task = reader.text("task", .task)
        tag = reader.optionalText("tag", .tag)
        let rule = reader.required("rrule", RoutineText.rule)
        let time = reader.required("localTime", RoutineText.time)
        timeZone = reader.optionalText("timeZone", .timeZone)
        startDate = reader.converted("startDate", orNull: true, RoutineText.date)
        exdates = reader.list("exdates", 0...Limits.exdates, of: RoutineText.listed) ?? []
        try reader.finish()
        // `finish` has thrown if one of them is missing or wrong.
        guard let rule, let time else { throw .invalid([]) }
        (rrule, localTime) = (rule, time)
    }
}

/// The body of `PATCH /v1/routines/{id}`: the changes from a day on. A nil member keeps the old value.
public struct RoutinePatch: RequestBody {
    /// The new task: 1 to 200 characters.
    public var task: String?
    public var tag: Change<String>
    /// The new rule, which counts from `from`. While FREQ and INTERVAL stay the same, so do the days or weeks
    /// that the interval selects (RFC 5545 §3.8.5.3).
    public var rrule: RecurrenceRule?
    public var localTime: LocalTime?
    public var timeZone: String?
    /// The first day to which the changes apply; nil for today.
    public var from: LocalDate?
    /// Whether the routine is paused.
    public var paused: Bool?

    public static let members: [BodyMember] = [
        .text("task", .task), .text("tag", .tag), .word("rrule", RecurrenceRuleReader.longest),
        .word("localTime", BodyMember.localTime), .text("timeZone", .timeZone),
        .word("from", BodyMember.day), .scalar("paused"),
    ]

    public init(
        task: String? = nil, tag: Change<String> = .keep, rrule: RecurrenceRule? = nil,
        localTime: LocalTime? = nil, timeZone: String? = nil, from: LocalDate? = nil, paused: Bool? = nil
    ) {
        self.task = task
        self.tag = tag
        self.rrule = rrule
        self.localTime = localTime
        self.timeZone = timeZone
        self.from = from
        self.paused = paused
    }

    public init(_ reader: inout RequestReader) throws(RequestError) {
        task = reader.replacement("task", .task)
        tag = reader.change("tag", .tag)
        rrule = reader.converted("rrule", RoutineText.rule)
        localTime = reader.converted("localTime", RoutineText.time)
        timeZone = reader.replacement("timeZone", .timeZone)
        from = reader.converted("from", RoutineText.date)
        paused = reader.flag("paused")
    }
}

/// The body of `POST /v1/routines/{id}/skips`: a day of the routine to skip.
public struct NewSkip: RequestBody {
    public var date: LocalDate

    public static let members: [BodyMember] = [.word("date", BodyMember.day)]

    public init(date: LocalDate) {
        self.date = date
    }

    public init(_ reader: inout RequestReader) throws(RequestError) {
        let date = reader.required("date", RoutineText.date)
        try reader.finish()
        // `finish` has thrown if it is missing or wrong.
        guard let date else { throw .invalid([]) }
        self.date = date
    }
}

/// Readers of the texts in the bodies of routines.
private enum RoutineText {
    static func rule(_ text: String) throws(ValidationError) -> RecurrenceRule { try RecurrenceRule(text) }

    static func time(_ text: String) throws(ValidationError) -> LocalTime {
        try LocalTime(text).orThrow(ValidationError("This has to be a time of day like 09:00."))
    }

    static func listed(_ json: JSONValue) throws(ValidationError) -> LocalDate {
        guard let text = json.string else {
            throw ValidationError("This has to be a day like 2027-03-28, not \(json.kind).")
        }
        return try date(text)
    }

    static func date(_ text: String) throws(ValidationError) -> LocalDate {
        try LocalDate(text).orThrow(ValidationError("This has to be a day like 2027-03-28."))
    }
}
