import HTTP1
import Testing

@testable import HTTPServer

@Suite("A handler that is made of another one")
struct PreferringTests {
    private static let kinds = ["immediate", "task", "within", "both", "later"]

    private static func handler(_ kind: String) -> Router.Handler {
        let answer = HTTPResponse(status: 200, body: Array(kind.utf8))
        return switch kind {
        case "immediate": .immediate { _ in answer }
        case "task": .task { _ in answer }
        case "within": .taskWithin(.seconds(100)) { _ in answer }
        case "both": .immediateElseTask({ _ in answer }, { _ in HTTPResponse(status: 500) })
        default: .immediateElseTask({ _ in nil }, { _ in answer })
        }
    }

    @Test("answers first where it can, and else as the other one does, with a change", arguments: kinds)
    func preferring(kind: String) async throws {
        let fixture = try await Fixture { router, _ in
            router.immediate(.post, "/a") { _ in HTTPResponse(status: 200) }
            router.on(.get, "/a", Self.handler(kind))
            router.change(.get, "/a") { handler in
                handler.preferring { request in
                    request.head.headers.contains("first") ? HTTPResponse(status: 203) : nil
                } otherwise: { response in
                    response.headers.append("Vary", "First")
                }
            }
            router.change(.get, "/b") { _ in .immediate { _ in HTTPResponse(status: 500) } }
        }
        func send(_ line: String, _ fields: String...) async throws -> Response {
            let lines = ["\(line) HTTP/1.1", "Host: h", "Connection: close"] + fields
            let answers = try await fixture.exchange(lines.joined(separator: "\r\n") + "\r\n\r\n")
            return try #require(answers.first)
        }
        let first = try await send("GET /a", "First: yes")
        #expect(first.status == 203 && first.head.headers.first("vary") == nil)
        let other = try await send("GET /a")
        #expect(other.status == 200 && other.head.headers.all("vary") == ["First"])
        #expect(other.text == kind)
        #expect(try await send("POST /a", "Content-Length: 0", "First: yes").status == 200)
        #expect(try await send("GET /b").status == 404)
    }
}
