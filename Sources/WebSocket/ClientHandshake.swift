import Codecs

/// The client's half of the opening handshake (RFC 6455 §4.1).
package struct ClientHandshake: Sendable {
    /// The reason for which an answer is not that of a WebSocket server.
    package enum Failure: Error, Equatable, Sendable {
        /// The server refused with this status; the body of its answer says why.
        case refused(status: Int)
        case badAnswer(String)
    }

    /// The value of Sec-WebSocket-Key.
    package let key: String
    private let protocols: [String]

    /// Makes the key of `random`: 16 unpredictable bytes.
    package init(random: [UInt8], protocols: [String] = []) {
        precondition(random.count == 16, "RFC 6455 §4.1: the nonce has 16 bytes")
        key = Base64.encode(random)
        self.protocols = protocols
    }

    /// The fields of the request, except Host.
    package var headers: [(name: String, value: String)] {
        var headers = [
            (name: "Upgrade", value: "websocket"), ("Connection", "Upgrade"), ("Sec-WebSocket-Key", key),
            ("Sec-WebSocket-Version", "13"),
        ]
        if !protocols.isEmpty {
            headers.append(("Sec-WebSocket-Protocol", protocols.joined(separator: ", ")))
        }
        return headers
    }

    /// Checks the answer and returns the subprotocol that the server confirmed.
    package func verify(
        status: Int, values: (String) -> [String]
    ) throws(Failure) -> String? {
        guard status == 101 else { throw .refused(status: status) }
        guard FieldList.contains("websocket", in: values("upgrade")),
            FieldList.contains("upgrade", in: values("connection"))
        else { throw .badAnswer("it does not switch to WebSocket") }
        guard values("sec-websocket-accept") == [ServerHandshake.accept(key: key)] else {
            throw .badAnswer("its Sec-WebSocket-Accept is not for this key")
        }
        guard values("sec-websocket-extensions").isEmpty else {
            throw .badAnswer("it has an extension that was not offered")
        }
        let confirmed = values("sec-websocket-protocol")
        guard confirmed.count <= 1, confirmed.allSatisfy(protocols.contains) else {
            throw .badAnswer("it has a subprotocol that was not offered")
        }
        return confirmed.first
    }
}
