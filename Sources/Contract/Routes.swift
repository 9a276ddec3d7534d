import Codecs

/// The paths of the API. Those of a resource are in its file.
public enum Routes {
    public static let socket = "/socket"
    public static let live = "/livez"
    public static let ready = "/readyz"
    public static let metrics = "/metrics"
    public static let openAPI = "/openapi.json"
    public static let openAPIYAML = "/v1/openapi.yaml"
    public static let home = "/"
    public static let problems = "/problems"

    /// The query parameter of a socket's address by which a balancer finds the server of the room.
    public static let serverHint = "server"

    /// The header of `/readyz`, and of refusals at `/socket`, that names the server.
    public static let serverHeader = "Letsswitch-Server"

    /// The subprotocol of the socket's version 2.
    public static let socketVersion2 = "letsswitch.v2"
    /// The beginning of a subprotocol that carries a token or a ticket, and is never confirmed.
    public static let tokenSubprotocol = "token."

    public static func problem(_ name: ProblemName) -> String { "\(problems)/\(name.rawValue)" }

    /// Returns the path and query of a room's socket; `resuming` is the position of an earlier connection.
    /// `server` is a hint for a balancer, which servers ignore.
    public static func socket(
        room: Identifier, ticket: String? = nil, server: String? = nil,
        resuming: (epoch: String, since: Int64)? = nil, options: SocketOptions = SocketOptions()
    ) -> String {
        let query = [
            ("id", room.description), ("token", ticket), (serverHint, server), ("epoch", resuming?.epoch),
            ("since", resuming.map { String($0.since) }),
        ]
        return self.query(socket, query + options.query)
    }

    /// Returns a complete `socketUrl`; `publicURL` is an `http` or `https` URL without a query. `server` is
    /// the name by which a balancer knows the server of the room.
    public static func socketURL(
        publicURL: String, room: Identifier, ticket: String?, server: String? = nil
    ) -> String {
        let url = url(publicURL, socket(room: room, ticket: ticket, server: server))
        return url.hasPrefix("http") ? "ws" + url.dropFirst(4) : url
    }

    /// Returns the URL of a path below the URL of a server, which can have a path itself.
    package static func url(_ server: String, _ path: String) -> String {
        var base = server
        while base.hasSuffix("/") { base.removeLast() }
        return base + path
    }

    /// Returns `path?name=value&…`, percent-encoded, without the items whose value is nil.
    public static func query(_ path: String, _ items: [(name: String, value: String?)]) -> String {
        let pairs = items.compactMap { item in item.value.map { "\(item.name)=\(PercentCoding.encode($0))" } }
        return pairs.isEmpty ? path : path + "?" + pairs.joined(separator: "&")
    }
}
