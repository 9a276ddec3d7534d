import Settings
import Testing

@testable import Backend

@Suite("The access log")
struct AccessLogTests {
    @Test(
        "tells what the operator has asked for",
        arguments: [
            (AccessLogChoice.off, 100, 500, 0, false), (.off, 100, 200, 0, false),
            (.errors, 100, 399, 0, false), (.errors, 100, 400, 99, true), (.errors, 1, 503, 99, true),
            (.all, 100, 200, 99, true), (.all, 1, 200, 0, true), (.all, 1, 200, 1, false),
            (.all, 50, 101, 49, true), (.all, 50, 101, 50, false), (.all, 1, 404, 99, true),
        ])
    func lines(choice: AccessLogChoice, percent: Int, status: Int, lot: Int, isWritten: Bool) {
        #expect(AccessLog(choice: choice, percent: percent).isWritten(status: status, lot: lot) == isWritten)
    }
}
