import Contract
import Postgres
import Testing

@testable import BackendTesting

@Suite struct RESTSlotTests {
    @Test(
        "a local day has the slots that start on it, also when the clocks change",
        arguments: [
            ("2027-03-01", "UTC", 48, "2027-03-01T00:00:00Z"),
            ("2027-03-28", "Europe/Berlin", 46, "2027-03-27T23:00:00Z"),
            ("2027-10-31", "Europe/Berlin", 50, "2027-10-30T22:00:00Z"),
            ("2027-03-01", "Asia/Kolkata", 48, "2027-02-28T18:30:00Z"),
            ("2027-03-01", "Asia/Kathmandu", 48, "2027-02-28T18:30:00Z"),
            // The clocks of Lord Howe Island change by half an hour.
            ("2027-10-03", "Australia/Lord_Howe", 47, "2027-10-02T13:30:00Z"),
            ("2027-04-04", "Australia/Lord_Howe", 49, "2027-04-03T13:00:00Z"),
            // Midnight is missing on this day.
            ("2018-11-04", "America/Sao_Paulo", 46, "2018-11-04T03:00:00Z"),
            // This whole day is missing.
            ("2011-12-30", "Pacific/Apia", 0, ""),
            ("0001-01-01", "UTC", 48, "0001-01-01T00:00:00Z"),
            ("9999-12-31", "UTC", 48, "9999-12-31T00:00:00Z"),
        ])
    func days(_ date: String, _ zone: String, _ count: Int, _ first: String) async throws {
        try await RESTWorld.withAccount { world, token in
            let response = try await world.send(
                "GET", "/v1/slots?date=\(date)&timeZone=\(zone)", token: token)
            #expect(response.status == 200)
            let list = try response.json()
            #expect(list["date"]?.string == date)
            #expect(list["timeZone"]?.string == zone)
            let slots = try #require(list["slots"]?.array)
            #expect(slots.count == count)
            #expect(slots.first?["startsAt"]?.string ?? "" == first)
            #expect(slots.allSatisfy { $0["localTime"]?.string?.hasPrefix(date) == true })
        }
    }

    @Test("the day is today in the user's zone where none is given, and the local time is the wall's")
    func today() async throws {
        try await RESTWorld.with(at: RESTWorld.noon.adding(.seconds(4 * 3600))) { world in
            let token = try await world.signUp(timeZone: "Asia/Tokyo")
            let list = try await world.send("GET", "/v1/slots", token: token).json()
            #expect(list["date"]?.string == "2027-03-02")
            #expect(list["slots"]?.array?.first?["localTime"]?.string == "2027-03-02T00:00")
            #expect(list["slots"]?.array?.first?["startsAt"]?.string == "2027-03-01T15:00:00Z")
        }
    }

    @Test("an unescaped plus is taken in a zone's name")
    func plus() async throws {
        try await RESTWorld.withAccount { world, token in
            let list = try await world.send("GET", "/v1/slots?timeZone=Etc/GMT+5", token: token).json()
            #expect(list["timeZone"]?.string == "Etc/GMT+5")
        }
    }

    @Test("seconds show where the grid is finer than a minute")
    func fineGrid() async throws {
        try await RESTWorld.with(slotSeconds: 20) { world in
            let token = try await world.signUp()
            let slots = try await world.send("GET", "/v1/slots", token: token).json()["slots"]?.array ?? []
            #expect(slots.count == 4320)
            #expect(slots[0]["localTime"]?.string == "2027-03-01T00:00")
            #expect(slots[1]["localTime"]?.string == "2027-03-01T00:00:20")
        }
    }

    @Test("a slot goes from empty to over, and each person sees an own side of it")
    func states() async throws {
        try await RESTWorld.withTwoAccounts { world, ann, bea in
            let slot = "2027-03-01T12:30:00Z"
            #expect(try await world.state(of: slot, ann) == .empty)
            let first = try await world.register(ann, slot)
            #expect(try await world.state(of: slot, ann) == .registered)
            #expect(try await world.state(of: slot, bea) == .waiting)
            let second = try await world.register(bea, slot)
            #expect(try await world.state(of: slot, ann) == .partnered)
            let room = try await world.open([first, second], at: slot)
            #expect(try await world.state(of: slot, ann) == .open)
            let view = try await world.slot(slot, ann)
            #expect(view["roomId"]?.string == room.description)
            #expect(view["registrationId"]?.string == first.description)
            #expect(view["others"]?.int == 1)
            try await world.pool.query(
                "UPDATE members SET entered_at = $1 WHERE registration_id = $2", [world.clock.now, first])
            // By the clock the slot is over before the room was closed.
            world.clock.now = try #require(Timestamp("2027-03-01T13:00:00Z"))
            #expect(try await world.state(of: slot, ann) == .attended)
            #expect(try await world.state(of: slot, bea) == .missed)
            try await world.close(slot)
            #expect(try await world.state(of: slot, ann) == .attended)
            #expect(try await world.state(of: slot, bea) == .missed)
            #expect(try await world.state(of: slot, try await world.signUp("Cy")) == .closed)
            try await world.pool.query("UPDATE slots SET served_at = NULL")
            #expect(try await world.state(of: slot, bea) == .lapsed)
        }
    }

    @Test("one's own task is there from the start, and partners from the opening on, as the room shows them")
    func partners() async throws {
        try await RESTWorld.withTwoAccounts { world, ann, bea in
            let cy = try await world.signUp("Cy")
            let slot = "2027-03-01T12:30:00Z"
            #expect(try await world.slot(slot, ann)["task"] == nil)
            let first = try await world.register(ann, slot, task: "Read")
            let second = try await world.register(bea, slot, task: "Write")
            let third = try await world.register(cy, slot)
            try await world.pool.query(
                "INSERT INTO intents (registration_id, quiet) VALUES ($1, true)", [second])
            // Before the opening no person is named.
            let before = try await world.slot(slot, ann)
            #expect(before["task"]?.string == "Read" && before["partners"] == nil)
            let room = try await world.open([first, second], at: slot)
            // A person with another room, and a person who was in this one, are none.
            _ = try await world.open([third], at: slot)
            for token in [ann, bea] {
                let own = token == ann ? first : second
                let members =
                    try await world.send("GET", "/v1/rooms/\(room)", token: token)
                    .json()["members"]?.array ?? []
                let others = members.filter { $0["id"]?.string != own.description }
                let partners = try await world.slot(slot, token)["partners"]?.array ?? []
                #expect(partners.count == 1 && partners.count == others.count)
                for (partner, other) in zip(partners, others) {
                    for name in ["id", "name", "task", "tag", "quiet"] {
                        #expect(partner[name] == other[name], "\(name)")
                    }
                }
            }
            #expect(try await world.slot(slot, ann)["partners"]?.array?.first?["quiet"]?.bool == true)
            #expect(try await world.slot(slot, cy)["partners"]?.array == [])
            // Other slots of the day are left alone.
            #expect(try await world.slot("2027-03-01T13:00:00Z", ann)["partners"] == nil)
            try await world.pool.query(
                "UPDATE members SET left_revision = 2 WHERE registration_id = $1", [second])
            #expect(try await world.slot(slot, ann)["partners"]?.array == [])
            try await world.pool.query(
                "UPDATE members SET left_revision = NULL WHERE registration_id = $1", [second])
            try await world.pool.query(
                "UPDATE registrations SET user_id = NULL, task = NULL WHERE id = $1", [second])
            try await world.close(slot)
            let former = try await world.slot(slot, ann)["partners"]?.array?.first
            #expect(former?["name"]?.string == "former user" && former?["task"] == .null)
        }
    }

    @Test(
        "a slot can be had until five minutes after its start",
        arguments: [("12:05:00", SlotState.empty), ("12:05:01", .closed)])
    func late(_ time: String, state: SlotState) async throws {
        let now = try #require(Timestamp("2027-03-01T\(time)Z"))
        try await RESTWorld.with(at: now) { world in
            let token = try await world.signUp()
            #expect(try await world.state(of: "2027-03-01T12:00:00Z", token) == state)
        }
    }

    @Test("a cancelled registration counts as none, for its owner and for others")
    func cancelled() async throws {
        try await RESTWorld.withTwoAccounts { world, ann, bea in
            let slot = "2027-03-01T12:30:00Z"
            _ = try await world.register(ann, slot)
            try await world.pool.query("UPDATE registrations SET cancelled_at = now()")
            #expect(try await world.state(of: slot, ann) == .empty)
            #expect(try await world.state(of: slot, bea) == .empty)
        }
    }
}

extension RESTWorld {
    /// Returns the slot as a user sees it in the list of its day.
    func slot(_ startsAt: String, _ token: String) async throws -> JSONValue {
        let list = try await send("GET", "/v1/slots?date=\(startsAt.prefix(10))&timeZone=UTC", token: token)
            .json()
        return try #require(list["slots"]?.array?.first { $0["startsAt"]?.string == startsAt })
    }

    func state(of startsAt: String, _ token: String) async throws -> SlotState? {
        try await slot(startsAt, token)["state"]?.string.flatMap { SlotState(rawValue: $0) }
    }
}
