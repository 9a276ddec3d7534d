import Contract

/// Texts on endpoints and the outcomes of deliveries, for people.
enum EndpointText {
    private static let shortToken = 16

    /// Returns the address of the endpoint; with `isShort` for a list, where the beginning of a device's
    /// token is enough to tell one from another.
    static func address(_ endpoint: Endpoint, isShort: Bool = false) -> String {
        if let url = endpoint.url { return SafeText.escape(url) }
        let whole = endpoint.deviceToken ?? ""
        let token = isShort ? TextWidth.cut(whole, shortToken) : whole
        let environment = endpoint.environment.map { " (\($0.rawValue))" } ?? ""
        return local("device \(SafeText.escape(token))\(environment)")
    }

    static func types(_ endpoint: Endpoint) -> String {
        guard let types = endpoint.types else { return local("all notifications") }
        return types.map(SafeText.escape).joined(separator: ", ")
    }

    static func state(_ endpoint: Endpoint, _ console: Console) -> String {
        switch endpoint.state.known {
        case .active: console.green(endpoint.state.word)
        case .unverified, .failing, .disabled, nil: console.yellow(endpoint.state.word)
        }
    }

    /// Returns why the endpoint is not active, and what to do; nil: it is active.
    static func trouble(_ endpoint: Endpoint) -> Text? {
        switch endpoint.state.known {
        case .active, nil: nil
        case .unverified:
            "Its receiver has not echoed the challenge yet, so nothing else goes there. "
                + "letsswitch endpoints test \(endpoint.id) sends another one."
        case .failing:
            endpoint.failingSince.map { "Every attempt has failed since \(LocalClock.dateAndTime($0))." }
                ?? "Every attempt has failed."
        case .disabled:
            endpoint.reason.map { SafeText.escape($0.description) }
                .map { "Disabled: \($0). Replay it if it is a webhook; else add it again." }
                ?? "Disabled: for no reason that is known. Replay it if it is a webhook; else add it again."
        }
    }

    /// Returns a text such as `delivered: 200, in 35 ms`.
    static func outcome(_ outcome: EndpointOutcome) -> String {
        let time = outcome.milliseconds.map { local(", in \($0) ms") } ?? ""
        return SafeText.escape("\(Text(english: outcome.outcome).local): \(outcome.detail)\(time)")
    }
}
