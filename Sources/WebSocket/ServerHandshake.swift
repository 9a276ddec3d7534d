import Codecs

/// The server's half of the opening handshake (RFC 6455 §4.2).
package enum ServerHandshake {
    /// What a request that may become a WebSocket gets.
    package struct Acceptance: Sendable, Equatable {
        /// The value of Sec-WebSocket-Accept.
        package let accept: String
        /// The subprotocols on offer, in the client's order. The server confirms one of them or none.
        package let protocols: [String]

        /// The fields of the 101.
        package func headers(confirming subprotocol: String?) -> [(name: String, value: String)] {
            var headers = [
                (name: "upgrade", value: "websocket"), ("connection", "Upgrade"),
                ("sec-websocket-accept", accept),
            ]
            if let subprotocol { headers.append(("sec-websocket-protocol", subprotocol)) }
            return headers
        }
    }

    /// `values` gives all values of the fields of a name, in any case of letters.
    package static func evaluate(
        method: String, minorVersion: Int, values: (String) -> [String]
    ) throws(HandshakeError) -> Acceptance {
        guard method == "GET" else { throw .methodNotAllowed }
        guard FieldList.contains("websocket", in: values("upgrade")),
            FieldList.contains("upgrade", in: values("connection"))
        else { throw .notAnUpgrade }
        // It asks for what it cannot have (RFC 9110 §7.8); to say 426 would be to ask for the same again.
        guard minorVersion >= 1 else { throw .badRequest("a WebSocket is opened over HTTP/1.1") }
        guard values("sec-websocket-version") == ["13"] else { throw .badVersion }
        let keys = values("sec-websocket-key")
        guard keys.count == 1, isSixteenBytes(keys[0]) else {
            throw .badRequest("there is no single Sec-WebSocket-Key of 16 bytes")
        }
        let protocols = FieldList.elements(values("sec-websocket-protocol"))
        return Acceptance(accept: accept(key: keys[0]), protocols: protocols)
    }

    /// §4.2.2: what proves that the server has read the key.
    static func accept(key: String) -> String {
        Base64.encode(SHA1Digest.hash(Array("\(key)258EAFA5-E914-47DA-95CA-C5AB0DC85B11".utf8)))
    }

    /// Whether a key stands for 16 bytes: 22 digits and `==`.
    private static func isSixteenBytes(_ key: String) -> Bool {
        let characters = Array(key.utf8)
        return characters.count == 24 && characters[22...].elementsEqual("==".utf8)
            && characters[..<22].allSatisfy(Base64.isDigit)
    }
}
