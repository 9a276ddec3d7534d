import Client
import ClientTesting
import Contract
import HTTP1
import HTTPServer
import Reactor
import Testing

@testable import letsswitch

@Suite("The list of slots")
struct SlotsCommandTests {
    private func serve(_ slots: @escaping @Sendable () -> [SlotView]) async throws -> ScriptedServer {
        try await ScriptedServer(.get, Routes.slots) { _ in
            .json(SlotList(date: LocalDate(utc: Sample.start), timeZone: "UTC", slots: slots()))
        }
    }

    private static func slot(_ time: String, _ state: SlotState, in seconds: Int) -> SlotView {
        let start = WallClock.now.adding(.seconds(seconds))
        return SlotView(
            startsAt: start, endsAt: start.adding(.seconds(1800)), localTime: time, state: state, others: 0)
    }

    @Test("begins with the first slot that is not over; --all and --json have the others too")
    func over() async throws {
        let server = try await serve {
            [
                Self.slot("08:00", .closed, in: -7200), Self.slot("08:30", .missed, in: -5400),
                Self.slot("09:00", .waiting, in: -600), Self.slot("09:30", .empty, in: 1200),
            ]
        }
        let process = try CommandProcess.signedIn()
        func times(_ words: [String]) async throws -> [Substring] {
            let outcome = try await process.run(["slots"] + words, server: server.url)
            return outcome.output.split(separator: "\n").map { $0.prefix(5) }.filter { $0.contains(":") }
        }
        #expect(try await times([]) == ["09:00", "09:30"])
        #expect(try await times(["--all"]) == ["08:00", "08:30", "09:00", "09:30"])
        let plain = try await process.run(["slots"], server: server.url)
        #expect(plain.output.contains("Those that are over: letsswitch slots --all"), "\(plain)")
        let json = try await process.run(["slots", "--json"], server: server.url)
        #expect(try JSONValue.parse(Array(json.output.utf8))["slots"]?.array?.count == 4)
    }

    @Test("says so where every slot of the day is over")
    func allOver() async throws {
        let server = try await serve { [Self.slot("08:00", .closed, in: -7200)] }
        let outcome = try await CommandProcess.signedIn().run(["slots", "today"], server: server.url)
        let text = "All slots of the day are over. Show them: letsswitch slots today --all"
        #expect(outcome.status == 0 && outcome.output.contains(text), "\(outcome)")
    }

    @Test("with --diagnostics, warnings and failures are lines of JSON too")
    func diagnostics() async throws {
        let process = CommandProcess()
        // Nothing listens there: each ping is warned of, and the command fails.
        let outcome = try await process.run(
            ["ping", "--count", "2", "--interval", "0.01", "--diagnostics"], server: "http://127.0.0.1:1")
        #expect(outcome.status == 7, "\(outcome)")
        let lines = try outcome.errors.split(separator: "\n").map { try JSONValue.parse(Array($0.utf8)) }
        #expect(lines.filter { $0["event"]?.string == "warning" }.count == 2, "\(outcome)")
        #expect(lines.last?["title"]?.string == "No answer", "\(outcome)")
        let usage = try await process.run(["join", "--diagnostics", "--no"], server: "http://127.0.0.1:1")
        #expect(try JSONValue.parse(Array(usage.errors.utf8))["detail"] != nil, "\(usage)")
    }
}
