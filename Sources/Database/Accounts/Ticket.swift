import Codecs
package import Contract
package import Crypto

/// The right to enter one room as one user, checked without the database.
///
///     lst_ base64url( room 16 | user 16 | key 4 | expires 8, microseconds | HMAC-SHA256 32 )
///
/// The key is the number of an API token among the user's. Releases that knew of one token for each user
/// counted its replacements there, and a token has the number that they gave it: this release reads their
/// tickets, and they read its tickets.
package struct Ticket: Equatable, Sendable {
    private static let prefix = "lst_"
    private static let contentLength = 44

    package var room: Identifier
    package var user: Identifier
    /// The key under which the ticket was made: it ends with the key.
    package var tokenVersion: Int32
    package var expires: Timestamp

    func signed(with key: HMACKey) -> String {
        var bytes: [UInt8] = []
        bytes.append(bigEndian: room.value)
        bytes.append(bigEndian: user.value)
        bytes.append(bigEndian: tokenVersion)
        bytes.append(bigEndian: expires.microseconds)
        return Self.prefix + Base64URL.encode(bytes + key.authenticate(bytes))
    }

    /// Returns whether the text claims to be a ticket, valid or not.
    package static func isTicket(_ text: String) -> Bool { text.hasPrefix(prefix) }

    /// Reads a ticket; nil for text that was not signed with the key. The caller checks whether it is still
    /// valid.
    package init?(_ text: String, key: HMACKey) {
        guard Self.isTicket(text), text.utf8.count <= 128,
            let bytes = Base64URL.decode(text.dropFirst(Self.prefix.count)),
            bytes.count == Self.contentLength + 32
        else { return nil }
        let content = Array(bytes[..<Self.contentLength])
        guard key.isCode(Array(bytes[Self.contentLength...]), of: content) else { return nil }
        room = Identifier(value: .init(bytes: content[0..<16]))
        user = Identifier(value: .init(bytes: content[16..<32]))
        tokenVersion = .init(bytes: content[32..<36])
        expires = Timestamp(microseconds: .init(bytes: content[36..<44]))
    }

    package init(room: Identifier, user: Identifier, tokenVersion: Int32, expires: Timestamp) {
        self.room = room
        self.user = user
        self.tokenVersion = tokenVersion
        self.expires = expires
    }

}

extension FixedWidthInteger {
    /// Reads big-endian bytes, the most significant first.
    init(bytes: ArraySlice<UInt8>) { self = bytes.reduce(0) { $0 << 8 | Self(truncatingIfNeeded: $1) } }
}

extension [UInt8] {
    fileprivate mutating func append<Integer: FixedWidthInteger>(bigEndian value: Integer) {
        for shift in stride(from: Integer.bitWidth - 8, through: 0, by: -8) {
            append(UInt8(truncatingIfNeeded: value >> Integer(shift)))
        }
    }
}
