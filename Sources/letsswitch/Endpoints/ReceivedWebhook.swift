import Contract

/// A delivery of a webhook as its receiver got it. Nothing of it is trusted.
struct ReceivedWebhook: Equatable, Sendable {
    /// The maximum size of a whole request, in bytes.
    static let limit = 1 << 20

    private static let names = ["webhook-id", "webhook-timestamp", "webhook-signature"]

    let id: String
    let timestamp: String
    let signature: String
    let body: [UInt8]
}

extension ReceivedWebhook {
    /// Reads a request with its header, as it came or was pasted: lines may end in LF, and other lines than
    /// the three of Standard Webhooks do not matter.
    init(request: [UInt8]) throws(Failure) {
        var fields: [String: String] = [:]
        var rest = request[...]
        while true {
            guard let end = rest.firstIndex(of: UInt8(ascii: "\n")) else {
                throw Self.unusable(local("no empty line, after which the body begins"))
            }
            var line = rest[..<end]
            rest = rest[(end + 1)...]
            if line.last == UInt8(ascii: "\r") { line.removeLast() }
            if line.isEmpty { break }
            guard let (name, value) = Self.field(line) else { continue }
            guard fields.updateValue(value, forKey: name) == nil else {
                throw Self.unusable(local("more than one \(name)"))
            }
        }
        for name in Self.names where fields[name] == nil { throw Self.unusable(local("no \(name)")) }
        self.init(
            id: fields[Self.names[0]] ?? "", timestamp: fields[Self.names[1]] ?? "",
            signature: fields[Self.names[2]] ?? "", body: Array(rest))
    }

    /// Returns the name and the value in a line of the header; nil for a line that does not matter.
    private static func field(_ line: ArraySlice<UInt8>) -> (name: String, value: String)? {
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { return nil }
        let name = String(decoding: line[..<colon], as: UTF8.self).lowercased()
        guard names.contains(name) else { return nil }
        let isSpace: (UInt8) -> Bool = { $0 == 0x20 || $0 == 0x09 }
        var value = line[(colon + 1)...].drop(while: isSpace)
        while let last = value.last, isSpace(last) { value.removeLast() }
        return (name, String(decoding: value, as: UTF8.self))
    }

    private static func unusable(_ what: String) -> Failure {
        .usage(
            "The request on standard input has \(what). Give it whole, header and body, or the body "
                + "alone with --id, --timestamp and --signature.")
    }
}
