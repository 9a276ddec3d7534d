public import Contract
import HTTP1

/// The address of a room.
public enum RoomAddress: Hashable, Sendable {
    /// The id of a room on that server, for the account of the token. By `label` a balancer finds the server
    /// of the room.
    case room(Identifier, server: Server, token: String?, label: String? = nil)
    /// A `socketUrl` with a ticket in it. With `secureOnly` its scheme has to be `wss`.
    case ticket(url: String, secureOnly: Bool = false)

    /// Returns the server, the target of the request, and the token for its header.
    func resolve(
        resuming: (epoch: String, since: Int64)?, _ options: SocketOptions = SocketOptions()
    ) throws(ClientError) -> (server: Server, target: String, token: String?) {
        switch self {
        case .room(let id, let server, let token, let label):
            return (
                server, Routes.socket(room: id, server: label, resuming: resuming, options: options), token
            )
        case .ticket(let url, let secureOnly):
            guard let address = try? WebAddress(url) else {
                throw .badAddress("\"\(url)\" is no URL of a room.")
            }
            // The whole path is the target, so the server has no base.
            let server = try Server(address, schemes: (plain: "ws", secure: "wss"), path: "")
            guard server.isSecure || !secureOnly else {
                throw .untrusted(
                    "The server points to a room at ws:, which is not encrypted, and this session was. It is "
                        + "not entered. PUBLIC_URL of the server should begin with https:.")
            }
            var target = address.path.isEmpty ? "/" : address.path
            if let query = address.query { target += "?\(query)" }
            let query = Routes.query(
                "",
                [("epoch", resuming?.epoch), ("since", resuming.map { String($0.since) })] + options.query)
            if !query.isEmpty { target += (address.query == nil ? "?" : "&") + query.dropFirst() }
            return (server, target, nil)
        }
    }

    /// Returns the address of a `moved` message. An encrypted connection stays encrypted, which `resolve`
    /// checks; a token goes to no other server than before, and only the balancer's hint is taken from the
    /// URL.
    func moved(to id: Identifier, url: String) -> RoomAddress {
        switch self {
        case .room(_, let server, let token, _):
            .room(id, server: server, token: token, label: Self.label(url))
        case .ticket(let old, let secureOnly):
            .ticket(url: url, secureOnly: secureOnly || (try? WebAddress(old))?.scheme == "wss")
        }
    }

    private static func label(_ url: String) -> String? {
        guard let query = (try? WebAddress(url))?.query else { return nil }
        return (try? QueryItems(query))?.first(Routes.serverHint)
    }
}
