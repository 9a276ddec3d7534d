import Crypto

/// A request to `letsswitch-server deliveries`.
package enum DeliveriesRequest: Equatable, Sendable {
    case latest
    /// The deliveries that failed, and those that are still pending after a failure.
    case failing
    /// Repeats a delivery that is over.
    case replay(Int64)

    /// Reads the flags of the request, and removes them from the arguments.
    package init(takingFrom arguments: inout [String]) throws(ConfigurationError) {
        if let index = arguments.firstIndex(of: "--failing") {
            arguments.remove(at: index)
            self = .failing
            return
        }
        guard let text = try arguments.takeValue(of: "--replay") else {
            self = .latest
            return
        }
        // Receivers know a delivery by its `webhook-id`.
        let prefix = WebhookSignature.idPrefix
        let number = text.hasPrefix(prefix) ? text.dropFirst(prefix.count) : text[...]
        guard let id = Int64(number), id > 0 else {
            throw .invalid(name: "--replay", value: text, reason: "is no id of a delivery")
        }
        self = .replay(id)
    }
}

extension [String] {
    /// Removes `flag VALUE` or `flag=VALUE` from the arguments of a command, and returns the value; nil where
    /// the flag is not among them.
    mutating func takeValue(of flag: String) throws(ConfigurationError) -> String? {
        guard let index = firstIndex(where: { $0 == flag || $0.hasPrefix("\(flag)=") }) else { return nil }
        let text = remove(at: index)
        if text != flag { return String(text.dropFirst(flag.count + 1)) }
        guard index < count else { throw .missingValue(flag: flag) }
        return remove(at: index)
    }
}
