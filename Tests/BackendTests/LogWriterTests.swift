import CLinux
import Glibc
import Reactor
import Testing

@testable import Logging

@Suite("The writer of the log")
struct LogWriterTests {
    /// A pipe that a test reads when it wants.
    private struct Pipe: ~Copyable {
        let reader: OwnedDescriptor
        let writer: OwnedDescriptor

        init() throws {
            var ends: [CInt] = [-1, -1]
            try system("pipe2") { pipe2(&ends, O_CLOEXEC) }
            reader = OwnedDescriptor(adopting: ends[0])
            writer = OwnedDescriptor(adopting: ends[1])
        }

        /// Reads until the text has arrived.
        func read(until text: String) -> String {
            var all: [UInt8] = []
            let sought = Array(text.utf8)
            while !all.suffix(4096 + sought.count).contains(sought) {
                var buffer = [UInt8](repeating: 0, count: 4096)
                let count = Glibc.read(reader.raw, &buffer, buffer.count)
                if count <= 0 { break }
                all += buffer[..<count]
            }
            return String(decoding: all, as: UTF8.self)
        }
    }

    private static func writer(_ descriptor: CInt, _ limits: LogWriter.Limits = .init()) -> LogWriter {
        LogWriter(descriptor, limits: limits) { notice in
            switch notice {
            case .repeated(let told): "\(told.message) repeats=\(told.count)"
            case .lost(let count): "lost=\(count)"
            }
        }
    }

    @Test("a reader that does not read blocks no writer, and is told how many lines were lost")
    func stalled() throws {
        let pipe = try Pipe()
        let writer = Self.writer(pipe.writer.raw, .init(lines: 100, bytes: 1_000_000))
        // Far more than the pipe and the queue hold: a writer that waited for the reader would wait for ever.
        let long = String(repeating: "x", count: 1000)
        for index in 0..<5000 { writer.write("\(index) \(long)") }
        let lost = writer.lostCount
        #expect(lost > 0)
        writer.flush(within: .milliseconds(1))
        let text = pipe.read(until: "lost=\(lost)\n")
        let lines = text.split(separator: "\n")
        #expect(lines.count == 5000 - lost + 1, "what was not lost is there")
        #expect(lines.first?.hasPrefix("0 ") == true)
        writer.write("after it")
        writer.flush(within: .seconds(60))
        #expect(pipe.read(until: "after it\n") == "after it\n")
    }

    @Test("a flood of lines in bulk leaves room for the others")
    func bulk() throws {
        let pipe = try Pipe()
        let writer = Self.writer(pipe.writer.raw, .init(lines: 200, bytes: 1_000_000))
        let long = String(repeating: "x", count: 1000)
        // The pipe is full, and so is the half of the queue for lines in bulk.
        for _ in 0..<5000 { writer.write(long, isBulk: true) }
        let lost = writer.lostCount
        #expect(lost > 0)
        for index in 0..<100 { writer.write("other \(index)") }
        #expect(writer.lostCount == lost)
        writer.flush(within: .milliseconds(1))
        let text = pipe.read(until: "lost=\(lost)\n")
        #expect(text.contains("other 0\n") && text.contains("other 99\n"))
    }

    @Test("a flood of one message is a few lines and a count, told without another line")
    func flood() throws {
        let pipe = try Pipe()
        let writer = Self.writer(pipe.writer.raw)
        for index in 0..<1000 { writer.write(.warning, "again") { "line \(index)" } }
        let text = pipe.read(until: "repeats=")
        #expect(text.split(separator: "\n").count <= 2 * LogRepeats.written + 1, "\(text)")
        #expect(text.contains("again repeats="))
        #expect(writer.repeatedCount >= 1000 - 2 * LogRepeats.written)
        #expect(writer.lostCount == 0)
    }

    @Test("a flush writes everything, counts that are not due included")
    func flushes() throws {
        let pipe = try Pipe()
        let writer = Self.writer(pipe.writer.raw)
        for index in 0..<(LogRepeats.written + 1) { writer.write(.info, "again") { "line \(index)" } }
        writer.flush(within: .seconds(60))
        let text = pipe.read(until: "repeats=1\n")
        #expect(text.hasPrefix("line 0\nline 1\n"))
        #expect(text.hasSuffix("line \(LogRepeats.written - 1)\nagain repeats=1\n"))
    }

    @Test("where a line cannot be written it is lost, and a flush ends")
    func full() throws {
        let full = OwnedDescriptor(
            adopting: try system("open") { Glibc.open("/dev/full", O_WRONLY | O_CLOEXEC) })
        let writer = Self.writer(full.raw)
        writer.write("nobody")
        writer.flush(within: .seconds(60))
        #expect(writer.lostCount == 1)
    }
}

extension Collection where Element == UInt8 {
    fileprivate func contains(_ sought: [UInt8]) -> Bool {
        let all = Array(self)
        guard all.count >= sought.count else { return false }
        return (0...(all.count - sought.count)).contains {
            all[$0..<($0 + sought.count)].elementsEqual(sought)
        }
    }
}
