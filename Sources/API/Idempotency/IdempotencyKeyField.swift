import Contract
import Database
import HTTP1
import HTTPServer

/// The header field `Idempotency-Key` (draft-ietf-httpapi-idempotency-key-header): a string in quotation
/// marks, or the same characters without them.
enum IdempotencyKeyField {
    static let name = "Idempotency-Key"
    static let lengths = 1...255
    /// The least length of the key of a client without an account, whose address others may share.
    static let leastWithoutAccount = 22

    /// Returns the key of a request; nil if it has none. Throws a 400 for a field that makes no sense.
    static func read(_ headers: HTTPHeaders, least: Int = lengths.lowerBound) throws(APIError) -> String? {
        let values = headers.all(name)
        if values.isEmpty { return nil }
        guard values.count == 1 else {
            throw APIError(.unreadable, "Send one \(name), and not \(values.count).")
        }
        guard let key = parse(values[0]) else {
            throw APIError(
                .unreadable,
                "\(name) has to be \(lengths.lowerBound) to \(lengths.upperBound) characters of ASCII: in "
                    + "quotation marks, or without spaces, commas, quotation marks and backslashes.")
        }
        guard key.utf8.count >= least else {
            throw APIError(
                .unreadable,
                "\(name) has to have at least \(least) characters here, since others may share your "
                    + "address. Make it at random.")
        }
        return key
    }

    /// Returns the owner of a key that came without a token. A random UUID (RFC 9562 §5.4) has 122 random
    /// bits, so its bearer may be at another address by now. Other keys may be guessed.
    static func owner(of key: String, at address: ClientAddress) -> IdempotencyKey.Owner {
        guard let bits = Identifier(key)?.value, bits >> 76 & 0xF == 4, bits >> 62 & 3 == 2 else {
            return .address("\(address)")
        }
        return .bearer
    }

    /// Reads a string of RFC 9651 §3.3.3 without parameters, or a bare key.
    static func parse(_ value: String) -> String? {
        let bytes = Array(value.utf8)
        let isQuoted = bytes.first == UInt8(ascii: "\"")
        guard let key = isQuoted ? quoted(bytes) : bare(bytes), lengths.contains(key.count) else {
            return nil
        }
        return String(decoding: key, as: UTF8.self)
    }

    private static func bare(_ bytes: [UInt8]) -> [UInt8]? {
        let others = Array("\",\\".utf8)
        return bytes.allSatisfy { (0x21...0x7E).contains($0) && !others.contains($0) } ? bytes : nil
    }

    private static func quoted(_ bytes: [UInt8]) -> [UInt8]? {
        var key: [UInt8] = []
        var rest = bytes.dropFirst()
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "\""): return rest.isEmpty ? key : nil
            case UInt8(ascii: "\\"):
                guard let escaped = rest.popFirst(), escaped == UInt8(ascii: "\"") || escaped == byte else {
                    return nil
                }
                key.append(escaped)
            case 0x20...0x7E: key.append(byte)
            default: return nil
            }
        }
        return nil
    }
}
