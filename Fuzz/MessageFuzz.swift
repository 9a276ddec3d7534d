import Contract

/// Messages in a room, in both directions.
enum MessageFuzz {
    /// A room whose id a fuzzer finds in the corpus.
    private static let room = Identifier(value: 0x1111_1111_2222_4333_8444_5555_5555_5555)

    /// Oracle: the short cut for usual frames and the reader of JSON, which white space at the front asks
    /// for, find the same; what was found is found again in what a client writes.
    static func testClient(_ input: [UInt8]) {
        let read = ClientMessage.read(input.span.bytes, room: room)
        let slowly = ClientMessage.read(([0x20] + input).span.bytes, room: room)
        expect(read == slowly, "the short cut reads \(read), and the parser \(slowly)")
        guard case .ale(let messageId, let namesRoom) = read else { return }
        var written: [UInt8] = []
        ClientMessage.appendAle(room: namesRoom ? room : nil, messageId: messageId, to: &written)
        expect(ClientMessage.read(written.span.bytes, room: room) == read, "an ale changed in writing")
    }

    /// Oracle: what was read is read again in what a server writes.
    static func testServer(_ input: [UInt8]) {
        guard let read = ServerMessage.read(input.span.bytes) else { return }
        var written: [UInt8] = []
        read.append(to: &written)
        expect(ServerMessage.read(written.span.bytes) == read, "\(read) changed in writing")
    }
}
