import Codecs

/// The paths of the interface.
public enum Routes {
    public static let users = "/v1/users"
    public static let me = "/v1/me"
    public static let token = "/v1/me/token"
    public static let tokens = "/v1/me/tokens"
    public static let session = "/v1/me/session"
    public static let sessions = "/v1/me/sessions"
    public static let export = "/v1/me/export"
    public static let recoveryCode = "/v1/me/recovery-code"
    public static let recover = "/v1/recover"
    public static let slots = "/v1/slots"
    public static let registrations = "/v1/registrations"
    public static let routines = "/v1/routines"
    public static let rooms = "/v1/rooms"
    public static let blocks = "/v1/blocks"
    public static let favourites = "/v1/favourites"
    public static let stats = "/v1/stats"
    public static let notifications = "/v1/notifications"
    public static let events = "/v1/events"
    public static let endpoints = "/v1/endpoints"
    public static let pushKey = "/v1/push-key"
    public static let calendars = "/v1/me/calendars"
    /// The path above the secret addresses of calendars.
    public static let calendarFiles = "/calendars"
    public static let invites = "/v1/invites"
    /// The path above the addresses that people hand on to invite others.
    public static let invitePages = "/invites"
    public static let now = "/v1/now"
    public static let timeZones = "/v1/time-zones"
    public static let socket = "/socket"
    public static let live = "/livez"
    public static let ready = "/readyz"
    public static let metrics = "/metrics"
    public static let openAPI = "/openapi.json"
    public static let openAPIYAML = "/v1/openapi.yaml"
    public static let home = "/"
    public static let problems = "/problems"

    /// The parameter of a socket's address that tells a balancer which server has the room.
    public static let serverHint = "server"

    /// The header of `/readyz`, and of refusals at `/socket`, that says which server has answered.
    public static let serverHeader = "Letsswitch-Server"

    /// The subprotocol of the socket's version 2.
    public static let socketVersion2 = "letsswitch.v2"
    /// The beginning of a subprotocol that carries a token or a ticket, and is never confirmed.
    public static let tokenSubprotocol = "token."

    public static func registration(_ id: Identifier) -> String { "\(registrations)/\(id)" }
    public static func routine(_ id: Identifier) -> String { "\(routines)/\(id)" }
    public static func routineSkips(_ id: Identifier) -> String { "\(routine(id))/skips" }
    public static func routineSkip(_ id: Identifier, _ date: LocalDate) -> String {
        "\(routineSkips(id))/\(date)"
    }
    /// Returns the path of the invite to a registration's slot.
    public static func invite(to registration: Identifier) -> String {
        "\(self.registration(registration))/invite"
    }
    public static func invite(_ code: String) -> String { "\(invites)/\(PercentCoding.encode(code))" }
    /// Returns the address to hand on; `publicURL` is an `http` or `https` URL.
    public static func invitePage(publicURL: String, code: String) -> String {
        var base = publicURL
        while base.hasSuffix("/") { base.removeLast() }
        return "\(base)\(invitePages)/\(code)"
    }
    public static func accountToken(_ id: Identifier) -> String { "\(tokens)/\(id)" }
    public static func accountSession(_ id: Identifier) -> String { "\(sessions)/\(id)" }
    public static func room(_ id: Identifier) -> String { "\(rooms)/\(id)" }
    public static func endpoint(_ id: Identifier) -> String { "\(endpoints)/\(id)" }
    public static func endpointTest(_ id: Identifier) -> String { "\(endpoints)/\(id)/test" }
    public static func endpointReplay(_ id: Identifier) -> String { "\(endpoints)/\(id)/replay" }
    public static func endpointSecret(_ id: Identifier) -> String { "\(endpoints)/\(id)/secret" }
    public static func calendar(_ id: Identifier) -> String { "\(calendars)/\(id)" }
    /// Returns the address at which calendar programs read; `publicURL` is an `http` or `https` URL.
    public static func calendarFile(publicURL: String, secret: String) -> String {
        var base = publicURL
        while base.hasSuffix("/") { base.removeLast() }
        return "\(base)\(calendarFiles)/\(secret).ics"
    }
    public static func explanation(ofRoom id: Identifier) -> String { "\(room(id))/explanation" }
    /// Returns the path of the block of the person with that registration.
    public static func block(_ registration: Identifier) -> String { "\(blocks)/\(registration)" }
    public static func favourite(_ registration: Identifier) -> String { "\(favourites)/\(registration)" }
    public static func problem(_ name: ProblemName) -> String { "\(problems)/\(name.rawValue)" }

    /// Returns the path and query of a room's socket; `epoch` and `since` resume where an earlier connection
    /// ended. `server` is a hint for a balancer, which servers ignore.
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
        var base = publicURL
        while base.hasSuffix("/") { base.removeLast() }
        if base.hasPrefix("http") { base = "ws" + base.dropFirst(4) }
        return base + socket(room: room, ticket: ticket, server: server)
    }

    /// Returns `path?name=value&…`, percent-encoded, without the items whose value is nil.
    public static func query(_ path: String, _ items: [(name: String, value: String?)]) -> String {
        let pairs = items.compactMap { item in item.value.map { "\(item.name)=\(PercentCoding.encode($0))" } }
        return pairs.isEmpty ? path : path + "?" + pairs.joined(separator: "&")
    }
}
