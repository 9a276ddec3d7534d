import Codecs

/// JSON Web Tokens (RFC 7519), signed with ES256 (RFC 7515, RFC 7518 §3.4).
enum JSONWebToken {
    /// Returns a signed token. Header and claims are texts in JSON.
    static func signed(
        header: String, claims: String, with key: P256PrivateKey
    ) throws(CryptoError) -> String {
        let content = Base64URL.encode(Array(header.utf8)) + "." + Base64URL.encode(Array(claims.utf8))
        return content + "." + Base64URL.encode(try key.signature(of: Array(content.utf8)))
    }

    /// Returns the text as a JSON string, escaped so that nothing in it can end the string (RFC 8259 §7).
    static func quoted(_ text: String) -> String {
        var quoted = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"", "\\": quoted += "\\\(scalar)"
            case _ where scalar.value < 0x20:
                let digits = String(scalar.value, radix: 16)
                quoted += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: quoted.unicodeScalars.append(scalar)
            }
        }
        return quoted + "\""
    }
}
