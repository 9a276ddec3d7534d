import HTTP1
import Testing

struct EncoderTests {
    @Test("a response tells the length of its body")
    func response() {
        var bytes: [UInt8] = []
        ResponseEncoder.encode(
            status: 201, headers: ["X-A": "b", "Content-Length": "9"], body: Array("hi".utf8), into: &bytes)
        #expect(bytes == Array("HTTP/1.1 201 Created\r\nX-A: b\r\ncontent-length: 2\r\n\r\nhi".utf8))
    }

    @Test("an answer to HEAD tells the length and sends nothing")
    func head() {
        var bytes: [UInt8] = []
        ResponseEncoder.encode(
            status: 200, headers: [:], body: Array("hi".utf8), omitsBody: true, into: &bytes)
        #expect(bytes == Array("HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n".utf8))
    }

    @Test("204 has neither a body nor a length")
    func noContent() {
        var bytes: [UInt8] = []
        ResponseEncoder.encode(status: 204, headers: [:], body: [1], into: &bytes)
        #expect(bytes == Array("HTTP/1.1 204 No Content\r\n\r\n".utf8))
    }

    @Test("no text adds a field or ends the head")
    func injection() {
        var bytes: [UInt8] = []
        ResponseEncoder.encode(
            status: 200, headers: ["X": "a\r\nY: b\0\r\n\r\nz", "B\r\nad": "x", "": "y"], body: [],
            into: &bytes)
        #expect(bytes == Array("HTTP/1.1 200 OK\r\nX: a  Y: b     z\r\ncontent-length: 0\r\n\r\n".utf8))
    }

    @Test("what a client encodes, a server reads")
    func roundTrip() throws {
        var bytes: [UInt8] = []
        RequestEncoder.encode(
            method: .post, target: "/a b\r\n#é?q=1", headers: ["Host": "a"], body: Array("hi".utf8),
            into: &bytes)
        let request = try #require(Exchange.parse([bytes]).requests.first)
        #expect(request.head.path == "/a%20b%0D%0A%23%C3%A9")
        #expect(request.head.query == "q=1")
        #expect(request.body == Array("hi".utf8))
    }

    @Test("chunks are read back, and an empty one does not end the body")
    func chunks() throws {
        var bytes: [UInt8] = []
        ResponseEncoder.encodeHead(status: 200, headers: [:], framing: .chunked, into: &bytes)
        Chunk.encode([], into: &bytes)
        Chunk.encode(Array(repeating: 7, count: 300), into: &bytes)
        bytes += Chunk.last
        var parser = ResponseParser(responseTo: .get)
        parser.receive(bytes.span.bytes)
        try parser.takeHead()
        #expect(try parser.next() == .body(Array(repeating: 7, count: 300)))
        #expect(try parser.next() == .end)
    }
}
