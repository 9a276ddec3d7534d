import Codecs
import HTTP1
import Testing

/// Tests that bytes are accepted, or refused with a documented error; never a trap, and never more memory
/// than the limits.
struct GarbageTests {
    private static let chunks = "5;a=\"b\"\r\nhello\r\n0\r\nX: y\r\n\r\n"

    private static let seeds: [[UInt8]] = [
        "GET /a?b=%20c HTTP/1.1\r\nHost: a\r\nConnection: upgrade\r\nUpgrade: websocket\r\n\r\n",
        "POST / HTTP/1.1\r\nHost: a:1\r\nContent-Length: 5\r\nExpect: 100-continue\r\n\r\nhello",
        "POST http://a/ HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n" + chunks,
        "PUT / HTTP/1.1\r\nHost: [::1]\r\nTransfer-Encoding: chunked\r\n\r\n" + chunks,
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n",
    ].map { Array($0.utf8) }

    private static func mutated(_ generator: inout SplitMix64) -> [UInt8] {
        var bytes = seeds.randomElement(using: &generator) ?? []
        for _ in 0..<Int.random(in: 0...4, using: &generator) {
            let index = Int.random(in: 0..<bytes.count, using: &generator)
            switch Int.random(in: 0...3, using: &generator) {
            case 0: bytes[index] = .random(in: .min ... .max, using: &generator)
            case 1:
                bytes.insert([13, 10, 32, 58, 0, 59, 44].randomElement(using: &generator) ?? 0, at: index)
            case 2: bytes.removeSubrange(index..<min(bytes.count - 1, index + 3))
            default: bytes.insert(contentsOf: bytes[index...].prefix(20), at: index)
            }
        }
        return bytes
    }

    private static func pieces(_ bytes: [UInt8], _ generator: inout SplitMix64) -> [[UInt8]] {
        var pieces: [[UInt8]] = []
        var rest = bytes[...]
        while !rest.isEmpty {
            let piece = rest.prefix(.random(in: 1...20, using: &generator))
            pieces.append(Array(piece))
            rest = rest[piece.endIndex...]
        }
        return pieces
    }

    @Test("mutated requests mean the same however they are cut", arguments: 0..<8)
    func requests(run: Int) {
        let seed = UInt64.random(in: 0...UInt64.max)
        var generator = SplitMix64(seed: seed)
        for _ in 0..<500 {
            let bytes = Self.mutated(&generator)
            let whole = Exchange.parse([bytes])
            let cut = Exchange.parse(Self.pieces(bytes, &generator))
            // A part of a body may have been delivered before the body's error.
            #expect(whole.requests.map(\.head) == cut.requests.map(\.head), "seed \(seed)")
            #expect(whole.error == cut.error, "seed \(seed)")
        }
    }

    @Test("each byte at each place of a line means the same if the line comes at once or byte by byte")
    func places() {
        for byte in UInt8.min ... .max {
            for place in 0..<18 {
                var value = [UInt8](repeating: UInt8(ascii: "~"), count: 18)
                value[place] = byte
                for limit in [18, 20, 40] {
                    var limits = HTTPLimits.requests
                    limits.headerBytes = limit
                    let bytes = Array("GET / HTTP/1.0\r\nA:".utf8) + value + Array("\r\n\r\n".utf8)
                    let whole = Exchange.parse([bytes], limits: limits)
                    let single = Exchange.parse(bytes.map { [$0] }, limits: limits)
                    #expect(whole == single, "\(byte) at \(place)")
                }
            }
        }
    }

    @Test("mutated responses never trap", arguments: 0..<4)
    func responses(run: Int) {
        let seed = UInt64.random(in: 0...UInt64.max)
        var generator = SplitMix64(seed: seed)
        for _ in 0..<500 {
            var parser = ResponseParser(responseTo: .get)
            for piece in Self.pieces(Self.mutated(&generator), &generator) {
                parser.receive(piece.span.bytes)
                while let event = try? parser.next() { _ = event }
            }
            _ = try? parser.receiveEnd()
            #expect(parser.bufferedCount < 4096, "seed \(seed)")
        }
    }
}
