import Contract
import HTTP1
import HTTPServer
import Reactor

/// The reason why the server does not start, in one line for the operator.
struct StartFailure: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }

    /// Returns the address to listen at.
    static func address(host: String, port: UInt16, on loop: EventLoop) async throws -> SocketAddress {
        do {
            if let address = try await Resolver.resolve(host, port: port, on: loop).first { return address }
            throw StartFailure("HOST=\(host) has no address.")
        } catch let failure as Resolver.Failure {
            throw StartFailure("HOST=\(host) cannot be found: \(failure).")
        }
    }

    /// Returns the answer of a server on this machine to a GET request. Throws if there is none within three
    /// seconds.
    static func get(
        _ path: String, at address: SocketAddress, on loop: EventLoop
    ) async throws(PeerLinkError) -> PeerResponse {
        try await PeerLink.send(
            PeerRequest(method: .get, target: path, host: address.path == nil ? "\(address)" : "localhost"),
            to: address, on: loop,
            timeout: .seconds(3))
    }

    static func portTaken(_ address: SocketAddress, on loop: EventLoop) async -> StartFailure {
        let advice = "Stop it, or choose another with \(address.path == nil ? "--port" : "--host")."
        let answer = try? await get("/", at: address, on: loop)
        let isOurs = answer.map { String(decoding: $0.body, as: UTF8.self).contains("Let's Switch") } ?? false
        return StartFailure(
            isOurs
                ? "Another Let's Switch server listens at \(address) already. \(advice)"
                : "Another program listens at \(address) already. \(advice)")
    }
}
