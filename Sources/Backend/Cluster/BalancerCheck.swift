import Codecs
import Contract
import Database
import OutboundHTTP
import Reactor
import Scheduling

/// A count of the sockets that a balancer brings to the server of their room at once, and of those that would
/// have to be passed on.
///
/// It asks for sockets of made-up rooms, without a token. The server that refuses one says which server it
/// is. The right server is the one that a match would give the room to; its `SERVER_NAME`, if it has one, is
/// in the URL, as in every `socketUrl`.
struct BalancerCheck: Sendable {
    static let sockets = 32
    private static let timeout = Duration.seconds(5)

    let balancer: WebURL
    /// A file of certificates to trust instead of the system's.
    let authorities: String?
    /// The servers to which a match would give rooms.
    let servers: [ServerEntry]

    struct Count: Equatable {
        /// The sockets that landed at the server of their room.
        var right = 0
        /// The sockets that landed at another server.
        var wrong = 0
        /// The answers that no server of this version gave, or the reasons why there was none.
        var others: [String: Int] = [:]
        /// The sockets whose URL had a hint.
        var hinted = 0
    }

    /// Asks, and returns what to tell people.
    func run(on loop: EventLoop) async throws -> [String] {
        if servers.isEmpty { return ["No server is there to which a balancer could bring a socket."] }
        return lines(of: try await ask(on: loop))
    }

    private func ask(on loop: EventLoop) async throws -> Count {
        let choice = Rendezvous(
            servers.compactMap { server in
                server.incarnation.map { Rendezvous.Server(id: $0, weight: server.weight) }
            })
        var random = SystemRandomNumberGenerator()
        var result = Count()
        for _ in 0..<Self.sockets {
            let room = Identifier.v4(using: &random)
            let owner = choice.server(of: room)
            guard let server = servers.first(where: { $0.incarnation == owner }) else { continue }
            if server.label != nil { result.hinted += 1 }
            let key = Base64.encode((0..<16).map { _ in UInt8.random(in: .min ... .max, using: &random) })
            switch try await place(of: room, server.label, key: key, on: loop) {
            case .server(server.shownName): result.right += 1
            case .server: result.wrong += 1
            case .other(let answer): result.others[answer, default: 0] += 1
            }
        }
        return result
    }

    private enum Place {
        case server(String)
        case other(String)
    }

    /// Asks for one socket on a connection of its own, as clients do.
    private func place(
        of room: Identifier, _ hint: String?, key: String, on loop: EventLoop
    ) async throws -> Place {
        var configuration = HTTPSessionConfiguration()
        configuration.authorities = authorities
        guard let session = HTTPSession(configuration, on: loop) else {
            throw StartFailure("There is no memory for connections.")
        }
        var request = OutboundRequest(
            getting: Routes.url(balancer.text, Routes.socket(room: room, server: hint)),
            headers: [
                ("Connection", "Upgrade"), ("Upgrade", "websocket"), ("Sec-WebSocket-Version", "13"),
                ("Sec-WebSocket-Key", key),
            ])
        request.timeout = Self.timeout
        let place: Place
        do throws(OutboundError) {
            let answer = try await session.perform(request)
            place =
                answer.header(Routes.serverHeader.lowercased()).map { .server($0) }
                ?? .other("status \(answer.status)")
        } catch {
            place = .other("\(error)")
        }
        await session.close()
        return place
    }

    func lines(of result: Count) -> [String] {
        let hints =
            switch result.hinted {
            case 0: "without server=, since no server has a SERVER_NAME"
            case Self.sockets: "each with the name of its server in server="
            default: "\(result.hinted) of them with the name of their server in server="
            }
        var lines = [
            "Through \(balancer.text) \(Self.sockets) sockets of made-up rooms were asked for, \(hints).",
            "\(result.right) landed at the server of their room; \(result.wrong) landed at another one, "
                + "and would be passed on (tunnelled).",
        ]
        for (answer, count) in result.others.sorted(by: { $0.key < $1.key }) {
            lines.append("\(count) got no answer of a server: \(answer).")
        }
        return lines
    }
}
