package import Contract
import Crypto

/// A request to `letsswitch-server deliveries`.
package enum DeliveriesRequest: Equatable, Sendable {
    case latest
    /// The deliveries that failed, and those that are still pending after a failure.
    case failing
    /// Repeats a delivery that is over.
    case replay(Int64)
    /// Repeats the failed deliveries of a host or an endpoint.
    case replayFailed(FailedDeliveries)

    /// Reads the flags of the request, and removes them from the arguments.
    package init(takingFrom arguments: inout [String]) throws(ConfigurationError) {
        if let failed = try FailedDeliveries(takingFrom: &arguments) {
            self = .replayFailed(failed)
            return
        }
        if arguments.takeFlag("--failing") {
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

/// The deliveries to a host or an endpoint that ended without success in a time.
package struct FailedDeliveries: Equatable, Sendable {
    package enum Target: Equatable, Sendable {
        /// A host as the list of deliveries shows it, with its port.
        case host(String)
        case endpoint(Identifier)
    }

    package let target: Target
    package let since: Timestamp
    /// The end of the time; nil: now.
    package let until: Timestamp?

    package init(_ target: Target, since: Timestamp, until: Timestamp? = nil) {
        self.target = target
        self.since = since
        self.until = until
    }

    /// Reads the flags, and removes them from the arguments; nil if neither a host nor an endpoint is given.
    init?(takingFrom arguments: inout [String]) throws(ConfigurationError) {
        if let host = try arguments.takeValue(of: "--replay-host") {
            target = .host(host)
        } else if let text = try arguments.takeValue(of: "--replay-endpoint") {
            guard let id = Identifier(text) else {
                throw .invalid(name: "--replay-endpoint", value: text, reason: "is no id of an endpoint")
            }
            target = .endpoint(id)
        } else {
            return nil
        }
        guard let since = try arguments.takeTime(of: "--since") else { throw .missingValue(flag: "--since") }
        self.since = since
        until = try arguments.takeTime(of: "--until")
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

    /// Takes the flag and its value, a time; nil if it is not there.
    mutating func takeTime(of flag: String) throws(ConfigurationError) -> Timestamp? {
        guard let text = try takeValue(of: flag) else { return nil }
        return try Timestamp(argument: text, of: flag)
    }

    /// Takes a flag without a value. Returns whether it was there.
    mutating func takeFlag(_ flag: String) -> Bool {
        guard let index = firstIndex(of: flag) else { return false }
        remove(at: index)
        return true
    }

    /// Takes the first argument; nil if there is none, or a flag.
    mutating func takeWord() -> String? {
        guard let word = first, !word.hasPrefix("-") else { return nil }
        return removeFirst()
    }
}

extension Timestamp {
    init(argument text: String, of name: String) throws(ConfigurationError) {
        guard let time = Timestamp(text) else {
            throw .invalid(
                name: name, value: text, reason: "is not a time: use one like 2027-03-28T09:00:00Z")
        }
        self = time
    }
}
