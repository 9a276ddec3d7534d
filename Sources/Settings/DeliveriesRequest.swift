import Crypto

/// What `letsswitch-server deliveries` is asked for.
package enum DeliveriesRequest: Equatable, Sendable {
    case latest
    /// Those that did not arrive, and those that have not yet.
    case failing
    /// Makes one again that is over.
    case replay(Int64)

    /// Takes its own flags out of the arguments.
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
