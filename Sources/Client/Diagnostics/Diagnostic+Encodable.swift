extension Diagnostic: Encodable {
    private enum CodingKeys: String, CodingKey {
        case at, event, reason, reachable, type, milliseconds, error, willRetry, from, to, depth, count
    }

    /// Encodes the diagnostic as one flat object.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(at, forKey: .at)
        try container.encode(event.name, forKey: .event)
        for (key, value) in members { try container.encode(value, forKey: key) }
        if case .healthChanged(let health) = event { try health.encode(to: encoder) }
    }

    /// The members of the event, but for those of a health.
    private var members: KeyValuePairs<CodingKeys, any Encodable> {
        switch event {
        case .activated, .recoveryAttempted, .recoverySucceeded, .healthChanged: [:]
        case .deactivated(let reason): [.reason: reason]
        case .reachabilityChanged(let isReachable): [.reachable: isReachable]
        case .sent(let type, let duration): [.type: type, .milliseconds: duration.inMilliseconds]
        case .deliveryFailed(let type, let error, let willRetry):
            [.type: type, .error: error, .willRetry: willRetry]
        case .fallbackUsed(let type, let from, let to): [.type: type, .from: from, .to: to]
        case .queued(let type, let depth): [.type: type, .depth: depth]
        case .queueFlushed(let count), .missed(let count): [.count: count]
        case .recoveryFailed(let error): [.error: error]
        }
    }
}

extension Diagnostic.Event {
    /// The stable name of the event in JSON.
    public var name: String {
        switch self {
        case .activated: "activated"
        case .deactivated: "deactivated"
        case .reachabilityChanged: "reachabilityChanged"
        case .sent: "sent"
        case .deliveryFailed: "deliveryFailed"
        case .fallbackUsed: "fallbackUsed"
        case .queued: "queued"
        case .queueFlushed: "queueFlushed"
        case .healthChanged: "healthChanged"
        case .recoveryAttempted: "recoveryAttempted"
        case .recoverySucceeded: "recoverySucceeded"
        case .recoveryFailed: "recoveryFailed"
        case .missed: "missed"
        }
    }
}
