package import Contract
import Crypto

/// The maker and reader of this service's tickets.
package struct Tickets: Sendable {
    private let key: HMACKey
    /// The address at which people and programs reach the service.
    package let publicURL: String
    private let label: @Sendable (Identifier) -> String?

    /// Creates the tickets of a key, which all servers that share a database share. `label` returns the name
    /// by which a balancer knows a server, by its incarnation.
    package init(
        key: [UInt8], publicURL: String, label: @escaping @Sendable (Identifier) -> String? = { _ in nil }
    ) {
        self.key = HMACKey(key)
        self.publicURL = publicURL
        self.label = label
    }

    /// Returns a ready address for one user and one room, valid until the room closes. It names the server of
    /// the room, `owner`, for a balancer; the ticket does not sign the name, and is good at every server.
    package func socketURL(
        room: Identifier, user: Identifier, tokenVersion: Int32, closesAt: Timestamp,
        owner: Identifier? = nil
    ) -> String {
        let ticket = Ticket(room: room, user: user, tokenVersion: tokenVersion, expires: closesAt)
        return Routes.socketURL(
            publicURL: publicURL, room: room, ticket: ticket.signed(with: key), server: owner.flatMap(label))
    }

    /// The key from which secrets are derived that answers show. It follows from the tickets' key, and says
    /// nothing about it.
    package var secretKey: [UInt8] { key.authenticate(Array("secrets of answers".utf8)) }

    package func read(_ text: String) -> Ticket? { Ticket(text, key: key) }
}
