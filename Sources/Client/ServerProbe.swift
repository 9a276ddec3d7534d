package import Contract
import HTTP1
import Reactor

/// A diagnosis of a server, one layer after the other.
package struct ServerProbe: Sendable {
    private static let patience = Duration.seconds(5)

    private let http: HTTPClient

    package init(_ api: APIClient) { http = api.http }

    /// Returns the addresses of the server's name.
    package func addresses() async throws(ClientError) -> [String] {
        do throws(Resolver.Failure) {
            let found = try await Resolver.resolve(http.server.host, port: http.server.port, on: http.loop)
            return found.map(\.host)
        } catch {
            throw .network("\(http.server.host) cannot be found: \(error). Is the name right?")
        }
    }

    /// Returns if the port accepts connections; else throws.
    package func connect() async throws(ClientError) {
        try await Transport.knock(at: http.server, on: http.loop, timeout: Self.patience)
    }

    /// Returns the TLS properties of the server; nil if it does not use TLS.
    package func security() async throws(ClientError) -> ServerSecurity? {
        guard http.server.isSecure else { return nil }
        let transport = try await Transport.connect(
            to: http.server, trust: http.trust, on: http.loop, timeout: Self.patience)
        let peer = await transport.peer
        await transport.close()
        return peer.flatMap { ServerSecurity($0) }
    }

    /// Returns the name of the server that has answered that it is ready, or nil if it has not said its name;
    /// throws if none is ready.
    package func health() async throws(ClientError) -> String? {
        let answer = try await http.send(.get, Routes.ready)
        guard answer.isSuccess else { throw answer.refusal }
        return answer.head.headers.first(Routes.serverHeader)
    }

    /// Returns the version of the interface in `/openapi.json`.
    package func version() async throws(ClientError) -> String {
        let answer = try await http.send(.get, Routes.openAPI)
        guard answer.isSuccess else { throw answer.refusal }
        return try answer.decode(Description.self).info.version
    }

    /// Returns whether a request for an upgrade reaches the server unchanged. It enters no room.
    package func upgradesArrive() async throws(ClientError) -> Bool {
        let headers: HTTPHeaders = [
            "Connection": "Upgrade", "Upgrade": "websocket", "Sec-WebSocket-Version": "13",
            "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
        ]
        // Without a token the upgrade is refused; a request that is not seen as an upgrade gets another
        // status.
        let answer = try await http.send(.get, Routes.socket, headers: headers)
        switch answer.refusal {
        case .problem(let problem): return problem.name == .unauthenticated
        case let other: throw other
        }
    }

    /// Returns the time that an answer takes, without the time for connecting.
    package func roundTrip() async throws(ClientError) -> Duration {
        let transport = try await Transport.connect(
            to: http.server, trust: http.trust, on: http.loop, timeout: http.timeout)
        await transport.setDeadline(http.timeout)
        let clock = ContinuousClock()
        let start = clock.now
        let answer = try await http.send(.get, Routes.live, over: transport)
        let time = start.duration(to: clock.now)
        await transport.close()
        guard answer.isSuccess else { throw answer.refusal }
        return time
    }

    private struct Description: Decodable {
        struct Info: Decodable { let version: String }
        let info: Info
    }

    /// Returns the time in the server's answers; nil if there is none that can be read.
    package func clock() async throws(ClientError) -> Timestamp? {
        let answer = try await http.send(.get, Routes.live)
        let now = Timestamp(microseconds: WallClock.microseconds())
        return answer.head.headers.first("date").flatMap { HTTPDateReader.read($0, at: now) }
    }
}
