import Testing

@testable import Client

@Suite("An event stream")
struct EventStreamParserTests {
    private static let stream = Array(
        "\u{FEFF}: hello\r\nid: 7\nevent: room.opened\rdata: one\ndata:two\n\n:\n\ndata\n\nid\ndata:  x\n\n"
            .utf8)
    private static let events = [
        ServerSentEvent(id: "7", event: "room.opened", data: "one\ntwo"),
        ServerSentEvent(id: "7", data: ""),
        ServerSentEvent(id: "", data: " x"),
    ]

    @Test("is read alike however it is cut")
    func cuts() throws {
        for cut in 0...Self.stream.count {
            var parser = EventStreamParser()
            var events = try parser.receive(Array(Self.stream[..<cut]))
            events += try parser.receive(Array(Self.stream[cut...]))
            #expect(events == Self.events, "cut at \(cut)")
        }
    }

    @Test("tells an id alone at the end of its block, and that of an event with the event")
    func ids() throws {
        var parser = EventStreamParser()
        #expect(try parser.receive(Array(": hello\nid: 5\n".utf8)).isEmpty)
        #expect(parser.lastID == nil && !parser.hasBegun)
        #expect(try parser.receive(Array("\n".utf8)).isEmpty)
        #expect(parser.lastID == "5" && parser.hasBegun)
        // The connection may end here, and then this event must be sent again.
        #expect(try parser.receive(Array("id: 6\ndata: x\n".utf8)).isEmpty)
        #expect(parser.lastID == "5")
        #expect(try parser.receive(Array("\n".utf8)) == [ServerSentEvent(id: "6", data: "x")])
        #expect(parser.lastID == "6")
    }

    @Test("has a wait before a reconnection, where it is a number")
    func retry() throws {
        var parser = EventStreamParser()
        _ = try parser.receive(Array("retry: 1500\nretry: soon\n\n".utf8))
        #expect(parser.retryMilliseconds == 1500)
    }

    @Test("with a line or an event beyond the limit is refused", arguments: ["data: ", "data: x\ndata: "])
    func limit(prefix: String) throws {
        var parser = EventStreamParser()
        let long = [UInt8](repeating: 0x61, count: EventStreamParser.limit)
        #expect(throws: EventStreamParser.Failure.tooLarge(limit: EventStreamParser.limit)) {
            try parser.receive(Array(prefix.utf8) + long)
        }
    }
}
