import Contract
import TestKit
import Testing

/// Runs where `LETSSWITCH_PREVIOUS` names the server of the previous release, which `script/dev/compatible`
/// builds.
@Suite(
    "A server of the previous release beside this one", .enabled(if: BuiltProgram.hasPrevious),
    .timeLimit(.minutes(5)))
struct PreviousReleaseTests {
    @Test("shares the people, and each has its rooms while the balancer hashes id, of which a line reminds")
    func beside() async throws {
        let grid = Grid(slotSeconds: 32, leadSeconds: 8, lateSeconds: 8)
        try await Stage.with(grid) { stage in
            // The schema is that of this release.
            let new = try await stage.startOne()
            let old = try await stage.startOne(["DATA_DIR": "\(stage.folder.path)/old"], of: .previousServer)
            let other = try await stage.startOne()
            let people = try await Person.crowd(5, on: old) + Person.crowd(5, on: new)
            let startsAt = grid.slot(openingAfter: .seconds(5))
            for person in people { try await person.register(startsAt) }
            let rooms = try await Outcome.check(people, startsAt)
            #expect(rooms.count == 5)
            // All sockets of a room go to one server, whichever owner the database names.
            var leftToOld: [Identifier: [Person]] = [:]
            for (index, (room, members)) in rooms.enumerated() {
                let server = [old, new, other][index % 3]
                if server === old { leftToOld[room] = members }
                try await Outcome.cheer(in: [room: try members.map { try $0.at(server) }])
            }
            for server in [new, other] {
                let line = "a server of the previous version is there"
                #expect(await server.hasLogged(line))
                #expect(server.log.split(separator: "\n").count { $0.contains(line) } == 1, "\(server.log)")
            }
            await old.kill()
            // From here on any server will do.
            for (room, members) in leftToOld {
                let servers = [new, other, new]
                try await Outcome.cheer(
                    in: [room: try zip(members, servers).map { try $0.at($1) }])
            }
            for person in people { _ = try await person.at(new).completed() }
        }
    }
}

extension Person {
    /// Waits for the end of a session that the person came to.
    fileprivate func completed() async throws {
        _ = try await notification("session.completed") { notification in
            if case .sessionCompleted = notification.data { true } else { nil }
        }
    }
}
