import Contract
import Database
import Testing

@testable import API
@testable import BackendTesting

/// Tests of RFC 5545 §3.3.5: a local time that no clock shows, or that clocks show twice.
@Suite struct RESTLocalTimeTests {
    @Test(
        "gaps are read with the offset before them, and of an overlap the first counts",
        arguments: [
            ("2027-03-28T01:30", "Europe/Berlin", "2027-03-28T00:30:00Z", nil),
            ("2027-03-28T02:00", "Europe/Berlin", "2027-03-28T01:00:00Z", "gap"),
            ("2027-03-28T02:30", "Europe/Berlin", "2027-03-28T01:30:00Z", "gap"),
            ("2027-03-28T03:00", "Europe/Berlin", "2027-03-28T01:00:00Z", nil),
            ("2027-10-31T01:30", "Europe/Berlin", "2027-10-30T23:30:00Z", nil),
            ("2027-10-31T02:00", "Europe/Berlin", "2027-10-31T00:00:00Z", "overlap"),
            ("2027-10-31T02:30", "Europe/Berlin", "2027-10-31T00:30:00Z", "overlap"),
            ("2027-10-31T03:00", "Europe/Berlin", "2027-10-31T02:00:00Z", nil),
            ("2027-03-14T02:30", "America/New_York", "2027-03-14T07:30:00Z", "gap"),
            ("2027-11-07T01:30", "America/New_York", "2027-11-07T05:30:00Z", "overlap"),
            ("2027-10-03T02:15", "Australia/Lord_Howe", "2027-10-02T15:45:00Z", "gap"),
            ("2027-04-04T01:45", "Australia/Lord_Howe", "2027-04-03T14:45:00Z", "overlap"),
            ("2018-11-04T00:30", "America/Sao_Paulo", "2018-11-04T03:30:00Z", "gap"),
            ("2011-12-30T10:00", "Pacific/Apia", "2011-12-30T20:00:00Z", "gap"),
            ("2027-07-01T12:00:00", "Asia/Kathmandu", "2027-07-01T06:15:00Z", nil),
            ("2027-07-01T12:00", "UTC", "2027-07-01T12:00:00Z", nil),
            ("0001-01-01T00:00", "UTC", "0001-01-01T00:00:00Z", nil),
            ("9999-12-31T23:59:59", "UTC", "9999-12-31T23:59:59Z", nil),
        ] as [(String, String, String, String?)])
    func resolves(_ local: String, _ zone: String, _ instant: String, _ adjusted: String?) async throws {
        try await RESTWorld.with { world in
            let time = try #require(LocalDateTime(local))
            let zone = try #require(world.application.timeZones.find(zone))
            let resolved = try await LocalTimes.resolve([time], in: zone, by: world.pool)
            #expect(resolved.map(\.instant.description) == [instant])
            #expect(resolved.map { $0.adjusted?.rawValue } == [adjusted])
        }
    }

    @Test("a registration says that its time was adjusted, also later")
    func adjusted() async throws {
        try await RESTWorld.with { world in
            let token = try await world.signUp(timeZone: "Europe/Berlin")
            let response = try await world.send(
                "POST", "/v1/registrations", token: token,
                body: #"{"task":"W","localSlots":["2027-03-28T02:30","2027-03-28T04:00"]}"#)
            #expect(response.status == 201)
            let made = try response.json()["registrations"]?.array ?? []
            #expect(made.map { $0["adjusted"]?.string } == ["gap", nil])
            #expect(made.first?["slot"]?["startsAt"]?.string == "2027-03-28T01:30:00Z")
            let list = try await world.send("GET", "/v1/registrations", token: token).json()
            #expect(list["registrations"]?.array == made)
        }
    }

    @Test(
        "two local times that are the same slot, an unknown zone, and a time off the grid have their places")
    func wrong() async throws {
        try await RESTWorld.with { world in
            let token = try await world.signUp(timeZone: "Europe/Berlin")
            let bodies = [
                (#"{"task":"W","localSlots":["2027-03-28T02:30","2027-03-28T03:30"]}"#, "/localSlots/1"),
                (#"{"task":"W","localSlots":["2027-03-28T02:30"],"timeZone":"CET+1"}"#, "/timeZone"),
                (#"{"task":"W","localSlots":["2027-03-02T10:00:01"]}"#, "/localSlots/0"),
                (
                    #"{"task":"W","localSlots":["2027-03-02T10:00"],"timeZone":"Asia/Kathmandu"}"#,
                    "/localSlots/0"
                ),
                (#"{"task":"W","localSlots":["2027-03-02T10:00"],"slots":[]}"#, "/slots"),
                (#"{"task":"W","slots":["2027-03-02T10:00:00Z"],"timeZone":"UTC"}"#, "/timeZone"),
                (#"{"task":"W","localSlots":["2027-03-02T10:00Z"]}"#, "/localSlots/0"),
            ]
            for (body, pointer) in bodies {
                let response = try await world.send("POST", "/v1/registrations", token: token, body: body)
                #expect(response.status == 422, "\(body)")
                #expect(response.pointers.first == pointer, "\(body)")
            }
        }
    }
}
