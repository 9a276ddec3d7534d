import Contract
import Reactor
import TLS

extension Transport {
    /// Connects to the first address of the server that answers, within that time for each, TLS included. A
    /// server that requires TLS is never used without it.
    static func connect(
        to server: Server, trust: Trust, on loop: EventLoop, timeout: Duration
    ) async throws(ClientError) -> Transport {
        let context = server.isSecure ? try await trust.context() : nil
        var last = ClientError.network("\(server.host) has no address.")
        var left = try await addresses(of: server, on: loop, timeout: timeout)
        while !left.isEmpty {
            let transport = Transport(loop)
            do throws(ClientError) {
                try await transport.open(left, of: server, context, timeout)
                return transport
            } catch {
                last = error
            }
            if Task.isCancelled { throw .cancelled }
            // The other addresses of the same name would fail alike.
            if case .untrusted = last { throw last }
            // None has answered, or the handshake with this one has failed.
            guard let failed = await transport.address else { throw last }
            left.removeAll { $0.description == failed.description }
        }
        throw last
    }

    /// Connects to one of the addresses, whatever the protocol there, and closes. Returns the failure, if
    /// none answers.
    static func knock(
        at addresses: [SocketAddress], on loop: EventLoop, timeout: Duration
    ) async -> ConnectionRace.Failure? {
        await withCheckedContinuation { continuation in
            loop.execute {
                ConnectionRace(addresses, on: loop, timeout: timeout) { outcome in
                    switch outcome {
                    case .success(let (_, stream)):
                        stream.close()
                        continuation.resume(returning: nil)
                    case .failure(let failure): continuation.resume(returning: failure)
                    }
                }
            }
        }
    }

    /// Returns the addresses to connect to: those of the server, or of its proxy.
    static func addresses(
        of server: Server, on loop: EventLoop, timeout: Duration
    ) async throws(ClientError) -> [SocketAddress] {
        if let detour = server.detour {
            return [SocketAddress(numeric: "127.0.0.1", port: detour)].compactMap(\.self)
        }
        try server.checkProxy()
        do throws(Resolver.Failure) {
            return try await Resolver.resolve(
                server.proxy?.host ?? server.host, port: server.proxy?.port ?? server.port, on: loop,
                timeout: timeout)
        } catch {
            throw .network("\(server.proxy?.host ?? server.host) cannot be found: \(error).")
        }
    }
}
