import Client
import ClientTesting
import Contract
import Testing

@testable import letsswitch

@Suite("A join")
struct JoinModelTests {
    private func joined() throws -> JoinModel {
        var model = JoinModel()
        model.found(Sample.openRoom(at: Sample.start))
        guard case .handshake(let handshake?) = Sample.handshake() else { throw ClientError.cancelled }
        _ = model.apply(.connected(handshake, resumed: false), at: Sample.start)
        return model
    }

    @Test("knows who is there, and counts ales")
    func counts() throws {
        var model = try joined()
        #expect(model.partners.map(\.name) == ["Bob"])
        let ale = ServerMessage.Ale(from: Sample.partner, seq: 1, at: Sample.start)
        #expect(model.apply(.ale(ale), at: Sample.start)?.text == "ale from Bob")
        model.cheered()
        #expect(model.unacknowledged == 1)
        _ = model.apply(.acknowledged(messageId: "m", seq: 2), at: Sample.start)
        #expect((model.received, model.sent, model.unacknowledged) == (1, 1, 0))
    }

    @Test("tells a room that has another server from another room")
    func moved() throws {
        var model = try joined()
        let along = model.apply(.moved(Sample.room), at: Sample.start)
        #expect(along?.text == "your room goes on at another server")
        let elsewhere = model.apply(.moved(Sample.other), at: Sample.start)
        #expect(elsewhere?.text == "your match goes on in another room")
        #expect(elsewhere?.room == Sample.other)
    }

    @Test("tells what members say, in safe lines, and shows it below their tasks")
    func words() throws {
        var model = try joined()
        let heard = model.apply(
            .checkIn(member: Sample.partner, checkIn: "Go 🙂\u{1B}[2J"), at: Sample.start)
        #expect(heard?.text == "Bob checks in: Go 🙂\u{FFFD}[2J" && heard?.event == "checkIn")
        #expect(heard?.checkIn == "Go 🙂\u{1B}[2J" && heard?.member == Sample.partner)
        let ended = model.apply(
            .outcome(member: Sample.partner, outcome: .partly, note: "Half\u{9B}31m"), at: Sample.start)
        #expect(ended?.text == "Bob is partly done: Half\u{FFFD}31m" && ended?.outcome == .partly)
        let own = model.apply(.checkIn(member: Sample.me, checkIn: "Ready"), at: Sample.start)
        #expect(own?.text == "you check in: Ready")
        let screen = lines(model, after: .seconds(60))
        let me = try #require(screen.firstIndex(of: "You  Write"))
        #expect(screen[me + 1] == "     checked in: Ready")
        let partner = try #require(screen.firstIndex(of: "● Bob  Read  #books"))
        #expect(screen[partner + 1] == "       checked in: Go 🙂\u{FFFD}[2J")
        #expect(screen[partner + 2] == "       partly done: Half\u{FFFD}31m")
        // Where there is no room for it, everything else is still there.
        let small = lines(model, columns: 40, rows: 11)
        #expect(small.contains("● Bob  Read  #books") && !small.contains { $0.contains("partly") })
        let back = model.apply(.outcome(member: Sample.partner, outcome: nil, note: nil), at: Sample.start)
        #expect(back?.text == "Bob takes the outcome back" && back?.outcome == nil)
        #expect(!lines(model, after: .seconds(60)).contains { $0.contains("partly") })
    }

    @Test("tells what members are doing, and shows it behind their tasks")
    func statuses() throws {
        var model = try joined()
        let heard = model.apply(.status(member: Sample.partner, status: .gettingReady), at: Sample.start)
        #expect(heard?.text == "Bob is getting ready" && heard?.event == "status")
        #expect(heard?.status == .gettingReady && heard?.member == Sample.partner && heard?.name == "Bob")
        let own = model.apply(.status(member: Sample.me, status: .ready), at: Sample.start)
        #expect(own?.text == "you are ready" && model.me?.status == .ready)
        let screen = lines(model, after: .seconds(60))
        #expect(screen.contains("You  Write  (ready)"))
        #expect(screen.contains("● Bob  Read  #books  (getting ready)"))
        let back = model.apply(.status(member: Sample.partner, status: nil), at: Sample.start)
        #expect(back?.text == "Bob takes the status back" && back?.status == nil)
        #expect(!lines(model, after: .seconds(60)).contains { $0.contains("getting") })
    }

    @Test("counts merged ales, and an error about a status as none of them")
    func merged() throws {
        var model = try joined()
        let ale = ServerMessage.Ale(
            from: Sample.partner, seq: 9, at: Sample.start, merged: .init(first: 5, count: 3))
        let heard = model.apply(.ale(ale), at: Sample.start)
        #expect(heard?.text == "3 ales from Bob" && heard?.count == 3 && model.received == 3)
        #expect(lines(model).contains { $0.hasSuffix("ale from Bob, 3 times") })
        model.cheered()
        _ = model.apply(.refused(code: "rateLimited", detail: "Slow down.", messageId: nil), at: Sample.start)
        #expect(model.sent == 1)
        _ = model.apply(.refused(code: "rateLimited", detail: "Slow down.", messageId: "m"), at: Sample.start)
        #expect(model.sent == 0)
    }

    @Test("asks how it went when the room has closed, unless that was said")
    func suggestion() throws {
        var model = try joined()
        #expect(model.suggestion == nil)
        _ = model.apply(.closed(.roomClosed), at: Sample.start)
        #expect(model.suggestion == "How did it go? letsswitch outcome done, or partly, or not")
        model = try joined()
        _ = model.apply(.outcome(member: Sample.me, outcome: .done, note: nil), at: Sample.start)
        _ = model.apply(.closed(.roomClosed), at: Sample.start)
        #expect(model.suggestion == nil)
    }

    @Test("is drawn within the terminal, however small", arguments: [(80, 24), (40, 10), (20, 5), (1, 1)])
    func screen(columns: Int, rows: Int) throws {
        var model = try joined()
        for seq in 0..<200 {
            let ale = ServerMessage.Ale(from: Sample.partner, seq: Int64(seq), at: Sample.start)
            _ = model.apply(.ale(ale), at: Sample.start)
        }
        let screen = JoinScreen(
            model: model, now: Sample.start.adding(.seconds(60)), columns: columns, rows: rows)
        let lines = screen.lines().map(\.text)
        #expect(lines.count <= rows)
        #expect(lines.allSatisfy { TextWidth.of($0) <= columns })
        if columns >= 40 { #expect(lines.contains("Ends in 29:00")) }
    }

    private func lines(
        _ model: JoinModel, columns: Int = 80, rows: Int = 24, after time: Duration = .zero
    ) -> [String] {
        JoinScreen(model: model, now: Sample.start.adding(time), columns: columns, rows: rows)
            .lines().map(\.text)
    }

    @Test("that waits shows the task and the connection")
    func waiting() throws {
        var model = JoinModel()
        #expect(lines(model)[22] == "○ Reaching the server …")
        #expect(model.apply(RoomFinder.Wait.connected, at: Sample.start) == nil)
        let start = Sample.start.adding(.seconds(600))
        let registration = Registration(
            id: Sample.me, slot: SlotSpan(startsAt: start, endsAt: start.adding(.seconds(1800))),
            task: "Write",
            tag: "work", state: .registered, roomId: nil, createdAt: Sample.start, updatedAt: Sample.start)
        let joinEvent = model.apply(RoomFinder.Wait.registered(registration), at: Sample.start)
        #expect(joinEvent?.event == "waiting" && joinEvent?.registration == Sample.me)
        let screen = lines(model)
        #expect(screen[2] == "Begins in 10:00" && screen[4] == "You  Write  #work")
        #expect(screen[22] == "● In touch with the server" && screen[23] == "q leaves · ? shows keys")
        #expect(!model.isInterrupted)
        let lost = RoomFinder.Wait.interrupted(reason: "The server ended the stream.", wait: .seconds(12))
        #expect(model.apply(lost, at: Sample.start)?.event == "interrupted")
        #expect(model.isInterrupted)
        #expect(lines(model)[21] == "The server ended the stream.")
        #expect(lines(model)[22] == "○ Connection lost; again in 12 s, at once with any key")
        _ = model.apply(RoomFinder.Wait.connected, at: Sample.start)
        #expect(
            !model.isInterrupted && lines(model)[21].isEmpty
                && lines(model)[22] == "● In touch with the server")
    }

    @Test("shows a long task in as many lines as would be empty")
    func longTask() throws {
        let words = (1...40).map { "word\($0)" }
        let task = words.joined(separator: " ")
        var members = Sample.members
        members[0].task = task
        var model = JoinModel()
        var room = Sample.openRoom(at: Sample.start)
        room.members = members
        model.found(room)
        let screen = lines(model, columns: 60, rows: 30)
        let first = try #require(screen.firstIndex { $0.hasPrefix("You  word1 ") })
        let own = screen[first...].prefix { !$0.isEmpty }
        #expect(own.dropFirst().allSatisfy { $0.hasPrefix("     word") && TextWidth.of($0) <= 60 })
        #expect(own.flatMap { $0.dropFirst(5).split(separator: " ") }.map(String.init) == words)
        #expect(screen.contains("● Bob  Read  #books"))
        // Without enough room the line is cut, and everything else is still there.
        let small = lines(model, columns: 60, rows: 12)
        #expect(small.count == 12 && small.contains { $0.hasPrefix("You  word1 ") && $0.hasSuffix("…") })
        #expect(small.contains("● Bob  Read  #books"))
    }

    @Test(
        "breaks lines between words, and words where they are too long",
        arguments: [
            ("one two three", 7, 9, ["one two", "three"]),
            ("onetwothree four", 4, 9, ["onet", "woth", "ree", "four"]),
            ("one two three", 5, 2, ["one", "two three"]), ("愛愛愛 愛", 4, 9, ["愛愛", "愛", "愛"]),
            ("", 5, 3, [""]),
            ("one", 1, 3, ["one"]), ("one two", 5, 1, ["one two"]),
        ])
    func wrap(text: String, width: Int, limit: Int, lines: [String]) {
        #expect(TextWidth.wrap(text, width, limit: limit) == lines)
    }

    @Test("takes space and Enter for an ale, r and g for a status, q to leave, and nothing else")
    func keys() {
        var reader = InputReader()
        #expect(reader.keys(Array(" x\rq".utf8)) == [.cheer, .cheer, .leave])
        #expect(
            reader.keys(Array("rRgG".utf8)) == [
                .say(.ready), .say(.ready), .say(.gettingReady), .say(.gettingReady),
            ])
        #expect(reader.keys([0x1B, 0x5B, 0x41]) == [])
        #expect(reader.keys([0x1B]) == [])
        #expect(reader.keys([0x20]) == [.cheer])
    }

    @Test("what is pasted is nothing, wherever it is cut")
    func paste() {
        let bytes = Array(" \u{1B}[200~ q \r\n\u{1B}[20 \u{1B}\u{1B}[201~\u{1B}[A\u{1B}OP\rq".utf8)
        for cut in 0...bytes.count {
            var reader = InputReader()
            let actions = reader.keys(Array(bytes[..<cut])) + reader.keys(Array(bytes[cut...]))
            #expect(actions == [.cheer, .cheer, .leave], "cut at \(cut)")
        }
    }

    @Test("each line of a pipe is an ale, also a last one that nothing ends")
    func lines() {
        var reader = InputReader()
        #expect(reader.lines(Array("a\n\nb".utf8)) == [.cheer, .cheer])
        #expect(reader.lines(Array("c".utf8)) == [])
        #expect(reader.end() == [.cheer])
        #expect(reader.end() == [])
        #expect(reader.lines(Array("d\n".utf8)) == [.cheer])
        #expect(reader.end() == [])
    }
}
