import Codecs

/// The server's half of the opening handshake (RFC 6455 §4.2).
package enum ServerHandshake {
    /// The answer to a request that may become a WebSocket.
    package struct Acceptance: Sendable, Equatable {
        /// The value of Sec-WebSocket-Accept.
        package let accept: String
        /// The subprotocols on offer, in the client's order. The server confirms one of them or none.
        package let protocols: [String]

        /// Returns the fields of the 101 response.
        package func headers(confirming subprotocol: String?) -> [(name: String, value: String)] {
            var headers = [
                (name: "upgrade", value: "websocket"), ("connection", "Upgrade"),
                ("sec-websocket-accept", accept),
            ]
            if let subprotocol { headers.append(("sec-websocket-protocol", subprotocol)) }
            return headers
        }
    }

    /// Checks a request for a WebSocket. `values` returns all values of the fields of a name, in any case of
    /// letters.
    package static func evaluate(
        method: String, minorVersion: Int, values: (String) -> [String]
    ) throws(HandshakeError) -> Acceptance {
        guard method == "GET" else { throw .methodNotAllowed }
        guard FieldList.contains("websocket", in: values("upgrade")),
            FieldList.contains("upgrade", in: values("connection"))
        else { throw .notAnUpgrade }
        // HTTP/1.0 cannot upgrade (RFC 9110 §7.8); a 426 would ask for the same again.
        guard minorVersion >= 1 else { throw .badRequest("a WebSocket is opened over HTTP/1.1") }
        guard values("sec-websocket-version") == ["13"] else { throw .badVersion }
        let keys = values("sec-websocket-key")
        guard keys.count == 1, isSixteenBytes(keys[0]) else {
            throw .badRequest("there is no single Sec-WebSocket-Key of 16 bytes")
        }
        let protocols = FieldList.elements(values("sec-websocket-protocol"))
        return Acceptance(accept: accept(key: keys[0]), protocols: protocols)
    }

    /// Returns the proof that the server has read the key (§4.2.2).
    static func accept(key: String) -> String {
        Base64.encode(SHA1Digest.hash(Array(key.utf8) + identifier))
    }

    /// The text that every server appends to the key (§1.3).
    private static let identifier = Array("258EAFA5-E914-47DA-95CA-C5AB0DC85B11".utf8)

    /// Whether the key encodes 16 bytes: 22 digits and `==`.
    private static func isSixteenBytes(_ key: String) -> Bool {
        let characters = key.utf8.span
        return characters.count == 24
            && characters.indices.allSatisfy { index in
                index < 22 ? Base64.isDigit(characters[index]) : characters[index] == UInt8(ascii: "=")
            }
    }
}
