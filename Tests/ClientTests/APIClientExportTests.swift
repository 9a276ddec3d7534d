import Client
import ClientTesting
import Contract
import HTTP1
import HTTPServer
import Reactor
import TestKit
import Testing

@Suite("The call for an export")
struct APIClientExportTests {
    private struct Broken: Error {}

    /// Starts a server whose document has these pieces; with `isCut` it ends without its end.
    private static func server(_ pieces: [String], isCut: Bool = false) async throws -> ScriptedServer {
        try await ScriptedServer(.get, Routes.export) { _ in
            HTTPResponse(
                status: 200, headers: ["Content-Type": "application/json"],
                document: { stream in
                    for piece in pieces { try await stream.write(Array(piece.utf8)) }
                    if isCut { throw Broken() }
                })
        }
    }

    @Test("hands the document over piece by piece")
    func document() async throws {
        let large = String(repeating: "x", count: 3_000_000)
        let server = try await Self.server(["{\"a\":\"", large, "\"}\n"])
        let api = try APIClient(server: Server(server.url), token: "t")
        var (bytes, pieces): ([UInt8], Int) = ([], 0)
        try await api.export { piece in
            bytes += piece
            pieces += 1
        }
        #expect(String(decoding: bytes, as: UTF8.self) == "{\"a\":\"\(large)\"}\n")
        #expect(pieces > 1)
    }

    @Test("throws where the document is cut, also at a place where it could end")
    func cut() async throws {
        let server = try await Self.server(["{\"a\":1}\n"], isCut: true)
        let api = try APIClient(server: Server(server.url), token: "t").retrying(.patient)
        var bytes: [UInt8] = []
        let error = await #expect(throws: ClientError.self) { try await api.export { bytes += $0 } }
        #expect(error?.kind == "network")
        // The bytes before the cut came once, if they came at all.
        #expect(bytes.isEmpty || bytes == Array("{\"a\":1}\n".utf8))
    }

    @Test("throws what the caller throws, and the problem of the service; its beginning is tried again")
    func errors() async throws {
        let asked = Lock(0)
        let server = try await ScriptedServer(.get, Routes.export) { _ in
            let count = asked.countUp()
            if count == 1 { return .problem(.tooManyExports, "One is under way.") }
            if count == 3 { return .problem(.unauthenticated, "Sign in.") }
            return HTTPResponse(status: 200, body: Array("{}\n".utf8))
        }
        let api = try APIClient(server: Server(server.url), token: "t")
            .retrying(RetryPolicy(attempts: 2, pause: .milliseconds(1), total: .seconds(60)))
        await #expect(throws: Broken.self) { try await api.export { _ in throw Broken() } }
        #expect(asked.withLock { $0 } == 2)
        let error = await #expect(throws: ClientError.self) { try await api.export { _ in } }
        #expect(error?.kind == "problem:unauthenticated")
    }
}
