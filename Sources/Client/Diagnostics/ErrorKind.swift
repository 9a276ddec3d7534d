import Contract

extension ClientError {
    /// A short stable word, for counters and searches.
    public var kind: String {
        switch self {
        case .badAddress: "badAddress"
        case .problem(let problem): "problem:\(problem.name?.rawValue ?? String(problem.status))"
        case .network: "network"
        case .untrusted: "untrusted"
        case .timedOut: "timedOut"
        case .unexpected: "unexpected"
        case .cancelled: "cancelled"
        case .queueFull: "queueFull"
        case .badMessage: "badMessage"
        case .storage: "storage"
        }
    }
}

extension CloseReason {
    /// A short stable word for the reason.
    public var kind: String {
        switch self {
        case .roomClosed: "roomClosed"
        case .left: "left"
        case .ended(let code, _): "close:\(code)"
        case .refused(let error): error.kind
        }
    }
}

extension Duration {
    /// The duration in milliseconds, with its fraction.
    var inMilliseconds: Double { self / .milliseconds(1) }
}
