import Client
import Contract

/// Translates the values of `--at` into the requested slots of a registration request.
///
/// The server has the zone's rules: its list of slots for a day tells which day it is there, and which slots
/// can still be had.
struct SlotChooser {
    let api: APIClient
    let now: Timestamp
    /// The length of the slots in minutes; nil for the usual one.
    let minutes: Int?
    /// The lists that the server has given; nil stands for today.
    private var days: [LocalDate?: SlotList] = [:]
    /// Sentences on what was chosen where the words did not say it exactly.
    private(set) var notes: [Text] = []

    init(api: APIClient, now: Timestamp, minutes: Int? = nil) {
        self.api = api
        self.now = now
        self.minutes = minutes
    }

    /// Returns local times if all are local, so that the server settles gaps and overlaps; else instants.
    mutating func choose(_ specs: [TimeSpec]) async throws -> NewRegistration.Slots {
        var choices: [Choice] = []
        for spec in specs { choices.append(try await choose(spec)) }
        let locals = choices.compactMap(\.local)
        if locals.count == choices.count { return .local(locals, timeZone: nil) }
        var instants: [Timestamp] = []
        for choice in choices { instants.append(try await instant(of: choice)) }
        return .instants(instants)
    }

    /// Returns one of the requested slots, as the server shows it now; nil: it is in no list.
    mutating func slot(_ index: Int, of slots: NewRegistration.Slots) async throws -> SlotView? {
        days = [:]
        switch slots {
        case .instants(let instants): return try await view(of: instants[index])?.slot
        case .local(let times, _):
            let wanted = times[index]
            return try await self.slots(of: wanted.date).slots.first { $0.time == wanted.time }
        case .invite: return nil
        }
    }

    /// Returns the time of a slot in the account's zone, as `Sun 2027-03-28 09:00`; nil: it is in no list.
    mutating func accountTime(of slot: SlotSpan) async throws -> (dateAndTime: String, zone: String)? {
        guard let (found, list) = try await view(of: slot.startsAt), let time = found.time else { return nil }
        return ("\(list.date.weekday) \(list.date) \(time)", SafeText.escape(list.timeZone))
    }

    private mutating func view(of startsAt: Timestamp) async throws -> (slot: SlotView, list: SlotList)? {
        // The slot's local day may be the one before or after its day in UTC.
        for shift in [0, -86_400, 86_400] {
            let day = startsAt.adding(.seconds(shift)).description.prefix(10)
            guard let date = LocalDate(String(day)) else { continue }
            let list = try await slots(of: date)
            if let found = list.slots.first(where: { $0.startsAt == startsAt }) { return (found, list) }
        }
        return nil
    }

    private enum Choice {
        case instant(Timestamp)
        case local(LocalDateTime)

        var local: LocalDateTime? {
            if case .local(let time) = self { time } else { nil }
        }
    }

    private mutating func choose(_ spec: TimeSpec) async throws -> Choice {
        switch spec {
        case .instant(let instant):
            return .instant(instant)
        case .nextSlot:
            return .instant(try await nextSlot().startsAt)
        case .currentSlot:
            let slots = try await slots().slots
            guard let slot = slots.last(where: { $0.startsAt <= now && now < $0.endsAt }) else {
                throw Failure(.notFound, "There is no such slot", "No slot is running now. Try --at next.")
            }
            return .instant(slot.startsAt)
        case .offsetClock(let time, let offset):
            return .instant(try await nextInstant(of: time, offset))
        case .later(let wait):
            return .instant(try await slot(nearestTo: now.adding(wait)).startsAt)
        case .clock(let day, let time):
            guard let local = time.on(try await date(day, time)) else {
                throw Failure.usage("There is no such time.")
            }
            return .local(local)
        }
    }

    private mutating func date(_ day: TimeSpec.Day, _ time: LocalTime) async throws -> LocalDate {
        switch day {
        case .date(let date):
            return date
        case .today:
            return try await slots().date
        case .tomorrow:
            return try await slots().date.next
        case .next:
            let today = try await slots()
            return isOver(time, today) ? today.date.next : today.date
        case .weekday(let weekday):
            let today = try await slots()
            let days = weekday.days(after: today.date.dayOfWeek)
            guard days == 0 else { return today.date.adding(days: days) }
            guard isOver(time, today) else {
                notes.append("It is \(weekday.longName) today, and \(time) can still be had.")
                return today.date
            }
            let date = today.date.adding(days: 7)
            notes.append("It is \(weekday.longName) today, and \(time) is over: \(date) is meant.")
            return date
        }
    }

    /// Whether a time of today no longer means a slot of today.
    private func isOver(_ time: LocalTime, _ today: SlotList) -> Bool {
        let slot = today.slots.last { $0.time.map { $0 <= time } ?? false }
        return slot?.isOver(at: now) ?? false
    }

    /// Returns the first instant at which clocks with that offset show the time and its slot is not over.
    private mutating func nextInstant(of time: LocalTime, _ offset: Duration) async throws -> Timestamp {
        let day: Int64 = 86_400
        let there = now.adding(offset).seconds
        let midnight = there - (there % day + day) % day
        let seconds = midnight + Int64(time.hour * 3600 + time.minute * 60)
        let today = Timestamp(seconds: seconds).adding(.zero - offset)
        let isOver = try await view(of: today)?.slot.isOver(at: now) ?? (today < now)
        return isOver ? today.adding(.seconds(day)) : today
    }

    /// Returns the slot that has yet to begin and begins nearest to the instant; of two, the later one.
    private mutating func slot(nearestTo instant: Timestamp) async throws -> SlotView {
        var all: [SlotView] = []
        for shift in [-86_400, 0, 86_400] {
            let day = instant.adding(.seconds(shift)).description.prefix(10)
            if let date = LocalDate(String(day)) { all += try await slots(of: date).slots }
        }
        func distance(_ slot: SlotView) -> Duration {
            let difference = slot.startsAt.since(instant)
            return max(difference, .zero - difference)
        }
        let ahead = all.filter { $0.startsAt > now }.sorted { $0.startsAt > $1.startsAt }
        guard let nearest = ahead.min(by: { distance($0) < distance($1) }) else {
            throw Failure(.notFound, "There is no such slot", "No slot begins then.")
        }
        if distance(nearest) >= .seconds(60) {
            let minute = Timestamp(seconds: instant.seconds / 60 * 60)
            let begins = Countdown.words(nearest.startsAt.since(now))
            notes.append(
                "\(LocalClock.time(minute)) is not the beginning of a slot. The nearest one begins "
                    + "at \(LocalClock.time(nearest.startsAt)), \(begins).")
        }
        return nearest
    }

    private mutating func nextSlot() async throws -> SlotView {
        let today = try await slots()
        for date in [today.date, today.date.next] {
            let slots = try await slots(of: date).slots
            if let slot = slots.first(where: { $0.canBeHad && now < $0.startsAt }) { return slot }
        }
        throw Failure(
            .notFound, "There is no such slot", "You have every slot of today and tomorrow already.")
    }

    private mutating func instant(of choice: Choice) async throws -> Timestamp {
        switch choice {
        case .instant(let instant):
            return instant
        case .local(let time):
            let list = try await slots(of: time.date)
            guard let slot = list.slots.first(where: { $0.time == time.time }) else {
                throw Failure.usage("No slot begins at \(time) in \(SafeText.escape(list.timeZone)).")
            }
            return slot.startsAt
        }
    }

    /// Returns the slots of a day; without one, of today.
    private mutating func slots(of date: LocalDate? = nil) async throws -> SlotList {
        if let list = days[date] { return list }
        let list = try SlotLength.check(minutes, in: try await api.slots(date: date, minutes: minutes))
        (days[date], days[list.date]) = (list, list)
        return list
    }
}
