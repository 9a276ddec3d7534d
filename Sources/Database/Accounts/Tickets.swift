package import Contract

/// Makes and reads the tickets of this service.
package struct Tickets: Sendable {
    private let key: [UInt8]
    private let publicURL: String

    /// Every server that shares a database shares the key.
    package init(key: [UInt8], publicURL: String) {
        self.key = key
        self.publicURL = publicURL
    }

    /// A ready address for one user and one room, good until the room closes.
    package func socketURL(room: Identifier, user: Identifier, tokenVersion: Int32, closesAt: Timestamp)
        -> String
    {
        let ticket = Ticket(room: room, user: user, tokenVersion: tokenVersion, expires: closesAt)
        return Routes.socketURL(publicURL: publicURL, room: room, ticket: ticket.signed(with: key))
    }

    package func read(_ text: String) -> Ticket? { Ticket(text, key: key) }
}
