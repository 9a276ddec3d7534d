import Contract
import Reactor
import Testing

@Suite("README")
struct READMEReferenceTests {
    private static let root = "/" + #filePath.split(separator: "/").dropLast(3).joined(separator: "/")

    private static func text(_ path: String) async throws -> String {
        try await ChildProcess.run(.init("/bin/cat", ["\(root)/\(path)"])).output()
    }

    @Test("the page of notifications has a row for every type")
    func notificationTypes() async throws {
        let page = try await Self.text("docs/integrate/notifications.md")
        for type in NotificationType.allCases {
            #expect(page.contains("\n| `\(type.rawValue)` |"), "\(type.rawValue) has no row")
        }
    }

    @Test("the page of the room protocol has every message, error code and close code")
    func roomProtocol() async throws {
        let page = try await Self.text("docs/integrate/room-protocol.md")
        // The schemas of messages are those whose type is a single constant without a point.
        let path = "\(Self.root)/Sources/API/Documents/openapi.json"
        let pattern = #""type": \{"enum": \["[A-Za-z]+"\], "type": "string"\}"#
        let lines = try await ChildProcess.run(.init("/bin/grep", ["-ohE", pattern, path])).output()
        var types = Set(lines.matches(of: /\["(\w+)"\]/).map { String($0.1) })
        // A webhook's test is no message of a room.
        types.remove("test")
        #expect(types.count > 12)
        for type in types { #expect(page.contains(#"{"type":"\#(type)""#), "\(type) is missing") }
        for code in SocketErrorCode.allCases {
            #expect(page.contains("`\(code.rawValue)`"), "\(code.rawValue) is missing")
        }
        for close in RoomClose.allCases {
            let rows = page.split(separator: "\n").filter { $0.hasPrefix("| ") }
            #expect(rows.contains { $0.prefix(30).contains("\(close.rawValue)") }, "\(close) has no row")
        }
    }

    @Test("the pages for developers name every call of the API")
    func calls() async throws {
        let names = [
            "authentication", "browsers", "notifications", "quickstart", "reliability", "room-protocol",
            "sessions",
        ]
        var pages = ""
        for name in names { pages += try await Self.text("docs/integrate/\(name).md") }
        let paths = try await Self.text("Sources/API/Documents/openapi.json")
            .matches(of: /\n    "(\/v1\/[^"]*)": \{/).map { $0.1 }
        #expect(paths.count > 30)
        for path in paths where path != "/v1/openapi.yaml" {
            let call = path.prefix { $0 != "{" }
            #expect(pages.contains(call.hasSuffix("/") ? call.dropLast() : call), "\(path) is missing")
        }
    }
}
