import Contract
import Glibc
import Postgres
import Testing

@testable import API
@testable import BackendTesting
@testable import Database

@Suite("The name of a time zone")
struct TimeZoneNameTests {
    /// The names that a server lacks, the name that it has, in either direction.
    private static let renamed = [
        ("Asia/Calcutta", "Asia/Kolkata"), ("Asia/Kolkata", "Asia/Calcutta"), ("Europe/Kiev", "Europe/Kyiv"),
        ("Europe/Kyiv", "Europe/Kiev"), ("Asia/Saigon", "Asia/Ho_Chi_Minh"),
        ("America/Buenos_Aires", "America/Argentina/Buenos_Aires"), ("Europe/Zaporozhye", "Europe/Kiev"),
    ]

    @Test("that PostgreSQL lacks is resolved to the one that it has", arguments: renamed)
    func resolves(_ lacking: String, _ known: String) {
        let zones = TimeZones(names: [known, "Europe/Berlin"])
        #expect(zones.find(lacking)?.name == known)
        #expect(zones.find(known)?.name == known)
    }

    @Test(
        "of another zone, in another case, or of no zone is not known",
        arguments: ["Asia/Tokyo", "asia/calcutta", "CEST", "Mars/Crater", "", "UTC+3"])
    func unknown(_ name: String) {
        #expect(TimeZones(names: ["Asia/Kolkata", "Europe/Berlin"]).find(name) == nil)
    }

    @Test("is linked by data of tzdata that are not older than a year")
    func age() throws {
        let words = TimeZoneLinks.source.split { $0 == " " || $0 == "," }
        #expect(words.count == 4 && words[0] == "version" && words[2] == "taken", "\(TimeZoneLinks.source)")
        let taken = try #require(LocalDate(String(words[3])))
        let today = LocalDate(utc: Timestamp(seconds: Int64(time(nil))))
        #expect(today <= taken.adding(days: 366), "run script/dev/time-zone-links with the newest tzdata")
        // A version begins with its year.
        let year = try #require(Int(words[1].prefix(4)))
        #expect(year >= taken.adding(days: -366).year)
    }

    @Test("that PostgreSQL knows no more is named by each call that needs its rules, and can be changed")
    func gone() async throws {
        try await RESTWorld.with { world in
            let token = try await world.signUp(timeZone: "Europe/Berlin")
            let made = try await world.make(token, "FREQ=DAILY", "15:00")
            try await world.pool.query("UPDATE users SET time_zone = 'Mars/Crater'")
            try await world.pool.query("UPDATE routines SET time_zone = 'Mars/Crater'")
            world.application.signIns.setListening(false)
            let routine = "/v1/routines/\(made.id)"
            for (method, path, body) in [
                ("GET", "/v1/slots", ""),
                ("POST", "/v1/registrations", #"{"task":"W","localSlots":["2027-03-03T09:00"]}"#),
                ("POST", "/v1/routines", #"{"task":"W","rrule":"FREQ=DAILY","localTime":"09:00"}"#),
                ("PATCH", routine, #"{"task":"Read"}"#),
                ("POST", routine + "/skips", #"{"date":"2027-03-03"}"#),
            ] {
                let refused = try await world.send(
                    method, path, token: token, body: body.isEmpty ? nil : body)
                #expect(refused.status == 409 && refused.problem == "time-zone-unknown", "\(refused.text)")
                #expect(refused.text.contains("Mars/Crater"))
            }
            // Registrations live on, so the routine has not ended.
            let shown = try await world.routine(made.id, token)
            #expect(shown.state.known == .active && shown.next.count == Limits.nextOccurrences)
            #expect(try await world.application.timeZones.countUnknown(in: world.pool) == ["Mars/Crater": 1])
            let list = try await world.send("GET", "/v1/time-zones").json()["timeZones"]?.array ?? []
            #expect(list.contains(.string("Asia/Tokyo")))
            #expect(
                try await world.change(made.id, token, #"{"timeZone":"Asia/Tokyo"}"#).state.known == .active)
            try await world.send(
                "PATCH", "/v1/me", token: token, body: #"{"timeZone":"Asia/Tokyo"}"#, expecting: 200)
            #expect(try await world.send("GET", "/v1/slots", token: token).status == 200)
        }
    }

    @Test(
        "has the offset of each local time beside it, also where an hour comes twice or lasts no hour",
        arguments: [
            ("Europe/Berlin", "2027-10-31", ["2:00 +02:00", "2:30 +02:00", "2:00 +01:00", "2:30 +01:00"]),
            ("Asia/Kathmandu", "2027-10-31", ["2:15 +05:45", "2:45 +05:45"]),
            ("America/St_Johns", "2027-07-01", ["2:00 -02:30", "2:30 -02:30"]),
            ("UTC", "2027-07-01", ["2:00 +00:00", "2:30 +00:00"]),
        ])
    func offsets(_ zone: String, _ date: String, _ expected: [String]) async throws {
        try await RESTWorld.with { world in
            let token = try await world.signUp(timeZone: zone)
            let list = try await world.send("GET", "/v1/slots?date=\(date)", token: token).json()
            let slots = list["slots"]?.array ?? []
            let times = slots.compactMap { slot in
                slot["localTime"]?.string.flatMap { time in slot["utcOffset"]?.string.map { (time, $0) } }
            }
            #expect(times.count == slots.count)
            let second = times.filter { $0.0.hasPrefix("\(date)T02") }.map { "\($0.0.dropFirst(12)) \($0.1)" }
            #expect(second == expected)
        }
    }
}
