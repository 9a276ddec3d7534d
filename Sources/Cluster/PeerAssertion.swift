import Codecs
package import Contract
import Crypto

/// A signed statement of one server to another, in the header of a request. It names the sender, the
/// receiver, the purpose and the time, and is valid once.
///
///     Letsswitch-Peer: base64url(JSON) . base64url(HMAC-SHA256(key, JSON))
///
/// The answer is signed too, over the number of the request: `Letsswitch-Peer: base64url(HMAC-SHA256(key,
/// "answer " number " " incarnation))`, where a body's digest follows if it has one.
package struct PeerAssertion: Equatable, Sendable {
    /// The name of the header, of requests and of answers.
    package static let header = "Letsswitch-Peer"
    /// The largest difference between the time of an assertion and now, by the clock of the database.
    package static let window = Duration.seconds(10)

    private static let maximumLength = 4096

    /// The purposes of requests between servers.
    package enum Purpose: String, Sendable { case socket, probe, reach, terms, rooms, owned, page }

    /// The claim about a socket: the first server has found that this user may enter this room.
    package struct SocketClaim: Equatable, Sendable {
        package var room: Identifier
        package var user: Identifier
        /// The key of the token by which the user has signed in.
        package var tokenVersion: Int32
        /// The term for which the first server takes the other one for the owner; 0 if it asks each server,
        /// since the database cannot say whose the room is.
        package var term: Int32
        /// The version of the socket's messages, 1 or 2.
        package var version: Int
        /// The address of the client.
        package var client: String

        package init(
            room: Identifier, user: Identifier, tokenVersion: Int32, term: Int32, version: Int, client: String
        ) {
            self.room = room
            self.user = user
            self.tokenVersion = tokenVersion
            self.term = term
            self.version = version
            self.client = client
        }
    }

    package var purpose: Purpose
    /// The incarnation of the server that asks.
    package var from: Identifier
    /// The incarnation of the server that is asked.
    package var to: Identifier
    package var nonce: PeerNonce
    package var at: Timestamp
    /// The digest of the request's body, in base64url; empty where it has none.
    package var digest: String
    /// The claim about a socket, which requests of that purpose have.
    package var socket: SocketClaim?

    package init(
        _ purpose: Purpose, from: Identifier, to: Identifier, nonce: PeerNonce, at: Timestamp,
        body: [UInt8] = [], socket: SocketClaim? = nil
    ) {
        self.purpose = purpose
        self.from = from
        self.to = to
        self.nonce = nonce
        self.at = at
        digest = Self.digest(of: body)
        self.socket = socket
    }

    /// Returns the value of the header, signed.
    package func signed(with key: PeerKey) -> String {
        let text = Array(payload.utf8)
        return "\(Base64URL.encode(text)).\(Base64URL.encode(key.sign(text)))"
    }

    /// Reads the value of a header; nil for one that was not signed with the key, or cannot be read. The
    /// caller checks its receiver, purpose and time.
    package init?(_ header: String, key: PeerKey) {
        guard header.utf8.count <= Self.maximumLength else { return nil }
        let parts = header.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 2, let text = Base64URL.decode(parts[0]),
            let signature = Base64URL.decode(parts[1]), key.hasSigned(text, signature),
            let json = try? JSONValue.parse(text)
        else { return nil }
        self.init(json)
    }

    // The payload.

    private var payload: String {
        var members: [(name: String, value: JSONValue)] = [
            ("purpose", .string(purpose.rawValue)), ("from", "\(from)"), ("to", "\(to)"),
            ("nonce", .string(nonce.text)), ("at", .integer(at.microseconds)), ("digest", .string(digest)),
        ]
        if let socket {
            members += [
                ("room", "\(socket.room)"), ("user", "\(socket.user)"),
                ("tokenVersion", .integer(socket.tokenVersion)), ("term", .integer(socket.term)),
                ("version", .integer(socket.version)), ("client", .string(Self.plain(socket.client))),
            ]
        }
        return JSONValue.members(members).text
    }

    /// Returns the text of an address without whatever would have a meaning in JSON.
    private static func plain(_ address: String) -> String {
        String(
            decoding: address.utf8.prefix(64).filter {
                (0x20...0x7E).contains($0) && $0 != 0x22 && $0 != 0x5C
            },
            as: UTF8.self)
    }

    private init?(_ json: JSONValue) {
        func identifier(_ name: String) -> Identifier? { json[name]?.string.flatMap { Identifier($0) } }
        func number(_ name: String) -> Int32? { json[name]?.int.flatMap { Int32(exactly: $0) } }
        guard let purpose = json["purpose"]?.string.flatMap(Purpose.init), let from = identifier("from"),
            let to = identifier("to"), let nonce = json["nonce"]?.string.flatMap({ PeerNonce($0) }),
            let at = json["at"]?.int, let digest = json["digest"]?.string
        else { return nil }
        self.init(purpose, from: from, to: to, nonce: nonce, at: Timestamp(microseconds: at))
        self.digest = digest
        guard purpose == .socket else { return }
        guard let room = identifier("room"), let user = identifier("user"),
            let tokenVersion = number("tokenVersion"), let term = number("term"),
            let version = number("version"), (1...2).contains(version), let client = json["client"]?.string
        else { return nil }
        socket = SocketClaim(
            room: room, user: user, tokenVersion: tokenVersion, term: term, version: Int(version),
            client: client)
    }

    // The checks of the receiver.

    /// Whether the request's body is the one that was signed.
    func isAbout(_ body: [UInt8]) -> Bool { digest == Self.digest(of: body) }

    /// Whether it was made within the window around now.
    func isCurrent(at now: Timestamp) -> Bool {
        let age = now.since(at)
        return age <= Self.window && age >= .zero - Self.window
    }

    private static func digest(of body: [UInt8]) -> String {
        body.isEmpty ? "" : Base64URL.encode(Digest.sha256(body))
    }

    // The answer.

    /// Returns the value of the answer's header, of the server with this incarnation.
    package func answer(by incarnation: Identifier, body: [UInt8] = [], key: PeerKey) -> String {
        Base64URL.encode(key.sign(Self.answerText(nonce, incarnation, body)))
    }

    /// Whether the header is that of an answer of that server to this request.
    package func isAnswered(
        by incarnation: Identifier, _ header: String, body: [UInt8] = [], key: PeerKey
    ) -> Bool {
        guard header.utf8.count <= 64, let signature = Base64URL.decode(header) else { return false }
        return key.hasSigned(Self.answerText(nonce, incarnation, body), signature)
    }

    private static func answerText(_ nonce: PeerNonce, _ by: Identifier, _ body: [UInt8]) -> [UInt8] {
        Array("answer \(nonce.text) \(by)\(body.isEmpty ? "" : " \(digest(of: body))")".utf8)
    }
}
