import Client
import Contract
import Testing

@Suite("Meeting with intent", .timeLimit(.minutes(5)))
struct IntentTests {
    @Test("a friend by an invite is met, and is sent no ales where they want none")
    func invite() async throws {
        try await Stage.withServer { stage, server in
            let people = try await Person.crowd(2, on: server)
            let (host, guest) = (people[0], people[1])
            let registration = try await host.register(stage.grid.openSlot)
            let invite = try await host.api.makeInvite(to: registration.id)
            #expect(invite.url.hasSuffix("/invites/\(invite.code)"))
            let shown = try await guest.api.invite(invite.code)
            #expect(shown.name == host.user.name && shown.usable)
            let made = try await guest.api.register(
                NewRegistration(task: "Read", slots: .invite(invite.code), quiet: true))
            #expect(made.first?.quiet == true)
            let room = try await guest.roomOpened()
            #expect(room.partners.map(\.id) == [registration.id])
            let explanation = try await guest.api.explanation(ofRoom: room.roomId)
            #expect(explanation.members.first?.reasons.first?.kind == .invited)

            let guests = try await RoomSocket.open(room.roomId, as: guest)
            _ = try await guests.message("handshake")
            let hosts = try await RoomSocket.open(room.roomId, as: host)
            let hello = try await hosts.message("handshake")
            let quiet = hello["members"]?.array?.filter { $0["quiet"]?.bool == true }
            #expect(quiet?.map { $0["id"]?.string } == [made.first.map { "\($0.id)" }])
            _ = try await guests.message("presence")
            await hosts.send("{\"type\":\"ale\",\"messageId\":\"a\"}")
            #expect(try await hosts.message("ack")["seq"]?.int == 1)
            // The next that the guest hears is the answer to an ale of their own, which the host hears.
            await guests.send("{\"type\":\"ale\",\"messageId\":\"b\"}")
            #expect(try await guests.message("ack")["seq"]?.int == 2)
            #expect(try await hosts.message("aleResponse")["seq"]?.int == 2)
        }
    }

    @Test("the command line makes an invite, and registers with it")
    func commands() async throws {
        try await Stage.withServer { stage, server in
            let (ann, bea) = (try CommandLineUser(server), try CommandLineUser(server))
            #expect(try await ann.run("signup", "Ann").status == 0)
            #expect(try await bea.run("signup", "Bea").status == 0)
            #expect(try await ann.run("register", "Write", "--at", "\(stage.grid.openSlot)").status == 0)
            let link = try await ann.run("invite", "-q")
            #expect(link.status == 0, "\(link)")
            let url = link.output.split(separator: "\n").first.map(String.init) ?? ""
            let used = try await bea.run("register", "Read", "--invite", url, "--with", "favourites")
            #expect(used.status == 0, "\(used)")
            let again = try await bea.run("register", "Read", "--invite", url)
            #expect(again.status == 5, "\(again)")
            #expect(try await ann.run("invite", "--revoke").status == 0)
        }
    }
}
