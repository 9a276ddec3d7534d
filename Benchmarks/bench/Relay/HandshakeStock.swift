import COpenSSL
import Codecs
import WebSocket

/// The handshake requests of all members, and the proof that each response must contain. They are made
/// beforehand, so that the generator does not limit the rate of handshakes.
struct HandshakeStock {
    private(set) var requests: [[UInt8]] = []
    /// The expected values of Sec-WebSocket-Accept.
    private(set) var proofs: [[UInt8]] = []

    init(_ plan: RelayPlan, subprotocol: String?) {
        var random = SystemRandomNumberGenerator()
        for path in plan.paths {
            let nonce = (0..<16).map { _ in UInt8.random(in: 0...255, using: &random) }
            let handshake = ClientHandshake(random: nonce, protocols: subprotocol.map { [$0] } ?? [])
            var text = "GET \(path) HTTP/1.1\r\nHost: 127.0.0.1:\(plan.port)\r\n"
            for field in handshake.headers { text += "\(field.name): \(field.value)\r\n" }
            requests.append(Array("\(text)\r\n".utf8))
            proofs.append(Self.proof(of: handshake.key))
        }
    }

    /// Returns the Sec-WebSocket-Accept for a key: RFC 6455 §4.2.2, point 5.4.
    private static func proof(of key: String) -> [UInt8] {
        let digest = SHA1Digest.hash(Array("\(key)258EAFA5-E914-47DA-95CA-C5AB0DC85B11".utf8))
        // 20 bytes become 28 characters, and a terminating zero that is dropped.
        var proof = [UInt8](repeating: 0, count: 29)
        _ = EVP_EncodeBlock(&proof, digest, CInt(digest.count))
        return proof.dropLast()
    }
}
