import Contract
import Glibc
import TestKit
import Testing

@Suite("A server whose clock is wrong", .timeLimit(.minutes(5)))
struct WrongClockTests {
    /// Returns an environment in which the wall clock is 150 seconds ahead, and monotonic clocks are right.
    static func ahead() throws -> [String: String] {
        var found = glob_t()
        defer { globfree(&found) }
        let name = "faketime/libfaketimeMT.so.1"
        guard ["/usr/lib/*/", "/usr/lib*/"].contains(where: { glob($0 + name, 0, nil, &found) == 0 }),
            let library = found.gl_pathv?[0].map({ String(cString: $0) })
        else { throw TestError("libfaketime is not installed") }
        return ["LD_PRELOAD": library, "FAKETIME": "+150s", "FAKETIME_DONT_FAKE_MONOTONIC": "1"]
    }

    @Test("rooms open and close by the database's clock, beside a right server")
    func ahead() async throws {
        let grid = Grid(slotSeconds: 24, leadSeconds: 4, lateSeconds: 4)
        try await Stage.with(grid) { stage in
            let wrong = try await stage.startOne(Self.ahead())
            let right = try await stage.startOne()
            let people = try await Person.crowd(2, on: wrong) + Person.crowd(2, on: right)
            let startsAt = grid.slot(openingAfter: .seconds(3))
            for person in people { try await person.register(startsAt) }
            for person in people {
                #expect(try await person.roomOpened().startsAt == startsAt)
                #expect(Timestamp.now.adding(Grid.clockError) >= grid.opensAt(startsAt))
            }
            let room = try await people[0].roomOpened().roomId
            let socket = try await RoomSocket.open(room, as: people[0])
            let shown = try #require(try await socket.message("handshake")["now"]?.string)
            let now = try #require(Timestamp(shown))
            #expect(now >= grid.opensAt(startsAt) && now < grid.endsAt(startsAt))
            for person in people.dropFirst() {
                try await person.missed()
                #expect(Timestamp.now.adding(Grid.clockError) >= grid.endsAt(startsAt))
            }
            let offset = try await Metric.value("clock_offset_seconds", from: wrong)
            #expect((145...155).contains(offset))
            #expect(wrong.log.contains("clock differs from the database's"))
            #expect(!right.log.contains("clock differs from the database's"))
        }
    }
}

extension Person {
    fileprivate func missed() async throws {
        _ = try await notification("session.missed") { notification in
            if case .sessionMissed = notification.data { true } else { nil }
        }
    }
}
