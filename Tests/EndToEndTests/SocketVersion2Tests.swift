import Client
import Contract
import HTTP1
import TestKit
import Testing
import WebSocket

@Suite("Version 2 of the socket", .timeLimit(.minutes(5)))
struct SocketVersion2Tests {
    @Test("greets with the room, acknowledges, relays, tells who is present, and says what it dropped")
    func conversation() async throws {
        try await Stage.withServer { stage, server in
            let (ada, bea, room) = try await Self.two(stage, server)
            let adas = try await RoomSocket.open(room, as: ada)
            #expect(adas.head.headers.all("sec-websocket-protocol") == ["letsswitch.v2"])
            let hello = try await adas.message("handshake")
            try expectHandshake(hello, room, stage.grid)
            let beas = try await RoomSocket.open(room, as: bea)
            let greeting = try await beas.message("handshake")
            let other = try #require(greeting["you"]?.string)
            #expect(greeting["members"]?.array?.compactMap { $0["present"]?.bool } == [true, true])
            let came = try await adas.skip(to: "presence")
            #expect(came["member"]?.string == other)
            #expect(came["present"]?.bool == true)

            await adas.send("{\"type\":\"ale\",\"id\":\"\(room)\",\"messageId\":\"a\"}")
            let ack = try await adas.message("ack")
            #expect(ack["messageId"]?.string == "a")
            #expect(ack["seq"]?.int == 1)
            let ale = try await beas.message("aleResponse")
            #expect(ale["from"]?.string == hello["you"]?.string)
            #expect(ale["seq"]?.int == 1)
            #expect(ale["at"]?.string.flatMap { Timestamp($0) } != nil)
            // A repeated ale gets the first ack, and there is no second ale. Without a messageId there is no
            // ack.
            await adas.cheer("a")
            #expect(try await adas.message("ack")["seq"]?.int == 1)
            await adas.send(.binary, Array("{\"type\":\"ale\"}".utf8))
            #expect(try await beas.message("aleResponse")["seq"]?.int == 2)

            for (text, code) in [
                ("nonsense", "malformed"), ("{\"type\":\"dance\",\"messageId\":\"b\"}", "unknownType"),
                ("{\"type\":\"ale\",\"id\":\"\(other)\"}", "wrongRoom"),
            ] {
                await adas.send(text)
                let error = try await adas.message("error")
                #expect(error["code"]?.string == code)
                #expect(error["detail"]?.string?.isEmpty == false)
            }
            // At another server they show once the room's own one has stored them.
            var stored: Int64 = 0
            while stored < 2 { stored = try await ada.api.room(room).ales }
            #expect(stored == 2)
            await beas.drop()
            #expect(try await adas.message("presence")["present"]?.bool == false)
        }
    }

    private func expectHandshake(_ hello: JSONValue, _ room: Identifier, _ grid: Grid) throws {
        #expect(hello["room"]?.string == "\(room)")
        #expect(hello["seq"]?.int == 0)
        #expect(hello["recovered"]?.bool == false)
        #expect(hello["pingSeconds"]?.int == 20)
        #expect(hello["epoch"]?.string?.isEmpty == false)
        #expect(hello["startsAt"]?.string == "\(grid.openSlot)")
        #expect(hello["closesAt"]?.string == "\(grid.endsAt(grid.openSlot))")
        #expect(hello["now"]?.string.flatMap { Timestamp($0) } != nil)
        let members = try #require(hello["members"]?.array)
        let you = members.filter { $0["you"]?.bool == true }
        #expect(you.map { $0["id"]?.string } == [hello["you"]?.string])
        #expect(you.map { $0["name"]?.string } == ["Ada"])
    }

    @Test("gives back every ale of the others that was missed, in order, once")
    func recovery() async throws {
        try await Stage.withServer { stage, server in
            let (ada, bea, room) = try await Self.two(stage, server)
            let adas = try await RoomSocket.open(room, as: ada)
            let epoch = try #require(try await adas.message("handshake")["epoch"]?.string)
            let beas = try await RoomSocket.open(room, as: bea)
            await beas.cheer()  // Number 1.
            #expect(try await adas.skip(to: "aleResponse")["seq"]?.int == 1)
            await adas.cheer("own")  // Number 2.
            _ = try await adas.skip(to: "ack")
            await adas.drop()
            #expect(try await beas.skip(to: "aleResponse")["seq"]?.int == 2)
            #expect(try await beas.message("presence")["present"]?.bool == false)
            for number in 3...5 {
                await beas.cheer("\(number)")
                _ = try await beas.message("ack")
            }
            let back = try await RoomSocket.open(room, as: ada, epoch: epoch, since: 1)
            let hello = try await back.message("handshake")
            #expect(hello["recovered"]?.bool == true)
            #expect(hello["seq"]?.int == 5)
            for number in 3...5 {
                #expect(try await back.message("aleResponse")["seq"]?.int == Int64(number))
            }
            // A repeated message is recognized across connections.
            await back.cheer("own")
            #expect(try await back.message("ack")["seq"]?.int == 2)
            let stranger = try await RoomSocket.open(room, as: ada, epoch: "another", since: 1)
            #expect(try await stranger.message("handshake")["recovered"]?.bool == false)
            await beas.cheer()
            #expect(try await stranger.message("aleResponse")["seq"]?.int == 6)
        }
    }

    @Test("drops ales over the rate, and says so")
    func rate() async throws {
        try await Stage.withServer(.openNow, ["ALES_PER_SECOND": "2"]) { stage, server in
            let (ada, bea, room) = try await Self.two(stage, server)
            let adas = try await RoomSocket.open(room, as: ada)
            let beas = try await RoomSocket.open(room, as: bea)
            _ = try await adas.skip(to: "presence")
            var burst: [UInt8] = []
            for number in 0..<20 {
                let text = Array("{\"type\":\"ale\",\"messageId\":\"\(number)\"}".utf8)
                FrameEncoder.maskedFrame(.text, text, key: 7, into: &burst)
            }
            await adas.send(raw: burst)
            var counts = (acks: 0, errors: 0)
            for _ in 0..<20 {
                guard case .text(let text) = try await adas.next() else { break }
                let answer = try JSONValue.parse(Array(text.utf8))
                if answer["type"]?.string == "ack" { counts.acks += 1 }
                if answer["code"]?.string == "rateLimited" {
                    counts.errors += 1
                    #expect(answer["messageId"]?.string != nil)
                }
            }
            // A busy machine may take some seconds for them, in each of which two more are allowed.
            #expect((4...12).contains(counts.acks))
            #expect(counts.acks + counts.errors == 20)
            _ = try await beas.message("handshake")
            for _ in 0..<counts.acks { _ = try await beas.message("aleResponse") }
        }
    }

    @Test("closes a connection that is silent, and keeps one that answers pings")
    func heartbeat() async throws {
        try await Stage.withServer(.openNow, ["PING_SECONDS": "3"]) { stage, server in
            let (ada, bea, room) = try await Self.two(stage, server)
            let silent = try await RoomSocket.open(room, as: ada)
            silent.answersPings = false
            let alive = try await RoomSocket.open(room, as: bea)
            #expect(try await alive.message("handshake")["pingSeconds"]?.int == 3)
            let listener = Task { () -> RoomSocket.Frame in try await silent.close() }
            // The pings are answered during this wait.
            let left = try await alive.message("presence")
            #expect(left["present"]?.bool == false)
            guard case .closed(4102, _) = try await listener.value else {
                throw TestError("the silent one was not closed with 4102")
            }
            let again = try await RoomSocket.open(room, as: ada)
            await again.cheer()
            #expect(try await alive.skip(to: "aleResponse")["seq"]?.int == 1)
        }
    }

    static func two(_ stage: Stage, _ server: ServerProcess) async throws -> (Person, Person, Identifier) {
        let ada = try await Person(named: "Ada", on: server)
        let bea = try await Person(named: "Bea", on: server)
        let room = try await ada.enter(stage.grid.openSlot, task: "Paint").roomId
        #expect(try await bea.enter(stage.grid.openSlot, task: "Sing").roomId == room)
        return (ada, bea, room)
    }
}
