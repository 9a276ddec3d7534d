import ClientTesting
import Contract
import HTTPServer
import Reactor
import Testing
import WebSocket

@testable import Client

@Suite("One's own status")
struct StatusTests {
    /// The texts that a scripted server is sent.
    private final class Heard: Sendable {
        private let texts = Lock<[String]>([])

        func add(_ message: JSONValue) {
            texts.withLock { $0.append(message["status"]?.string ?? "\(message["status"] ?? .null)") }
        }

        var all: [String] { texts.withLock { $0 } }
    }

    private static func handshake(_ mine: MemberStatus?) -> ServerMessage {
        guard case .handshake(var handshake?) = Sample.handshake() else { return .roomClosed }
        handshake.members[0].status = mine.map { .known($0) }
        return .handshake(handshake)
    }

    @Test("is sent once the room is entered, and again to a server that does not know it")
    func sent() async throws {
        let heard = Heard()
        let play = try await RoomPlay { part in
            if let message = part.message {
                heard.add(message)
                return part.connection.close(part.number == 3 ? .normal : .serviceRestart)
            }
            // The second server knows it, so that nothing is said there.
            part.send(Self.handshake(part.number == 2 ? .ready : nil))
            if part.number == 2 { part.connection.close(.serviceRestart) }
        }
        await play.connection.declare(.gettingReady)
        await play.connection.declare(.ready)
        let words = await play.events()
        #expect(words.last == "closed room" && words.filter { $0.hasPrefix("connected") }.count == 3)
        #expect(heard.all == ["ready", "ready"])
    }

    @Test("is the one of another device where that said the last one")
    func otherDevice() async throws {
        let heard = Heard()
        let play = try await RoomPlay { part in
            if let message = part.message {
                heard.add(message)
                if part.number == 1 {
                    part.send(.status(member: Sample.me, status: .gettingReady))
                    part.send(.status(member: Sample.partner, status: .ready))
                }
                return part.connection.close(part.number == 2 ? .normal : .serviceRestart)
            }
            part.send(Self.handshake(nil))
        }
        await play.connection.declare(.ready)
        let words = await play.events()
        #expect(heard.all == ["ready", "getting-ready"])
        #expect(words.filter { $0.hasPrefix("status") } == ["status getting-ready", "status ready"])
    }

    @Test("that was never said is never sent, and one that is taken back is null")
    func takenBack() async throws {
        let heard = Heard()
        let play = try await RoomPlay { part in
            if let message = part.message {
                heard.add(message)
                return part.connection.close(.normal)
            }
            part.send(Self.handshake(.ready))
            // The first connection ends without a word.
            if part.number == 1 { part.connection.close(.serviceRestart) }
        }
        let states = play.connection.events
        async let words = play.events()
        for await event in states {
            if case .interrupted = event { break }
        }
        await play.connection.declare(nil)
        _ = await words
        #expect(heard.all == ["null"])
    }

    @Test("options are in the address, of a room and of a ticket")
    func options() throws {
        let options = SocketOptions(mergesAles: true, pingSeconds: 30)
        let server = try Server("http://127.0.0.1:1")
        let room = RoomAddress.room(Sample.room, server: server, token: nil)
        #expect(
            try room.resolve(resuming: nil, options).target == "/socket?id=\(Sample.room)&merge=1&ping=30")
        #expect(
            try room.resolve(resuming: ("e", 7), options).target
                == "/socket?id=\(Sample.room)&epoch=e&since=7&merge=1&ping=30")
        let ticket = RoomAddress.ticket(url: "ws://127.0.0.1:1/socket?id=1&token=t")
        #expect(try ticket.resolve(resuming: nil, options).target == "/socket?id=1&token=t&merge=1&ping=30")
        #expect(try ticket.resolve(resuming: nil).target == "/socket?id=1&token=t")
    }
}

@Suite("The position of a stay with merged ales")
struct MergedPositionTests {
    private func ale(_ from: Identifier, _ seq: Int64, _ merged: ServerMessage.Ale.Merged? = nil)
        -> ServerMessage.Ale
    {
        ServerMessage.Ale(from: from, seq: seq, at: Sample.start, merged: merged)
    }

    private func progress() throws -> RoomProgress {
        var progress = RoomProgress()
        guard case .handshake(let handshake?) = Sample.handshake(seq: 4) else { throw ClientError.cancelled }
        _ = progress.entered(handshake, at: .zero)
        return progress
    }

    /// Returns whether each ale is new, one after the other.
    private func news(_ progress: inout RoomProgress, _ ales: ServerMessage.Ale...) -> [Bool] {
        ales.map { progress.isNew($0) }
    }

    @Test("is that of the message, and no ale that comes back is told twice")
    func since() throws {
        var progress = try progress()
        // 5, 7 and 9 are of one member, 6 and 8 of another; the connection breaks between the two messages.
        let first = news(&progress, ale(Sample.other, 8, .init(first: 6, count: 2, since: 4)))
        #expect(first == [true] && progress.resume?.since == 4)
        let back = news(
            &progress, ale(Sample.partner, 5), ale(Sample.other, 6), ale(Sample.partner, 7),
            ale(Sample.other, 8), ale(Sample.partner, 9), ale(Sample.other, 10))
        #expect(back == [true, false, true, false, true, true])
        #expect(progress.resume?.since == 10)
    }

    @Test("moves to the last ale where nothing else is to come")
    func plain() throws {
        var progress = try progress()
        let merged = news(
            &progress, ale(Sample.other, 8, .init(first: 6, count: 2, since: 4)),
            ale(Sample.partner, 9, .init(first: 5, count: 3)))
        #expect(merged == [true, true] && progress.resume?.since == 9)
        let later = news(&progress, ale(Sample.partner, 9), ale(Sample.other, 10))
        #expect(later == [false, true])
    }
}
