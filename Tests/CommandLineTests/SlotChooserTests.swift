import Client
import ClientTesting
import Codecs
import Contract
import HTTP1
import HTTPServer
import Testing

@testable import letsswitch

@Suite("The choice of a slot")
struct SlotChooserTests {
    /// A zone whose clocks change once, and the server's list of slots for its days.
    private struct Zone: CustomStringConvertible, Sendable {
        let name: String
        /// The offset from UTC in seconds before the change and after it.
        let offsets: (before: Int64, after: Int64)
        let change: Timestamp

        var description: String { name }

        func offset(_ instant: Timestamp) -> Int64 { instant < change ? offsets.before : offsets.after }

        func local(_ instant: Timestamp) -> String {
            let there = Timestamp(seconds: instant.seconds + offset(instant))
            return String(there.description.prefix(16))
        }

        func list(_ date: LocalDate, at now: Timestamp) -> SlotList {
            guard let noon = Timestamp("\(date)T12:00:00Z") else {
                return SlotList(date: date, timeZone: name, slots: [])
            }
            let starts = (-76...76).map { noon.adding(.seconds(1800 * $0)) }
            let own = starts.filter { local($0).hasPrefix(date.description) }
            let slots = own.map { start in
                SlotView(
                    startsAt: start, endsAt: start.adding(.seconds(1800)), localTime: local(start),
                    state: start.adding(.seconds(300)) < now ? .closed : .empty, others: 0)
            }
            return SlotList(date: date, timeZone: name, slots: slots)
        }

        func serve(at now: Timestamp) async throws -> ScriptedServer {
            try await ScriptedServer(.get, Routes.slots) { request in
                let today = LocalDate(String(local(now).prefix(10)))
                let date = request.query.first("date").flatMap { LocalDate($0) } ?? today
                guard let date else { return .problem(.invalid, "No day.") }
                return .json(list(date, at: now))
            }
        }
    }

    private static let zones = [
        // Spring forward and fall back, half an hour of offset, and half an hour of change.
        zone("Europe/Berlin", 3600, 7200, "2027-03-28T01:00:00Z"),
        zone("America/New_York", -14_400, -18_000, "2027-11-07T06:00:00Z"),
        zone("Asia/Kolkata", 19_800, 19_800, "2027-06-01T00:00:00Z"),
        zone("Australia/Lord_Howe", 39_600, 37_800, "2027-04-03T15:00:00Z"),
    ]

    private static func zone(_ name: String, _ before: Int64, _ after: Int64, _ change: String) -> Zone {
        Zone(name: name, offsets: (before, after), change: Timestamp(change) ?? Timestamp(seconds: 0))
    }

    private func choose(
        _ text: String, in zone: Zone, at now: Timestamp
    ) async throws -> (slots: NewRegistration.Slots, notes: [String]) {
        let server = try await zone.serve(at: now)
        let api = try APIClient(server: Server(server.url), token: "secret")
        var chooser = SlotChooser(api: api, now: now)
        return (try await chooser.choose([try TimeSpec(text)]), chooser.notes.map(\.description))
    }

    @Test(
        "takes the first day of a name on which the time can be had, around the change of clocks",
        arguments: zones.indices)
    func weekdays(index: Int) async throws {
        let zone = Self.zones[index]
        var random = SplitMix64(seed: 7)
        for _ in 0..<12 {
            let now = zone.change.adding(.seconds(Int64.random(in: -500_000...500_000, using: &random)))
            let weekday = Weekday.allCases.randomElement(using: &random) ?? .monday
            let time = try #require(LocalTime(hour: Int.random(in: 0...23, using: &random), minute: 0))
            let (slots, notes) = try await choose("\(weekday.name) \(time)", in: zone, at: now)
            guard case .local(let chosen, nil) = slots, let date = chosen.first?.date else {
                Issue.record("\(slots)")
                continue
            }
            let today = try #require(LocalDate(String(zone.local(now).prefix(10))))
            let candidates = (0...7).map { today.adding(days: $0) }.filter { $0.dayOfWeek == weekday }
            // The one of today is over where the slot that the time falls into is.
            let isOver = zone.list(today, at: now).slots.last { $0.time.map { $0 <= time } ?? false }?
                .isOver(at: now)
            let expected = candidates[0] == today && isOver == true ? candidates[1] : candidates[0]
            #expect(date == expected, "\(weekday) \(time) at \(zone.local(now)) in \(zone)")
            #expect(chosen.first?.hour == time.hour && notes.isEmpty == (candidates[0] != today))
        }
    }

    @Test("says on a Monday which Monday is meant")
    func monday() async throws {
        let zone = Self.zones[0]
        let now = try #require(Timestamp("2027-03-29T07:10:00Z"))  // Monday, 09:10 in Berlin.
        let early = try await choose("monday 9:30", in: zone, at: now)
        let today = try #require(LocalDateTime("2027-03-29T09:30"))
        #expect(early.slots == .local([today], timeZone: nil))
        #expect(early.notes == ["It is monday today, and 09:30 can still be had."])
        let late = try await choose("monday 9am", in: zone, at: now)
        let next = try #require(LocalDateTime("2027-04-05T09:00"))
        #expect(late.slots == .local([next], timeZone: nil))
        #expect(late.notes == ["It is monday today, and 09:00 is over: 2027-04-05 is meant."])
    }

    @Test(
        "takes the slot that begins nearest to so much time from now, and says so where it is not exact",
        arguments: [
            ("in 10 minutes", "2027-03-28T00:20:30Z", "2027-03-28T00:30:00Z", false),
            ("in 10 minutes", "2027-03-28T00:22:00Z", "2027-03-28T00:30:00Z", true),
            ("in 10 minutes", "2027-03-28T00:31:00Z", "2027-03-28T01:00:00Z", true),
            // The nearest one has begun already.
            ("in 1 minute", "2027-03-28T00:31:00Z", "2027-03-28T01:00:00Z", true),
            ("in 15 minutes", "2027-03-28T00:30:00Z", "2027-03-28T01:00:00Z", true),
            ("in 2 hours", "2027-03-28T00:00:00Z", "2027-03-28T02:00:00Z", false),
            ("in 24h", "2027-03-27T12:00:00Z", "2027-03-28T12:00:00Z", false),
        ])
    func later(text: String, now: String, expected: String, isRounded: Bool) async throws {
        let (now, start) = (try #require(Timestamp(now)), try #require(Timestamp(expected)))
        for zone in Self.zones.prefix(3) {
            let (slots, notes) = try await choose(text, in: zone, at: now)
            #expect(slots == .instants([start]), "\(zone)")
            #expect(notes.isEmpty != isRounded, "\(notes)")
        }
    }

    @Test(
        "takes a time of day with an offset for the next one that can be had",
        arguments: [
            ("T09:00+01:00", "2027-05-10T07:00:00Z", "2027-05-10T08:00:00Z"),
            // The slot has begun, and is not over.
            ("T09:00+01:00", "2027-05-10T08:04:00Z", "2027-05-10T08:00:00Z"),
            ("T09:00+01:00", "2027-05-10T08:06:00Z", "2027-05-11T08:00:00Z"),
            ("T23:30-10:00", "2027-05-10T09:00:00Z", "2027-05-10T09:30:00Z"),
            ("T00:30+14:00", "2027-05-10T10:00:00Z", "2027-05-10T10:30:00Z"),
            ("T00:00Z", "2027-05-10T23:59:00Z", "2027-05-11T00:00:00Z"),
        ])
    func offset(text: String, now: String, expected: String) async throws {
        let (now, start) = (try #require(Timestamp(now)), try #require(Timestamp(expected)))
        let (slots, _) = try await choose(text, in: Self.zones[0], at: now)
        #expect(slots == .instants([start]))
    }

    @Test("leaves times that do not exist, or come twice, to the server")
    func gaps() async throws {
        let now = try #require(Timestamp("2027-03-27T12:00:00Z"))
        let (slots, _) = try await choose("sunday 2:30am", in: Self.zones[0], at: now)
        let gap = try #require(LocalDateTime("2027-03-28T02:30"))
        #expect(slots == .local([gap], timeZone: nil))
    }
}
