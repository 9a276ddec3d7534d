import Codecs
import Testing

@testable import Reactor

@Suite("The buffer of output")
struct OutputBufferTests {
    private static func content(_ buffer: OutputBuffer) -> [UInt8] {
        guard let start = buffer.start else { return [] }
        // Sound: the buffer has `count` bytes from there on, and does not change meanwhile.
        return Array(UnsafeRawBufferPointer(start: start, count: buffer.count))
    }

    @Test("holds what was appended and not consumed, across every size of block", arguments: 0..<8)
    func model(run: Int) {
        let seed = UInt64.random(in: 0...UInt64.max)
        var random = SplitMix64(seed: seed)
        let pool = OutputBlockPool()
        var buffer = OutputBuffer()
        var model: [UInt8] = []
        let sizes = [0, 1, 100, 575, 576, 577, 2047, 2048, 2049, 9000]
        for _ in 0..<150 {
            if Bool.random(using: &random) {
                let count = sizes.randomElement(using: &random) ?? 1
                let bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
                buffer.append(bytes.span.bytes, pool: pool)
                model += bytes
            } else {
                let count = Int.random(in: 0...model.count, using: &random)
                buffer.consume(count)
                model.removeFirst(count)
                if model.isEmpty { buffer.release(to: pool) }
            }
            #expect(buffer.count == model.count, "seed \(seed)")
            #expect(Self.content(buffer) == model, "seed \(seed)")
        }
        buffer.free()
        #expect(buffer.count == 0)
    }
}
