import Testing

@testable import Client
@testable import FlakyNetwork

@Suite("A queue's journal")
struct JournalTests {
    private static let changes: [[OutgoingChange]] = [
        [.add(.numbered(1))],
        [.add(.numbered(2, bytes: 300))],
        [.add(OutgoingMessage(id: "é", type: "", text: [0, 0, 0])), .remove(id: "1")],
        [.remove(id: "2")],
        [.add(.numbered(0, bytes: 9))],
    ]

    /// The bytes of a journal, the end of each record, and the messages up to it.
    private static let sample: (bytes: [UInt8], ends: [(end: Int, messages: [OutgoingMessage])]) = {
        var bytes = JournalScan.signature
        var messages: [OutgoingMessage] = []
        var ends = [(end: bytes.count, messages: messages)]
        for record in changes {
            bytes += JournalRecord.encode(record)
            for change in record { change.apply(to: &messages) }
            ends.append((bytes.count, messages))
        }
        return (bytes, ends)
    }()

    @Test("cut at any byte has every complete record before it", arguments: [0, 1, 7, 4096])
    func cuts(zeros: Int) {
        // A file that was given space but no bytes ends in zeros.
        for cut in 0...Self.sample.bytes.count {
            let bytes = Self.sample.bytes[..<cut] + [UInt8](repeating: 0, count: zeros)
            let expected = Self.sample.ends.last { $0.end <= cut } ?? (0, [])
            #expect(
                JournalScan(Array(bytes)) == .messages(expected.messages, length: expected.end),
                "cut at \(cut)")
        }
    }

    @Test("with any bit turned is damaged, and says where")
    func bits() {
        for position in Self.sample.bytes.indices {
            for bit in 0..<8 {
                var bytes = Self.sample.bytes
                bytes[position] ^= 1 << bit
                let start = Self.sample.ends.last { $0.end <= position }?.end
                #expect(
                    JournalScan(bytes) == start.map { .damaged(at: $0) } ?? .foreign, "\(position).\(bit)")
            }
        }
    }

    @Test("of anything at all is read without harm")
    func garbage() {
        let seed = UInt64.random(in: 0 ... .max)
        var dice = FaultDice(seed: seed)
        for _ in 0..<500 {
            let rubbish = (0..<Int.random(in: 0...80, using: &dice)).map { _ in
                UInt8.random(in: .min ... .max, using: &dice)
            }
            let isSigned = dice.happens(0.5)
            let scan = JournalScan((isSigned ? JournalScan.signature : []) + rubbish)
            if isSigned { #expect(scan != .foreign, "seed \(seed)") }
        }
    }

    @Test("has the standard checksum")
    func checksum() { #expect(CRC32.checksum("123456789".utf8) == 0xCBF4_3926) }
}
