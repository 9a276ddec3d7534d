import Reactor
import TLS

extension Transport {
    /// Connects to the first address of the server that works, within that time for each, TLS included. A
    /// server that requires TLS is never used without it.
    static func connect(
        to server: Server, trust: Trust, on loop: EventLoop, timeout: Duration
    ) async throws(ClientError) -> Transport {
        let context = server.isSecure ? try await trust.context() : nil
        var last = ClientError.network("\(server.host) has no address.")
        for address in try await addresses(of: server, on: loop, timeout: timeout) {
            let transport = Transport(loop)
            do throws(ClientError) {
                try await transport.open(address, of: server, context, timeout)
                return transport
            } catch {
                last = error
            }
            if Task.isCancelled { throw .cancelled }
            // The other addresses of the same name would fail alike.
            if case .untrusted = last { throw last }
        }
        throw last
    }

    /// Returns if the port accepts connections, whatever its protocol; else throws.
    static func knock(at server: Server, on loop: EventLoop, timeout: Duration) async throws(ClientError) {
        var last = ClientError.network("\(server.host) has no address.")
        for address in try await addresses(of: server, on: loop, timeout: timeout) {
            let transport = Transport(loop)
            do throws(ClientError) {
                try await transport.open(address, of: server, nil, timeout)
                return await transport.close()
            } catch {
                last = error
            }
            if Task.isCancelled { throw .cancelled }
        }
        throw last
    }

    private static func addresses(
        of server: Server, on loop: EventLoop, timeout: Duration
    ) async throws(ClientError) -> [SocketAddress] {
        if let detour = server.detour {
            return [SocketAddress(numeric: "127.0.0.1", port: detour)].compactMap(\.self)
        }
        do throws(Resolver.Failure) {
            return try await Resolver.resolve(server.host, port: server.port, on: loop, timeout: timeout)
        } catch {
            throw .network("\(server.host) cannot be found: \(error).")
        }
    }
}
