package import Contract

/// The state of a server: whether a match gives it rooms.
package enum ServerState: String, Sendable {
    case serving
    /// The server gives its rooms to others, and gets no new ones.
    case draining
}

/// The row of a server, as another server reads it.
package struct ServerEntry: Equatable, Sendable {
    /// The name of the process; the previous version used a label.
    package var name: String
    /// The URL at which other servers reach it; nil while it has none.
    package var address: String?
    /// The name by which the balancer knows it.
    package var label: String?
    package var state = ServerState.serving
    package var weight: Int32 = 1
    /// The time that is left of its lease, negative if the lease is past; nil for a server of the previous
    /// version, which has no lease.
    package var leaseLeft: Duration?
    package var version: String?

    /// The incarnation; nil for a server whose name is none.
    package var incarnation: Identifier? { Identifier(name) }

    /// The name by which people and answers call the server: its label, or else the beginning of its
    /// incarnation.
    package var shownName: String {
        incarnation.map { Self.shownName(label: label, incarnation: $0) } ?? label ?? name
    }

    /// Returns the label, or else the beginning of the incarnation.
    package static func shownName(label: String?, incarnation: Identifier) -> String {
        label ?? String(incarnation.description.prefix(8))
    }

    /// Whether the lease is not past, and rooms may be asked of the server.
    package var isAlive: Bool { leaseLeft.map { $0 > .zero } ?? false }
}
