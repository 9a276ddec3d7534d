package import Contract
import HTTP1
import Reactor

/// Questions about a server, one layer after the other, for whoever looks for a fault.
package struct ServerProbe: Sendable {
    private static let patience = Duration.seconds(5)

    private let http: HTTPClient

    package init(_ api: APIClient) { http = api.http }

    /// The addresses of its name.
    package func addresses() async throws(ClientError) -> [String] {
        do throws(Resolver.Failure) {
            let found = try await Resolver.resolve(http.server.host, port: http.server.port, on: http.loop)
            return found.map(\.host)
        } catch {
            throw .network("\(http.server.host) cannot be found: \(error). Is the name right?")
        }
    }

    /// Returns where the port takes connections.
    package func connect() async throws(ClientError) {
        try await Transport.knock(at: http.server, on: http.loop, timeout: Self.patience)
    }

    /// What TLS says about the server; nil: it is not used.
    package func security() async throws(ClientError) -> ServerSecurity? {
        guard http.server.isSecure else { return nil }
        let transport = try await Transport.connect(
            to: http.server, trust: http.trust, on: http.loop, timeout: Self.patience)
        let peer = await transport.peer
        await transport.close()
        return peer.flatMap { ServerSecurity($0) }
    }

    /// Returns where the server says that it is ready.
    package func health() async throws(ClientError) {
        let answer = try await http.send(.get, Routes.ready)
        guard answer.isSuccess else { throw answer.refusal }
    }

    /// The time that its answers carry; nil: none that can be read.
    package func clock() async throws(ClientError) -> Timestamp? {
        let answer = try await http.send(.get, Routes.live)
        return answer.head.headers.first("date").flatMap { HTTPDateReader.read($0) }
    }
}
