import Contract
import HTTPServer
import Reactor
import SocketTesting
import TestKit

@testable import Cluster

/// A server with the internal calls on a loopback address.
final class PeerServer: Sendable {
    let talk: PeerTalk
    let address: String
    let calls: InternalAPI
    private let group: EventLoopGroup
    private let server: HTTPServer

    init(
        _ incarnation: Identifier, key: PeerKey = PeerServer.key,
        now: @escaping @Sendable () -> Timestamp = { PeerServer.now },
        stored: @escaping @Sendable ([Identifier]) async throws -> [Identifier: Int32] = { _ in [:] },
        open: @escaping @Sendable ([Identifier]) async -> [Identifier: Int32] = { _ in [:] },
        descriptors: DescriptorBudget = .process,
        page: InternalAPI.Page? = nil
    ) async throws {
        talk = PeerTalk(
            me: incarnation, key: key, now: now, on: TestLoops.next(), descriptors: descriptors)
        var router = Router()
        calls = InternalAPI(talk: talk, stored: stored, open: open, page: page)
        calls.add(to: &router)
        group = try EventLoopGroup(count: 1, name: "cluster")
        let service = HTTPService(router: router, refuse: { _, _, _ in HTTPResponse(status: 404) })
        var configuration = HTTPServerConfiguration()
        configuration.handlerTimeout = .seconds(60)
        server = try await HTTPServer(
            service, on: group.loops, binding: Loopback.address, configuration: configuration)
        address = "http://\(server.address)"
    }

    deinit { group.shutdown() }

    static let key = PeerKey("the key of this cluster, in tests")
    static let now = Timestamp(seconds: 1_800_000_000)
}
