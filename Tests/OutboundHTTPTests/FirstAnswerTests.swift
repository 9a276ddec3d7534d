import OutboundHTTP
import TLSTesting
import TestKit
import Testing

@Suite struct FirstAnswerTests {
    private static let requests = 40

    @Test("a new connection gets one request until it is answered, also the one that follows a GOAWAY")
    func goAway() async throws {
        let authority = TestAuthority()
        let roots = TemporaryFile(authority.pem)
        // The first request opens the gate of the first connection. All others come over it together.
        let server = try await HTTP2Server(authority.issue(), goesAwayAfter: Self.requests - 1)
        var configuration = HTTPSessionConfiguration()
        configuration.version = .http2
        configuration.connectionsPerHost = 1
        configuration.authorities = roots.path
        let session = try #require(HTTPSession(configuration, on: TestLoops.nextPeer()))
        let url = "https://127.0.0.1:\(server.port)/"
        let statuses = await withTaskGroup(of: Int?.self) { group in
            for _ in 0..<Self.requests {
                group.addTask {
                    try? await session.perform(OutboundRequest(url: url, headers: [], body: [120])).status
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        await session.close()
        withExtendedLifetime(roots) {}
        #expect(statuses == Array(repeating: 200, count: Self.requests))
        let figures = server.figures
        #expect(figures.map(\.streamsBeforeAnswer) == [1, 1])
        #expect(figures.map(\.streams).sorted() == [Self.requests / 2, Self.requests])
    }
}
