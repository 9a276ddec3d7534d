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
        guard let index = arguments.firstIndex(where: { $0 == "--replay" || $0.hasPrefix("--replay=") })
        else {
            self = .latest
            return
        }
        var text = arguments.remove(at: index)
        if text == "--replay" {
            guard index < arguments.count else { throw .missingValue(flag: "--replay") }
            text = arguments.remove(at: index)
        } else {
            text.removeFirst("--replay=".count)
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
