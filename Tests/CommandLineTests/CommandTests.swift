import ClientTesting
import Contract
import Glibc
import HTTP1
import HTTPServer
import Reactor
import Testing
import WebSocket

@testable import letsswitch

@Suite("A command")
struct CommandTests {
    @Test("has help with examples, by option and by topic", arguments: CommandTree.commands.map(\.name))
    func help(name: String) async throws {
        let process = CommandProcess()
        let words = name.split(separator: " ").map(String.init)
        let option = try await process.run(words + ["--help"], server: "http://127.0.0.1:1")
        let topic = try await process.run(["help"] + words, server: "http://127.0.0.1:1")
        #expect(option.status == 0 && topic.status == 0)
        #expect(option.output == topic.output)
        #expect(option.output.contains("Examples:\n  "))
    }

    @Test(
        "--version prints the version of the product, wherever it stands",
        arguments: [
            ["--version"], ["slots", "--version"], ["--version", "register"], ["token", "--version"],
            ["token", "list", "--version", "-q"], ["account", "--version"],
        ])
    func version(words: [String]) async throws {
        let outcome = try await CommandProcess().run(words, server: "http://127.0.0.1:1")
        #expect(outcome.status == 0 && outcome.output == "letsswitch \(Version.build)\n")
    }

    @Test("has help where no command is named, and for the first word of some")
    func overview() async throws {
        let process = CommandProcess()
        func output(_ words: String...) async throws -> String {
            let outcome = try await process.run(words, server: "http://127.0.0.1:1")
            #expect(outcome.status == 0 && outcome.errors.isEmpty, "\(outcome)")
            return outcome.output
        }
        let overview = try await output()
        for words in [["--help"], ["help"]] {
            #expect(try await process.run(words, server: "http://127.0.0.1:1").output == overview)
        }
        for (word, summary) in CommandTree.beginnings {
            #expect(overview.contains("  \(word) ") && overview.contains(summary.local))
        }
        let group = try await output("token", "--help")
        for (word, _) in CommandTree.members(of: "token") { #expect(group.contains("  token \(word) ")) }
        #expect(try await output("help", "token") == group)
        let alone = try await process.run(["token"], server: "http://127.0.0.1:1")
        #expect(alone.status == 2 && alone.errors.contains("letsswitch token list"), "\(alone)")
        #expect(try await output("account", "--help").contains("  account log-out "))
        let calendars = try await output("calendars", "--help")
        #expect(try await output("calendar", "--help") == calendars)
        #expect(try await output("account", "recovery", "--help").contains("letsswitch token recovery"))
    }

    @Test("has one name only, also with its other names")
    func names() {
        let names = CommandTree.commands.flatMap { [$0.name] + $0.aliases }
        #expect(Set(names).count == names.count)
        for (word, group) in CommandTree.otherGroups {
            #expect(CommandTree.groups.contains(group) && !names.contains(word))
        }
        #expect(!Help.overview.contains("complete "))
    }

    @Test("signup stores the token for its owner alone, and does not replace another unasked")
    func signUp() async throws {
        let server = try await ScriptedServer(.post, Routes.users) { _ in
            .json(SignedUp(user: Sample.user, token: "new-token"), status: 201)
        }
        let process = CommandProcess()
        let first = try await process.run(["signup", "Alice"], server: server.url)
        #expect(first.status == 0)
        #expect(!first.output.contains("new-token"))
        var status = stat()
        #expect(stat(process.tokenPath, &status) == 0)
        #expect(status.st_mode & 0o777 == 0o600)
        #expect(stat("\(process.home)/letsswitch", &status) == 0)
        #expect(status.st_mode & 0o777 == 0o700)
        #expect(try await process.run(["signup", "Bob"], server: server.url).status == 5)
        #expect(try await process.run(["signup", "Bob", "--force"], server: server.url).status == 0)
    }

    @Test("login refuses a token that others can read, and says how to fix it")
    func logIn() async throws {
        let process = try CommandProcess.signedIn()
        chmod(process.tokenPath, 0o644)
        let outcome = try await process.run(
            ["login", "--token-file", process.tokenPath], server: "http://127.0.0.1:1")
        #expect(outcome.status == 3)
        #expect(outcome.errors.contains("chmod 600 '\(process.tokenPath)'"))
    }

    @Test("login takes the token from standard input, and tries it")
    func logInFromInput() async throws {
        let server = try await ScriptedServer(.get, Routes.me) { request in
            request.head.headers.first("authorization") == "Bearer piped"
                ? .json(UserAnswer(user: Sample.user)) : .problem(.unauthenticated, "No.")
        }
        let process = CommandProcess()
        let arguments = ["login", "--token-file", "-"]
        #expect(try await process.run(arguments, server: server.url, input: "wrong\n").status == 3)
        #expect(try await process.run(arguments, server: server.url, input: "piped\n").status == 0)
        #expect(try await process.run(["whoami"], server: server.url).status == 0)
    }

    private func serve(
        _ script: @escaping @Sendable (ScriptedRoom.ServerPart) -> Void
    ) async throws -> ScriptedServer {
        try await ScriptedServer { router, loop in
            let room = Sample.openRoom(at: WallClock.now)
            router.immediate(.get, Routes.rooms) { _ in .json(RoomList(rooms: [room])) }
            router.immediate(.get, "/v1/rooms/{id}") { _ in .json(room) }
            router.immediate(.get, Routes.events) { _ in .events(openAfter: ":\n\n") }
            ScriptedRoom.add(to: &router, on: loop, script)
        }
    }

    @Test("ale sends one, and ends when it has arrived")
    func ale() async throws {
        let server = try await serve { part in
            guard let messageId = part.messageIdAfterHandshake() else { return }
            part.send(.ack(messageId: messageId, seq: 1))
        }
        let process = try CommandProcess.signedIn()
        let told = try await process.run(["ale", "--diagnostics"], server: server.url)
        #expect(told.status == 0)
        let events = try told.errors.split(separator: "\n").map { try JSONValue.parse(Array($0.utf8)) }
        let names = events.compactMap { $0["event"]?.string }
        #expect(names.contains("sent"))
        #expect(names.suffix(2) == ["deactivated", "counters"])
        let quiet = try await process.run(["ale", "-q", Sample.room.description], server: server.url)
        #expect(quiet.status == 0 && quiet.output.isEmpty)
    }

    @Test("ale that comes too fast ends with 6")
    func tooFast() async throws {
        let server = try await serve { part in
            guard let messageId = part.messageIdAfterHandshake() else { return }
            part.send(.error(code: "rateLimited", detail: "Slowly.", messageId: messageId))
        }
        let process = try CommandProcess.signedIn()
        #expect(try await process.run(["ale"], server: server.url).status == 6)
    }

    @Test("join prints what happens, sends an ale for each line, and ends with the room")
    func join() async throws {
        let server = try await serve { part in
            guard let messageId = part.message?["messageId"]?.string else {
                part.send(Sample.handshake())
                return part.send(Sample.ale(1))
            }
            part.send(.ack(messageId: messageId, seq: 2))
            part.send(.presence(member: Sample.partner, present: false))
            part.connection.close(.normal)
        }
        let process = try CommandProcess.signedIn()
        let plain = try await process.run(["join"], server: server.url, input: "\n")
        #expect(plain.status == 0)
        let texts = plain.output.split(separator: "\n").map { String($0.dropFirst(9)) }
        #expect(
            texts == [
                "in the room, with Bob (Read)", "ale from Bob", "your ale has arrived", "Bob left",
                "the room closed",
            ])
        let json = try await process.run(["join", "--json"], server: server.url, input: "the last line")
        let events = try json.output.split(separator: "\n").map { try JSONValue.parse(Array($0.utf8)) }
        #expect(events.map { $0["event"]?.string } == ["connected", "ale", "acked", "presence", "closed"])
        #expect(events[1]["name"]?.string == "Bob")
        #expect(events.allSatisfy { $0["room"]?.string == Sample.room.description })
    }

    @Test("join tries again at once when the process goes on after a suspension")
    func suspension() async throws {
        let server = try await serve { part in
            part.send(Sample.handshake())
            part.connection.close(
                part.number == 1 ? .serviceRestart : .normal,
                reason: part.number == 1 ? "retryAfterMs=3600000" : "")
        }
        let process = try CommandProcess.signedIn()
        let outcome = try await process.run(
            ["join", "--json"], server: server.url, signal: SIGCONT, until: "interrupted")
        #expect(outcome.status == 0)
        #expect(outcome.output.contains("\"event\":\"closed\""))
    }

    @Test("join with no room and nothing ahead ends with 4, and says what to do")
    func nothingAhead() async throws {
        let server = try await ScriptedServer { router, _ in
            router.immediate(.get, Routes.rooms) { _ in .json(RoomList(rooms: [])) }
            router.immediate(.get, Routes.registrations) { _ in .json(RegistrationList(registrations: [])) }
            router.immediate(.get, Routes.events) { _ in .events(openAfter: ":\n\n") }
        }
        let process = try CommandProcess.signedIn()
        let outcome = try await process.run(["join"], server: server.url)
        #expect(outcome.status == 4)
        #expect(outcome.errors.contains("letsswitch register"))
        #expect(try await process.run(["ale"], server: server.url).status == 4)
    }

    @Test("register says local times to the server, and tomorrow where today's are past")
    func register() async throws {
        let date = try #require(LocalDate("2027-12-31"))
        let bodies = Lock<[JSONValue]>([])
        let server = try await ScriptedServer { router, _ in
            let now = WallClock.now
            func slot(_ time: String, _ state: SlotState) -> SlotView {
                SlotView(startsAt: now, endsAt: now, localTime: time, state: state, others: 0)
            }
            let list = SlotList(
                date: date, timeZone: "UTC",
                slots: [slot("09:00", .closed), slot("23:00", .empty)])
            router.immediate(.get, Routes.slots) { _ in .json(list) }
            router.immediate(.post, Routes.registrations) { request in
                if let body = try? JSONValue.parse(request.body) { bodies.withLock { $0.append(body) } }
                return .json(RegistrationList(registrations: []), status: 201)
            }
        }
        let process = try CommandProcess.signedIn()
        _ = try await process.run(["register", "x", "--at", "9:00"], server: server.url)
        let sent = bodies.withLock { $0 }
        #expect(sent.first?["localSlots"]?.array == [.string("2028-01-01T09:00")])
    }

    @Test("register says what it understood: date, time and zone, and why a time was moved")
    func understood() async throws {
        let date = try #require(LocalDate("2027-03-28"))
        let start = Timestamp(seconds: 1_806_195_600)
        let slot = SlotSpan(startsAt: start, endsAt: start.adding(.seconds(1800)))
        let server = try await ScriptedServer { router, _ in
            let view = SlotView(
                startsAt: slot.startsAt, endsAt: slot.endsAt, localTime: "03:00", state: .registered,
                others: 0)
            let list = SlotList(date: date, timeZone: "Europe/Berlin", slots: [view])
            router.immediate(.get, Routes.slots) { _ in .json(list) }
            let made = [Registration.Adjustment.gap, .overlap].map { adjusted in
                Registration(
                    id: Sample.me, slot: slot, task: "Write", tag: nil, state: .registered, roomId: nil,
                    createdAt: start, updatedAt: start, adjusted: adjusted)
            }
            router.immediate(.post, Routes.registrations) { _ in
                .json(RegistrationList(registrations: made), status: 201)
            }
        }
        let process = try CommandProcess.signedIn()
        let times = ["--at", "2027-03-28T02:00", "--at", "2027-03-28 02:30"]
        let outcome = try await process.run(["register", "Write"] + times, server: server.url)
        #expect(outcome.status == 0, "\(outcome.errors)")
        let lines = outcome.output.split(separator: "\n")
        let when = "Sun 2027-03-28 03:00 in Europe/Berlin, which is Sun 2027-03-28 01:00–01:30 UTC here"
        #expect(lines[0] == "Registered: \(when): Write (\(Sample.me))")
        #expect(lines[1].contains("does not exist on that day"))
        #expect(lines[3].contains("comes twice on that day"))
    }

    @Test(
        "register names the time and the registration of a slot that is taken, not its index"
    )
    func taken() async throws {
        let date = try #require(LocalDate("2027-03-28"))
        let start = Timestamp(seconds: 1_806_195_600)
        let server = try await ScriptedServer { router, _ in
            func slot(_ hour: Int64, _ id: Identifier?) -> SlotView {
                let startsAt = start.adding(.seconds(hour * 3600))
                return SlotView(
                    startsAt: startsAt, endsAt: startsAt.adding(.seconds(1800)), localTime: "0\(hour + 3):00",
                    state: .registered, others: 0, registrationId: id)
            }
            let list = SlotList(
                date: date, timeZone: "Europe/Berlin", slots: [slot(0, nil), slot(1, Sample.me)])
            router.immediate(.get, Routes.slots) { _ in .json(list) }
            router.immediate(.post, Routes.registrations) { request in
                let isLocal = (try? JSONValue.parse(request.body))?["localSlots"] != nil
                let pointer = isLocal ? "/localSlots/1" : "/slots/1"
                let error = FieldError(
                    pointer: pointer, detail: "You are registered for this slot already.")
                return .problem(.alreadyRegistered, "Change or cancel that one.", errors: [error])
            }
        }
        let process = try CommandProcess.signedIn()
        let local = ["--at", "2027-03-28T03:00", "--at", "2027-03-28 04:00"]
        let instants = ["--at", "2027-03-28T01:00:00Z", "--at", "2027-03-28T02:00:00Z"]
        for times in [local, instants] {
            let outcome = try await process.run(["register", "Write"] + times, server: server.url)
            #expect(outcome.status == 5)
            #expect(
                outcome.errors.split(separator: "\n") == [
                    "letsswitch: Change or cancel that one.",
                    "  Sun 2027-03-28 02:00–02:30 UTC: registration \(Sample.me)",
                ])
        }
        let json = try await process.run(["register", "Write", "--json"] + local, server: server.url)
        #expect(json.errors.contains("/localSlots/1"))
    }

    @Test("next is a slot that has yet to begin, also where a running one can still be had")
    func next() async throws {
        let date = try #require(LocalDate("2027-12-31"))
        let body = Lock<JSONValue?>(nil)
        let next = WallClock.now.adding(.seconds(1800))
        let server = try await ScriptedServer { router, _ in
            let slots = [next.adding(.seconds(-1801)), next].map { start in
                SlotView(
                    startsAt: start, endsAt: start.adding(.seconds(1800)), localTime: "09:00",
                    state: .waiting, others: 1)
            }
            let list = SlotList(date: date, timeZone: "UTC", slots: slots)
            router.immediate(.get, Routes.slots) { _ in .json(list) }
            router.immediate(.post, Routes.registrations) { request in
                body.withLock { $0 = try? JSONValue.parse(request.body) }
                return .json(RegistrationList(registrations: []), status: 201)
            }
        }
        let process = try CommandProcess.signedIn()
        _ = try await process.run(["register", "x", "--at", "next"], server: server.url)
        #expect(body.withLock { $0 }?["slots"]?.array == [.string(next.description)])
    }
}
