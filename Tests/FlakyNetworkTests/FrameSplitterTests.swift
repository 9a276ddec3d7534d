import Testing
import WebSocket

@testable import Client
@testable import FlakyNetwork

@Suite("Frames on a flaky link")
struct FrameSplitterTests {
    private static let frames: [FrameSplitter.Piece] = {
        var pieces: [FrameSplitter.Piece] = []
        for length in [0, 1, 125, 126, 65_535, 65_536] {
            let payload = [UInt8](repeating: 0x61, count: length)
            var (plain, masked): ([UInt8], [UInt8]) = ([], [])
            FrameEncoder.frame(.text, payload, into: &plain)
            FrameEncoder.maskedFrame(.binary, payload, key: 0x0102_0304, into: &masked)
            pieces.append(.message(plain, payload: plain.count - length))
            pieces.append(.message(masked, payload: masked.count - length))
        }
        var (ping, first, last): ([UInt8], [UInt8], [UInt8]) = ([], [], [])
        FrameEncoder.frame(.ping, [1, 2], into: &ping)
        FrameEncoder.frame(.text, [3], isFinal: false, into: &first)
        FrameEncoder.frame(.continuation, [4], into: &last)
        return pieces + [.fragment(first), .control(ping), .fragment(last)]
    }()

    private static func bytes(_ piece: FrameSplitter.Piece) -> [UInt8] {
        switch piece {
        case .message(let bytes, _), .fragment(let bytes), .control(let bytes), .raw(let bytes): bytes
        }
    }

    @Test("are found whole however they are cut", arguments: [1, 2, 3, 7, 1000, 1_000_000])
    func cuts(length: Int) {
        var splitter = FrameSplitter()
        var found: [FrameSplitter.Piece] = []
        var rest = Self.frames.flatMap { Self.bytes($0) }[...]
        // One byte at a time is slow with long frames, and tests no more.
        if length < 1000 { rest = Self.frames.prefix(8).flatMap { Self.bytes($0) }[...] }
        while !rest.isEmpty {
            splitter.receive(Array(rest.prefix(length)))
            rest = rest.dropFirst(length)
            while let piece = splitter.next() { found.append(piece) }
        }
        #expect(found == Array(length < 1000 ? Self.frames.prefix(8) : Self.frames[...]))
        #expect(splitter.takeRest() == nil)
    }

    @Test("beyond what is held pass as they are")
    func tooLong() {
        var splitter = FrameSplitter()
        let head: [UInt8] = [0x82, 127, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 1]
        splitter.receive(head)
        #expect(splitter.next() == .raw(head))
        #expect(splitter.next() == nil)
        splitter.receive([2])
        #expect(splitter.next() == .raw([2]))
    }
}
