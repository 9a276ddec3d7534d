import Glibc
import Reactor
import Testing

@Suite("A watch across a restart of the server", .timeLimit(.minutes(5)))
struct WatchTests {
    @Test("shows what was told while the server was away, also where nothing had been told before")
    func restart() async throws {
        try await Stage.with { stage in
            let (first, other) = (try await stage.start(), try await stage.start())
            let ada = try await Person(named: "Ada", on: first)
            let user = try CommandLineUser(first)
            #expect(try await user.run("login", "--token-file", "-", input: ada.token).status == 0)
            let watch = try user.start("watch")
            #expect(await watch.hasPrinted("Watching."))
            await first.kill()
            // The other server tells it while the watch has no connection.
            _ = try await ada.at(other).enter(stage.grid.openSlot)
            let next = try await stage.start(inPlaceOf: first)
            #expect(await watch.hasPrinted("is open, with no partner yet"), "\(watch.output())")
            // The second kill comes without a notification in between: the watch knows its position.
            await next.kill()
            _ = try await Person(named: "Bea", on: other).enter(stage.grid.openSlot)
            _ = try await stage.start(inPlaceOf: first)
            #expect(await watch.hasPrinted("changed: Bea"), "\(watch.output())")
            watch.signal(SIGINT)
            #expect(await watch.ending() == .exited(130))
            #expect(watch.output().split(separator: "\n").count { $0.hasPrefix("#") } == 2)
        }
    }
}
