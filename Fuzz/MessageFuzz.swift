import Contract

/// Reads the messages of a room, in both directions.
enum MessageFuzz {
    /// A room whose id the fuzzer finds in the corpus.
    private static let room = Identifier(value: 0x1111_1111_2222_4333_8444_5555_5555_5555)

    /// Oracle: the fast path for usual frames and the JSON reader, which white space at the front selects,
    /// find the same; and the message survives being written by a client and read.
    static func testClient(_ input: [UInt8]) {
        let read = ClientMessage.read(input.span.bytes, room: room)
        let slowly = ClientMessage.read(([0x20] + input).span.bytes, room: room)
        expect(read == slowly, "the short cut reads \(read), and the parser \(slowly)")
        guard case .ale(let messageId, let namesRoom) = read else { return }
        var written: [UInt8] = []
        ClientMessage.appendAle(room: namesRoom ? room : nil, messageId: messageId, to: &written)
        expect(ClientMessage.read(written.span.bytes, room: room) == read, "an ale changed in writing")
    }

    /// Oracle: a message survives being written by a server and read.
    static func testServer(_ input: [UInt8]) {
        guard let read = ServerMessage.read(input.span.bytes) else { return }
        var written: [UInt8] = []
        read.append(to: &written)
        expect(ServerMessage.read(written.span.bytes) == read, "\(read) changed in writing")
    }
}
