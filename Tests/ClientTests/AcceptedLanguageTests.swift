import Client
import ClientTesting
import Contract
import HTTP1
import HTTPServer
import Reactor
import Testing

@Suite("The language that a client asks for")
struct AcceptedLanguageTests {
    @Test("is in every call: of a resource, an export, a stream and a room")
    func everywhere() async throws {
        let asked = Lock<[String]>([])
        let server = try await ScriptedServer { router, _ in
            for path in [Routes.me, Routes.export, Routes.events, Routes.socket] {
                router.immediate(.get, path) { request in
                    let language = request.head.headers.all("accept-language").joined(separator: ",")
                    asked.withLock { $0.append("\(path) \(language)") }
                    return .problem(.notFound, "No.")
                }
            }
        }
        let api = try APIClient(server: Server(server.url), token: "a")
        for (client, language) in [(api, ""), (api.speaking(.german), "de")] {
            asked.withLock { $0 = [] }
            await #expect(throws: ClientError.self) { try await client.me() }
            await #expect(throws: ClientError.self) { try await client.export { _ in } }
            await #expect(throws: ClientError.self) { for try await _ in client.events() {} }
            let connection = try client.connection(in: Sample.room)
            let states = connection.states
            await connection.start()
            for await _ in states {}
            #expect(
                asked.withLock { $0 }
                    == [Routes.me, Routes.export, Routes.events, Routes.socket].map { "\($0) \(language)" })
        }
    }
}
