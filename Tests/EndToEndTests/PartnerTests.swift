import Client
import Contract
import Glibc
import Postgres
import PostgresTesting
import Reactor
import Testing

@Suite("A slot before it opens", .timeLimit(.minutes(5)))
struct PartnerTests {
    @Test("tells of company and of its end, and a stream of some types goes on where it was")
    func company() async throws {
        let grid = Grid(slotSeconds: 3600, leadSeconds: 60, lateSeconds: 60)
        try await Stage.withServer(grid) { stage, server in
            let (ada, bea) = (
                try await Person(named: "Ada", on: server), try await Person(named: "Bea", on: server)
            )
            let user = try CommandLineUser(server)
            #expect(try await user.run("login", "--token-file", "-", input: ada.token).status == 0)
            let watch = try user.start("watch", "--types", "slot.alone")
            #expect(await watch.hasPrinted("Watching."))
            let startsAt = grid.slot(openingAfter: .seconds(3 * 3600))
            let own = try await ada.register(startsAt)
            // Ada was alone once a server has looked.
            try await stage.reach("SELECT FROM slot_partners WHERE cardinality(alone) = 1")
            let theirs = try await bea.register(startsAt)
            let partnered = try await ada.notification("slot.partnered") { notification in
                if case .slotPartnered(let slot) = notification.data { (notification.id, slot) } else { nil }
            }
            #expect(partnered.1.registrationId == own.id && partnered.1.startsAt == startsAt)
            #expect(partnered.1.endsAt == grid.endsAt(startsAt))

            // A stream of other types says only where it is.
            let events = try Curl.stream(
                "\(server.url)/v1/events?after=0&types=slot.alone,room.opened", token: ada.token)
            #expect(await events.hasPrinted("id: \(partnered.0)\n\n"))
            try await bea.api.cancel(theirs.id)
            #expect(await events.hasPrinted("event: slot.alone"))
            #expect(await watch.hasPrinted("still come."))
            #expect(!events.output().contains("slot.partnered"), "\(events.output())")
            #expect(!watch.output().contains("Another person works"), "\(watch.output())")
            events.signal(SIGTERM)
            watch.signal(SIGINT)
            #expect(await watch.ending() == .exited(130))
            // The list of one type has one notification, which is newer than what the streams left out.
            let last = try await ada.api.notifications(types: [.slotAlone]).map(\.id)
            #expect(last.count == 1 && last.allSatisfy { $0 > partnered.0 })
            #expect(try await bea.api.notifications().isEmpty)
        }
    }

    @Test("an unknown type is a 400 before the stream begins, which lists the known ones")
    func unknown() async throws {
        try await Stage.withPerson { _, server, ada in
            for types in ["slot.guessed", "", "slot.alone,", "slot.alone&types=slot.alone"] {
                let refused = try await Curl(
                    "\(server.url)/v1/events?types=\(types)", "-H", "Authorization: Bearer \(ada.token)")
                #expect(refused.status == 400, "\(types)")
                for type in NotificationType.allCases { #expect(refused.body.contains(type.rawValue)) }
            }
            let user = try CommandLineUser(server)
            #expect(try await user.run("login", "--token-file", "-", input: ada.token).status == 0)
            let wrong = try await user.run("watch", "--types", "slot.guessed")
            #expect(wrong.status == 2 && wrong.errors.contains("slot.partnered"), "\(wrong)")
        }
    }

    @Test("an id above the newest begins a stream now, which says so and has heartbeats if asked for them")
    func unknownID() async throws {
        try await Stage.withPerson { stage, server, ada in
            let events = try Curl.stream(
                "\(server.url)/v1/events?heartbeat=event", token: ada.token, "-H",
                "Last-Event-ID: 9000000000000000000")
            let note = ": 9000000000000000000 is above the newest id; going on from now\nid: "
            #expect(await events.hasPrinted(": welcome\n\(note)"), "\(events.output())")
            #expect(await events.hasPrinted("\n\n: still here\n\nevent: heartbeat\ndata: {}\n\n"))
            _ = try await ada.enter(stage.grid.openSlot)
            #expect(await events.hasPrinted("event: room.opened"), "\(events.output())")
            events.signal(SIGTERM)
            let refused = try await Curl(
                "\(server.url)/v1/events?heartbeat=comment", "-H", "Authorization: Bearer \(ada.token)")
            #expect(refused.status == 400)
        }
    }

    @Test("live notifications of other types move the position of a stream, each to its own id")
    func positions() async throws {
        try await Stage.withPerson { stage, server, ada in
            let events = try Curl.stream("\(server.url)/v1/events?types=room.changed", token: ada.token)
            #expect(await events.hasPrinted(": welcome\nid: "))
            _ = try await ada.enter(stage.grid.openSlot)
            let opened = try #require(try await ada.api.notifications().first)
            #expect(await events.hasPrinted("\n\nid: \(opened.id)\n\n"), "\(events.output())")
            #expect(!events.output().contains("room.opened"))
            _ = try await Person(named: "Bea", on: server).enter(stage.grid.openSlot)
            #expect(await events.hasPrinted("event: room.changed"), "\(events.output())")
            events.signal(SIGTERM)
        }
    }
}

extension Stage {
    /// Waits until the query has rows.
    fileprivate func reach(_ query: String) async throws {
        let database = database
        try await within(query) {
            try await database.withConnection { connection in
                while try await connection.query(query).isEmpty { try Task.checkCancellation() }
            }
        }
    }
}
