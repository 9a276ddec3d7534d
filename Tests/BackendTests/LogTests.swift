import Glibc
import Testing

@testable import Logging

@Suite("Log")
struct LogTests {
    private let time = timespec(tv_sec: 1_767_323_045, tv_nsec: 7_000_000)

    private func line(_ format: Log.Format, _ message: String, _ fields: Log.Fields) -> String {
        Log.line(.info, message, fields, at: time, format: format)
    }

    @Test("text is time, level, message and fields")
    func text() {
        #expect(
            line(.text, "it began", ["port": 80, "host": "::1"])
                == "2026-01-02T03:04:05Z info  it began port=80 host=::1")
        #expect(
            line(.text, "x", ["a": "two words", "b": "say \"hi\"", "c": ""])
                == "2026-01-02T03:04:05Z info  x a=\"two words\" b=\"say \\\"hi\\\"\" c=\"\"")
    }

    @Test("JSON is one object a line, numbers as numbers")
    func json() {
        #expect(
            line(.json, "it \"began\"", ["port": 80, "open": true, "name": "é\\", "time": "x"])
                == #"{"time":"2026-01-02T03:04:05.007Z","level":"info","message":"it \"began\"","#
                + #""port":80,"open":true,"name":"é\\","time_":"x"}"#)
    }

    @Test("nothing that is logged can break the line or steer the terminal", arguments: Log.Format.allCases)
    func control(format: Log.Format) {
        let nasty = "a\nb\r\u{1B}[31m\u{7F}\u{85}\u{2028}\u{202E}\0"
        let line = line(format, nasty, [nasty: nasty])
        #expect(!line.unicodeScalars.contains { $0.value < 0x20 || (0x7F..<0xA0).contains($0.value) })
        #expect(!line.unicodeScalars.contains { [0x2028, 0x202E].contains($0.value) })
        #expect(line.contains("\\u001b[31m"))
    }
}
