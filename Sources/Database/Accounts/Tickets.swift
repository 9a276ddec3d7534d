package import Contract

/// The maker and reader of this service's tickets.
package struct Tickets: Sendable {
    private let key: [UInt8]
    private let publicURL: String

    /// Creates the tickets of a key, which all servers that share a database share.
    package init(key: [UInt8], publicURL: String) {
        self.key = key
        self.publicURL = publicURL
    }

    /// Returns a ready address for one user and one room, valid until the room closes. `server` is the name
    /// by which a balancer knows the server of the room; the ticket does not sign it, so that the ticket is
    /// good at every server.
    package func socketURL(
        room: Identifier, user: Identifier, tokenVersion: Int32, closesAt: Timestamp, server: String? = nil
    ) -> String {
        let ticket = Ticket(room: room, user: user, tokenVersion: tokenVersion, expires: closesAt)
        return Routes.socketURL(
            publicURL: publicURL, room: room, ticket: ticket.signed(with: key), server: server)
    }

    package func read(_ text: String) -> Ticket? { Ticket(text, key: key) }
}
