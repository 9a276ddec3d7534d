extension Diagnostic: Encodable {
    private enum CodingKeys: String, CodingKey {
        case at, event, reason, reachable, type, milliseconds, error, willRetry, from, to, depth, count
        case healthy, suggestion, text
    }

    /// Encodes the diagnostic as one flat object.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(at, forKey: .at)
        try container.encode(event.name, forKey: .event)
        switch event {
        case .activated, .recoveryAttempted, .recoverySucceeded:
            break
        case .deactivated(let reason):
            try container.encode(reason, forKey: .reason)
        case .reachabilityChanged(let isReachable):
            try container.encode(isReachable, forKey: .reachable)
        case .sent(let type, let duration):
            try container.encode(type, forKey: .type)
            try container.encode(duration.inMilliseconds, forKey: .milliseconds)
        case .deliveryFailed(let type, let error, let willRetry):
            try container.encode(type, forKey: .type)
            try container.encode(error, forKey: .error)
            try container.encode(willRetry, forKey: .willRetry)
        case .fallbackUsed(let type, let from, let to):
            try container.encode(type, forKey: .type)
            try container.encode(from, forKey: .from)
            try container.encode(to, forKey: .to)
        case .queued(let type, let depth):
            try container.encode(type, forKey: .type)
            try container.encode(depth, forKey: .depth)
        case .queueFlushed(let count), .missed(let count):
            try container.encode(count, forKey: .count)
        case .healthChanged(let health):
            try health.encode(to: encoder)
        case .recoveryFailed(let error):
            try container.encode(error, forKey: .error)
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
