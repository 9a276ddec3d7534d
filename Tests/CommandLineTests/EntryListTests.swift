import Client
import ClientTesting
import Contract
import Glibc
import HTTP1
import HTTPServer
import Reactor
import Testing

@testable import letsswitch

@Suite("A list whose entries other commands take", .timeLimit(.minutes(5)))
struct EntryListTests {
    /// An account with three registrations, of which two ids begin alike, and a server that knows it.
    private struct Stage {
        let server: ScriptedServer
        let process = CommandProcess()
        let cancelled = Lock<[String]>([])
        let ids = [
            "0198c0de-0000-7000-8000-00000000000a", "0198c0de-0000-7000-8000-00000000000b",
            "beefc0de-0000-7000-8000-00000000000c",
        ]

        init() async throws {
            let start = Timestamp(seconds: WallClock.now.seconds / 1800 * 1800 + 3600)
            let list = RegistrationList(
                registrations: ids.enumerated().map { index, id in
                    let startsAt = start.adding(.seconds(1800 * index))
                    return Registration(
                        id: Identifier(id) ?? Sample.me,
                        slot: SlotSpan(startsAt: startsAt, endsAt: startsAt.adding(.seconds(1800))),
                        task: "Task \(index + 1)\u{1B}[31m", tag: nil, state: .registered,
                        roomId: index == 2 ? Sample.room : nil, createdAt: start, updatedAt: start)
                })
            let (cancelled, room) = (cancelled, Sample.openRoom(at: WallClock.now))
            server = try await ScriptedServer { router, _ in
                router.immediate(.get, Routes.registrations) { _ in .json(list) }
                router.immediate(.delete, Routes.registrations + "/{id}") { request in
                    cancelled.withLock { $0 += request.parameters }
                    return HTTPResponse(status: 204)
                }
                router.immediate(.get, Routes.endpoints) { _ in .json(EndpointList(endpoints: [])) }
                router.immediate(.get, Routes.rooms) { _ in .json(RoomList(rooms: [room])) }
                router.immediate(.get, Routes.explanation(ofRoom: Sample.room)) { _ in
                    .json(Explanation(roomId: Sample.room, message: "You meet Bob.", members: []))
                }
            }
            try process.signIn()
        }

        func run(_ arguments: String...) async throws -> CommandProcess.Outcome {
            try await process.run(arguments, server: server.url)
        }

        /// Returns what a terminal of that size shows.
        func show(_ arguments: String..., columns: Int = 80) async throws -> TerminalScreen {
            let session = try await TerminalSession(
                Child.command(), arguments,
                [
                    "LETSSWITCH_URL=\(server.url)", "XDG_CONFIG_HOME=\(process.home)", "TZ=UTC",
                    "LANG=C.UTF-8", "TERM=xterm",
                ], columns: columns, rows: 15)
            let (screen, status) = await session.end()
            #expect(status == 0, "\(screen.text)")
            return screen
        }
    }

    @Test("has numbers on a terminal, by which cancel takes an entry and says which one")
    func numbers() async throws {
        let stage = try await Stage()
        let screen = try await stage.show("registrations")
        for (index, line) in screen.lines.prefix(3).enumerated() {
            #expect(
                line.hasPrefix("\(index + 1)  ")
                    && line.hasSuffix("registered  Task \(index + 1)\u{FFFD}[31m"))
        }
        #expect(screen.lines[3] == "Cancel one by its number: letsswitch cancel N")
        let outcome = try await stage.run("cancel", "2")
        #expect(outcome.status == 0 && outcome.output.hasPrefix("Cancelled: "), "\(outcome)")
        #expect(outcome.output.hasSuffix("Task 2\u{FFFD}[31m\n"))
        #expect(stage.cancelled.withLock { $0 } == [stage.ids[1]])
        let json = try await stage.run("cancel", "1", "--json")
        #expect(json.output == "{\"id\":\"\(stage.ids[0])\",\"state\":\"cancelled\"}\n")
        #expect(try await stage.run("cancel", "4").status == 4)
        let other = try await stage.run("endpoints", "remove", "1")
        #expect(other.status == 2 && other.errors.contains("is of registrations"), "\(other)")
        let explained = try await stage.run("explain", "3")
        #expect(explained.status == 0 && explained.output == "You meet Bob.\n", "\(explained)")
        #expect(try await stage.run("explain", "1").status == 4)
    }

    @Test("has ids and no advice where it is no terminal, and its entries are not numbered then")
    func piped() async throws {
        let stage = try await Stage()
        let list = try await stage.run("registrations")
        let lines = list.output.split(separator: "\n")
        #expect(list.status == 0 && list.errors.isEmpty && lines.count == 3)
        for (line, id) in zip(lines, stage.ids) { #expect(line.contains("  registered    \(id)  Task ")) }
        let none = try await stage.run("cancel", "1")
        #expect(none.status == 2 && none.errors.contains("none was printed"), "\(none)")
        #expect(access("\(stage.process.home)/letsswitch/last-list", F_OK) != 0)
        // Numbers of a list on a terminal stay, whatever a program lists meanwhile.
        _ = try await stage.show("registrations")
        _ = try await stage.run("endpoints", "--json")
        #expect(try await stage.run("cancel", "1").status == 0)
    }

    @Test("takes two lines for each entry in a narrow terminal, and none is too long")
    func narrow() async throws {
        let stage = try await Stage()
        let lines = try await stage.show("registrations", columns: 40).lines
        #expect(lines[0].hasPrefix("1  ") && lines[0].hasSuffix("UTC"), "\(lines)")
        #expect(lines[1] == "   registered  Task 1\u{FFFD}[31m", "\(lines)")
    }

    @Test("loses nothing where a row is too long: the end goes below it")
    func long() {
        let rows = [
            ["1", "Mon 09:00", "registered", "", "Read"],
            ["2", "Mon 09:30", "registered", "", "Write the quarterly report for the board and its guests"],
        ]
        #expect(
            EntryList.lines(rows, columns: 70) == [
                "1  Mon 09:00  registered  Read", "2  Mon 09:30  registered",
                "   Write the quarterly report for the board and its guests",
            ])
        #expect(EntryList.lines(rows, columns: 100).count == 2)
        let narrow = EntryList.lines(rows, columns: 20)
        #expect(narrow.allSatisfy { TextWidth.of($0) <= 20 })
        #expect(narrow.prefix(3) == ["1  Mon 09:00", "   registered  Read", "2  Mon 09:30"])
        #expect(narrow.joined(separator: " ").contains("guests"))
        #expect(EntryList.lines([], columns: 80).isEmpty && EntryList.lines([["1"]], columns: 0) == [""])
    }

    @Test("is kept for its owner alone, whole, and for its account and server only")
    func kept() async throws {
        let stage = try await Stage()
        _ = try await stage.show("registrations")
        let path = "\(stage.process.home)/letsswitch/last-list"
        var status = stat()
        #expect(stat(path, &status) == 0 && status.st_mode & 0o777 == 0o600)
        func store(_ server: String, _ token: String) throws -> EntryStore {
            EntryStore(
                directory: "\(stage.process.home)/letsswitch", server: try Server(server), token: token)
        }
        #expect(try store(stage.server.url, "secret").last?.entries.count == 3)
        #expect(try store(stage.server.url, "other").last == nil)
        #expect(try store("http://127.0.0.1:1", "secret").last == nil)
        // A file that others could have written, or that is no such list, is not read.
        chmod(path, 0o644)
        #expect(try store(stage.server.url, "secret").last == nil)
        chmod(path, 0o600)
        for content in ["", "{}", "[1", String(repeating: " ", count: 2 << 20)] {
            #expect(PrivateFile.write(Array(content.utf8), to: path))
            #expect(try store(stage.server.url, "secret").last == nil)
            #expect(try await stage.run("cancel", "1").status == 2)
        }
        let many = (0..<2000).map { ListEntry(Identifier(value: $0), String(repeating: "x", count: 300)) }
        #expect(try store(stage.server.url, "secret").keepLast(many, of: .token))
        #expect(try store(stage.server.url, "secret").last?.entries.count == EntryStore.limit)
    }

    @Test("is searched for an id that begins so: one is taken, none is 4, several are 2 and named")
    func prefixes() async throws {
        let stage = try await Stage()
        let one = try await stage.run("cancel", "BEEF")
        #expect(one.status == 0 && one.output.contains("Task 3"), "\(one)")
        #expect(stage.cancelled.withLock { $0 } == [stage.ids[2]])
        #expect(try await stage.run("cancel", "dead").status == 4)
        let several = try await stage.run("cancel", "0198c0de-0000")
        #expect(several.status == 2 && several.errors.contains("2 of your registrations"), "\(several)")
        for id in stage.ids.prefix(2) { #expect(several.errors.contains("\n  \(id)  ")) }
        #expect(!several.errors.contains(stage.ids[2]) && !several.errors.contains("\u{1B}"))
        #expect(try await stage.run("cancel", "0198c0de-0000-7000-8000-00000000000").status == 2)
        #expect(try await stage.run("cancel", "bee").status == 2)
        #expect(stage.cancelled.withLock { $0 }.count == 1)
    }
}
