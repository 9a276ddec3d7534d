import ClientTesting
import Contract
import Glibc
import HTTPServer
import Reactor
import Testing
import WebSocket

@testable import letsswitch

@Suite("The screen of join", .timeLimit(.minutes(5)))
struct JoinTerminalTests {
    /// Returns the screen's lines with everything that varies between runs replaced.
    private func golden(_ screen: TerminalScreen) -> [String] {
        screen.lines.map { line in
            line.replacing(#/[A-Z][a-z]{2} \d{4}-\d\d-\d\d/#, with: "Day 0000-00-00")
                .replacing(#/\d\d:\d\d(:\d\d)?/#, with: "00:00")
                .replacing(#/[\d.]+ ms/#, with: "0 ms")
                .replacing(#/again in \d+ s/#, with: "again in 0 s")
        }
    }

    @Test("shows who is there, how long it takes, and how the connection is")
    func joining() async throws {
        let stage = try await JoinStage()
        let session = try await stage.join()
        let screen = await session.wait { $0.text.contains("Connected, ") && $0.text.contains("Ends in") }
        #expect(
            golden(screen) == [
                "Let's Switch · Day 0000-00-00 00:00–00:00 UTC", "", "Ends in 00:00", "", "You  Write", "",
                "● Bob  Read  #books", "", "Ales: 0 received, 0 sent", "", "", "", "", "", "", "", "", "", "",
                "", "", "in the room, with Bob (Read)", "● Connected, 0 ms",
                "space or Enter sends an ale · q leaves · ? shows keys",
            ])
        #expect(screen.isAlternate && !screen.isCursorShown && screen.hasStyles)
        session.type("q")
        let (after, status) = await session.end()
        #expect(status == 0)
        #expect(!after.isAlternate && after.isCursorShown)
        #expect(after.lines.first == "You left. Ales: 0 received, 0 sent.")
    }

    @Test("shows ales as they arrive, without ever clearing what is there")
    func ale() async throws {
        let stage = try await JoinStage()
        let session = try await stage.joined()
        session.type(" ")
        let screen = await session.wait(for: "1 received, 1 sent")
        #expect(golden(screen)[8...9] == ["Ales: 1 received, 1 sent", "  00:00  ale from Bob"])
        let before = golden(screen)[2]
        session.type("\r\r")
        let later = await session.wait(for: "3 received, 3 sent")
        #expect(golden(later)[2] == before && later.clears == 1)
        await session.quit()
    }

    @Test("says a status at a key, shows it, and takes it back at the same key")
    func status() async throws {
        let stage = try await JoinStage { part in
            guard part.message?["type"]?.string == "status" else { return false }
            let word = part.message?["status"]?.string
            part.send(.status(member: Sample.me, status: word.flatMap { MemberStatus(rawValue: $0) }))
            return true
        }
        let session = try await stage.joined()
        session.type("g")
        let shown = await session.wait(for: "you are getting ready")
        #expect(golden(shown)[4] == "You  Write  (getting ready)")
        session.type("r")
        await session.wait(for: "You  Write  (ready)")
        session.type("r")
        let back = await session.wait(for: "you take the status back")
        #expect(golden(back)[4] == "You  Write")
        await session.quit()
    }

    @Test("takes nothing that is pasted for keys")
    func paste() async throws {
        let stage = try await JoinStage()
        let session = try await stage.joined()
        session.type("\u{1B}[200~ forty ales, q and \r\u{1B}[201~ ")
        let screen = await session.wait(for: "1 received, 1 sent")
        #expect(golden(screen)[8] == "Ales: 1 received, 1 sent")
        await session.quit()
    }

    @Test("says that the connection is lost and when it is tried again, and goes on")
    func reconnecting() async throws {
        let stage = try await JoinStage { part in
            guard part.number == 1, part.message != nil else { return false }
            part.connection.close(.serviceRestart, reason: "retryAfterMs=5000")
            return true
        }
        let session = try await stage.joined()
        session.type(" ")
        let screen = await session.wait(for: "Connection lost")
        #expect(golden(screen)[21].hasPrefix("The server is restarting: nothing to do"))
        #expect(golden(screen)[22].hasPrefix("○ Connection lost; again "))
        #expect(screen.text.contains("Ales: 0 received, 1 sent (1 on the way)"))
        // The ale in flight arrives with the next connection.
        let after = await session.wait(for: "1 received, 1 sent")
        #expect(after.text.contains("Connected"))
        await session.quit()
    }

    @Test("tries again at once with any key")
    func tryingAtOnce() async throws {
        let stage = try await JoinStage { part in
            guard part.number == 1, part.message != nil else { return false }
            // The wait is so long that only the key explains an earlier connection.
            part.connection.close(.serviceRestart, reason: "retryAfterMs=600000")
            return true
        }
        let session = try await stage.joined()
        session.type(" ")
        await session.wait(for: "s, at once with any key")
        session.type("x")
        await session.wait(for: "1 received, 1 sent")
        await session.quit()
    }

    @Test("counts the last seconds down in big digits, up to the start")
    func countdown() async throws {
        let stage = try await JoinStage(startsIn: .seconds(9))
        let session = try await stage.join()
        func big(_ text: String) -> [String] {
            BigText.lines(text).map { TerminalText.trimmed("    " + $0) }
        }
        // A busy machine may show only some of the seconds.
        let digits = (1...9).map { big("\($0)") }
        let counting = await session.wait { digits.contains(Array($0.lines[3...7])) }
        #expect(counting.lines[2] == "Begins in")
        let first = try #require(digits.firstIndex(of: Array(counting.lines[3...7])))
        if first > 0 {
            let later = await session.wait { digits[..<first].contains(Array($0.lines[3...7])) }
            #expect(later.lines[2] == "Begins in")
        }
        let start = big("Start!")
        let begun = await session.wait { Array($0.lines[3...7]) == start }
        #expect(begun.lines[2] == "")
        await session.wait(for: "Ends in")
        await session.quit()
    }

    @Test("explains the keys at ? and hides that again", arguments: [(80, 24), (40, 15)])
    func keys(columns: Int, rows: Int) async throws {
        let stage = try await JoinStage()
        let session = try await stage.join(columns: columns, rows: rows)
        await session.wait(for: "Connected")
        session.type("?")
        let shown = await session.wait(for: "? hides this")
        for line in [
            "  space, Enter  send an ale", "  r             say that you are", "  q             leave",
            "LETSSWITCH_BELL=off",
        ] {
            #expect(shown.text.contains(line), "\(shown.text)")
        }
        #expect(shown.lines.first?.hasPrefix("Let's Switch") == true && shown.text.contains("Ends in"))
        #expect(!shown.text.contains("Ales:"))
        session.type("?")
        let hidden = await session.wait { $0.text.contains("? shows keys") && $0.text.contains("Ales:") }
        #expect(!hidden.text.contains("Ctrl-Z"))
        await session.quit()
    }

    @Test("sounds for an ale, once a second at most, and not where the setting or the switch says so")
    func sound() async throws {
        let stage = try await JoinStage()
        func sounds(_ arguments: [String], _ environment: [String]) async throws -> Int {
            let session = try await TerminalSession(
                Child.command(), ["join"] + arguments, stage.environment(["LANG=C.UTF-8"] + environment))
            await session.wait(for: "Connected")
            session.type(" ")
            await session.wait(for: "1 received, 1 sent")
            session.type("q")
            return await session.end().screen.sounds
        }
        #expect(try await sounds([], []) == 1)
        #expect(try await sounds([], ["LETSSWITCH_BELL=on"]) == 1)
        #expect(try await sounds([], ["LETSSWITCH_BELL=off"]) == 0)
        #expect(try await sounds(["--no-bell"], []) == 0)
        let wrong = try await stage.process.run(
            ["join"], server: stage.server.url, environment: ["LETSSWITCH_BELL=loud"])
        #expect(wrong.status == 2 && wrong.errors.contains("on or off"))
        let piped = try await stage.process.run(
            ["join", "--timeout", "2"], server: stage.server.url, input: "\n", until: "ale from")
        #expect(piped.output.contains("ale from") && !piped.output.contains("\u{7}"))
    }

    @Test("fits the terminal after a resize, also with wide characters and many people")
    func resize() async throws {
        var members = Sample.members
        members[0].task = "報告書を書く📝報告書を書く📝報告書を書く📝"
        members[1].name = "愛子👩‍💻"
        for index in 0..<10 {
            members.append(
                Member(
                    id: Identifier(value: 100 + UInt128(index)), name: "Nr. \(index)", task: nil, tag: nil,
                    you: false, present: false))
        }
        let stage = try await JoinStage(members: members)
        let session = try await stage.join()
        let wide = await session.wait(for: "Connected")
        #expect(wide.text.contains("● 愛子👩‍💻  Read  #books"))
        #expect(wide.text.contains("  and 5 more"))
        for (columns, rows) in [(40, 12), (20, 6), (5, 2), (100, 30)] {
            await session.resize(columns: columns, rows: rows)
            let screen = await session.wait { $0.lines.last?.hasPrefix("spac") == true }
            // A line that was too long would continue in the next one, and the last line would not be the
            // last.
            #expect(screen.lines.last.map { TextWidth.of($0) <= columns } == true, "\(screen.text)")
            if columns >= 20 { #expect(screen.lines[rows - 2].hasPrefix("● Connected"), "\(screen.text)") }
        }
        await session.quit()
    }

    @Test("gives the terminal back after Ctrl-C, SIGTERM, SIGHUP and Ctrl-\\")
    func signals() async throws {
        let stage = try await JoinStage()
        for (number, status) in [(SIGINT, 130), (SIGTERM, 143), (SIGHUP, 129), (SIGQUIT, 131)] {
            let session = try await stage.joined()
            #expect(!session.isCooked)
            switch number {
            case SIGINT: session.type("\u{3}")
            case SIGQUIT: session.type("\u{1C}")
            default: session.signal(number)
            }
            let screen = await session.wait { !$0.isAlternate && $0.isCursorShown }
            #expect(!screen.isAlternate && screen.isCursorShown && !screen.text.contains("Connected"))
            #expect(session.isCooked)
            #expect(await session.end().status == Int32(status))
        }
    }

    @Test("gives the terminal back on Ctrl-Z, and takes it again and reconnects at once on fg")
    func suspension() async throws {
        let stage = try await JoinStage { part in
            guard part.number == 1, part.message != nil else { return false }
            // The wait is so long that only the resumption explains an earlier connection.
            part.connection.close(.serviceRestart, reason: "retryAfterMs=600000")
            return true
        }
        let shell = try await TerminalSession(
            "/bin/bash", ["--norc", "--noprofile", "-i"], stage.environment() + ["PS1=shell> "])
        await shell.wait(for: "shell>")
        shell.type("\(try Child.command()) join\r")
        await shell.wait(for: "Connected")
        shell.type(" ")
        await shell.wait(for: "Connection lost")
        shell.type("\u{1A}")
        let suspended = await shell.wait { !$0.isAlternate && $0.text.contains("Stopped") }
        #expect(!suspended.isAlternate && suspended.isCursorShown)
        #expect(!suspended.text.contains("Connection lost"))
        shell.type("fg\r")
        let back = await shell.wait { $0.isAlternate && $0.text.contains("1 received, 1 sent") }
        #expect(back.isAlternate && !back.isCursorShown && back.text.contains("Connected"))
        shell.type("q")
        let left = await shell.wait(for: "You left.")
        #expect(left.text.contains("Ales: 1 received, 1 sent."))
        shell.type("exit\r")
        #expect(await shell.end().status == 0)
    }

    @Test("is of ASCII where the locale is, and has no colours where NO_COLOR says so")
    func plain() async throws {
        var members = Sample.members
        members[1].name = "Zoë"
        let stage = try await JoinStage(members: members)
        let session = try await stage.join(columns: 60, environment: ["LANG=C", "NO_COLOR=1"])
        let screen = await session.wait(for: "Connected")
        let isASCII = screen.text.allSatisfy(\.isASCII)
        #expect(isASCII, "\(screen.text)")
        #expect(screen.lines[6] == "* Zo?  Read  #books")
        #expect(!screen.hasStyles)
        await session.quit()
    }
}
