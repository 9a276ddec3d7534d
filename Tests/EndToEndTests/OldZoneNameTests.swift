import Client
import Contract
import Glibc
import Postgres
import PostgresTesting
import Reactor
import TestKit
import Testing

@Suite("A PostgreSQL whose zone files lack names", .timeLimit(.minutes(5)))
struct OldZoneNameTests {
    /// Replaced names, which Debian 13 no longer installs, and a new name, which an old tzdata lacks.
    private static let missing = [
        "Asia/Calcutta", "Europe/Kiev", "Asia/Saigon", "America/Buenos_Aires", "America/Nuuk",
    ]

    // Only root can give a process other zone files.
    @Test("serves people by these names all the same", .enabled(if: geteuid() == 0))
    func names() async throws {
        try await Permits.shared.with {
            let cluster = try await TestCluster.make(without: Self.missing)
            defer { cluster.remove() }
            let server = try await ServerProcess.ready(["DATABASE_URL": cluster.url()])
            let api = APIClient(server: try server.server, token: nil, loop: TestLoops.next())
            let known = try await api.timeZones().timeZones
            #expect(known.contains("America/Godthab") && !known.contains { Self.missing.contains($0) })
            for zone in Self.missing {
                let made = try await api.signUp(NewUser(name: "Ann", timeZone: zone))
                #expect(made.user.timeZone == zone)
                let person = api.authenticated(with: made.token)
                let list = try await person.slots()
                #expect(list.timeZone == zone && list.slots.count >= 46)
                let wall = try #require(LocalDateTime(list.date.adding(days: 2).description + "T09:00"))
                let registered = try await person.register(
                    NewRegistration(task: "Write", slots: .local([wall], timeZone: zone)))
                #expect(registered.count == 1)
                let routine = try await person.makeRoutine(
                    NewRoutine(
                        task: "Read", rrule: try RecurrenceRule("FREQ=DAILY"),
                        localTime: try #require(LocalTime("12:00"))))
                #expect(routine.timeZone == zone && routine.state == .active)
                let changed = try await person.changeRoutine(routine.id, RoutinePatch(task: "Read on"))
                #expect(changed.timeZone == zone && changed.next.contains { $0.state == .registered })
            }
            #expect(await server.stop() == .exited(0), "\(server.log)")
        }
    }

    @Test("counts the accounts whose zones it has by no name as it starts")
    func unknown() async throws {
        try await TestDatabase.with { database in
            let server = try await ServerProcess.ready(["DATABASE_URL": database.url])
            let people = try await Person.crowd(3, on: server)
            #expect(await server.stop() == .exited(0), "\(server.log)")
            try await database.withConnection { connection in
                for (person, zone) in zip(people, ["Mars/Crater", "Mars/Crater", "Moon/Sea"]) {
                    try await connection.query(
                        "UPDATE users SET time_zone = $2 WHERE id = $1", [person.user.id, zone])
                }
            }
            let again = try await ServerProcess.ready(["DATABASE_URL": database.url])
            #expect(await again.hasLogged("accounts have time zones that PostgreSQL does not know"))
            #expect(again.log.contains("accounts=3"), "\(again.log)")
            #expect(again.log.contains("Mars/Crater (2), Moon/Sea (1)"), "\(again.log)")
            #expect(await again.stop() == .exited(0), "\(again.log)")
        }
    }
}
