import Testing

@testable import Logging

@Suite("Repeats in the log")
struct LogRepeatsTests {
    private static let second: UInt64 = 1_000_000_000

    @Test("the first of a second are written, the rest is counted and told once it is over")
    func counted() {
        var repeats = LogRepeats()
        var written = 0
        for index in 0..<44_072 {
            let (told, isWritten) = repeats.note(.warning, "again", now: 7 + UInt64(index))
            #expect(told == nil)
            if isWritten { written += 1 }
        }
        #expect(written == LogRepeats.written)
        #expect(repeats.total == 44_072 - written)
        #expect(repeats.nextDue == 7 + Self.second)
        #expect(repeats.takeDue(now: 6 + Self.second).isEmpty)
        #expect(
            repeats.takeDue(now: 7 + Self.second)
                == [.init(level: .warning, message: "again", count: 44_072 - written)])
        #expect(repeats.nextDue == nil)
        #expect(repeats.note(.warning, "again", now: 7 + Self.second) == (nil, true))
    }

    @Test("what goes on is told where its next second begins")
    func goesOn() {
        var repeats = LogRepeats()
        for _ in 0..<(LogRepeats.written + 5) { _ = repeats.note(.info, "again", now: 0) }
        let (told, isWritten) = repeats.note(.info, "again", now: Self.second)
        #expect(told == .init(level: .info, message: "again", count: 5))
        #expect(isWritten)
    }

    @Test("each level and message has its own count")
    func apart() {
        var repeats = LogRepeats()
        for _ in 0..<LogRepeats.written { _ = repeats.note(.info, "one", now: 0) }
        #expect(!repeats.note(.info, "one", now: 1).isWritten)
        #expect(repeats.note(.info, "other", now: 1).isWritten)
        #expect(repeats.note(.error, "one", now: 1).isWritten)
    }

    @Test("however many messages there are, the table is bounded and so are the lines")
    func bounded() {
        var repeats = LogRepeats()
        var written = 0
        for index in 0..<10_000 where repeats.note(.info, "message \(index)", now: 0).isWritten {
            written += 1
        }
        #expect(written == LogRepeats.messages + LogRepeats.written)
        let told = repeats.takeDue(now: nil)
        #expect(told == [.init(level: .info, message: "", count: 10_000 - written)])
        #expect(repeats.note(.info, "new", now: Self.second).isWritten)
    }
}
