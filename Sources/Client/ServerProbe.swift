package import Contract
import Glibc
import HTTP1
import Reactor

/// A diagnosis of a server, one layer after the other.
package struct ServerProbe: Sendable {
    private static let patience = Duration.seconds(5)

    private let http: HTTPClient

    package init(_ api: APIClient) { http = api.http }

    /// Returns the addresses of the server's name, or of its proxy's, which looks up that of the server.
    package func addresses() async throws(ClientError) -> [String] {
        try http.server.checkProxy()
        do throws(Resolver.Failure) {
            let found = try await Resolver.resolve(host, port: http.server.port, on: http.loop)
            return found.map(\.host)
        } catch {
            throw .network("\(host) cannot be found: \(error). Is the name right?")
        }
    }

    private var host: String { http.server.proxy?.host ?? http.server.host }

    /// A family of the server's addresses that cannot be reached, while the other one can.
    package struct FamilyFailure: Sendable {
        package let family: String
        package let other: String
        package let detail: Text
    }

    /// Knocks at the port by both families of the server's addresses. Returns the family that fails, if the
    /// other one works and the machine has a way to both; throws if none works.
    package func connect() async throws(ClientError) -> FamilyFailure? {
        let all = try await Transport.addresses(of: http.server, on: http.loop, timeout: Self.patience)
        let new = all.filter(\.isIPv6)
        let old = all.filter { !$0.isIPv6 }
        async let newFailure = knock(at: new)
        async let oldFailure = knock(at: old)
        switch (await newFailure, await oldFailure) {
        case (let failure?, let other?):
            throw Self.error(all.first?.isIPv6 ?? false ? failure : other)
        case (let failure?, nil) where old.isEmpty: throw Self.error(failure)
        case (nil, let failure?) where new.isEmpty: throw Self.error(failure)
        case (let failure?, nil): return Self.report(failure, of: "IPv6", while: "IPv4")
        case (nil, let failure?): return Self.report(failure, of: "IPv4", while: "IPv6")
        case (nil, nil) where all.isEmpty: throw .network("\(host) has no address.")
        case (nil, nil): return nil
        }
    }

    private func knock(at addresses: [SocketAddress]) async -> ConnectionRace.Failure? {
        if addresses.isEmpty { return nil }
        return await Transport.knock(at: addresses, on: http.loop, timeout: Self.patience)
    }

    private static func error(_ failure: ConnectionRace.Failure) -> ClientError {
        .network("\(failure.address) cannot be reached: \(failure.error).")
    }

    private static func report(
        _ failure: ConnectionRace.Failure, of family: String, while other: String
    ) -> FamilyFailure? {
        // A refusal is no wait for a client: a server may listen at one family alone, as at `localhost`.
        if failure.error.isWithoutRoute || failure.error.code == ECONNREFUSED { return nil }
        return FamilyFailure(family: family, other: other, detail: error(failure).text)
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
