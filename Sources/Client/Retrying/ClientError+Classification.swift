import Contract

extension ClientError {
    /// Whether the same call can succeed a little later.
    ///
    /// | error | transient | because |
    /// |---|---|---|
    /// | `network` | yes | not reachable, delivery failed or reply failed: such faults are often temporary |
    /// | `timedOut` | yes | the server may be slow, or the answer was lost |
    /// | `problem` 408, 429, 502, 503, 504 | yes | the server says that it is a matter of time |
    /// | `problem` `too-many-devices` (429) | no | it ends when a device leaves, and not by itself |
    /// | `problem` `too-many-registrations` (429) | no | it ends when a registration does |
    /// | `problem` `idempotency-key-under-way` (409) | yes | the same call is about to be answered |
    /// | `problem` 500 | no | a fault of the server, which the same call would meet again |
    /// | any other `problem` | no | the call itself is refused |
    /// | `badAddress`, `badMessage` | no | the caller has to change something |
    /// | `untrusted` | no | the server cannot prove its identity |
    /// | `unexpected` | no | it is not this service, or not this version |
    /// | `queueFull`, `storage` | no | the obstacle is on this machine |
    /// | `cancelled` | no | no caller waits any more |
    ///
    /// A call with a transient error can have taken effect. A POST can be repeated with the same idempotency
    /// key only.
    public var isTransient: Bool {
        switch self {
        case .network, .timedOut: true
        case .problem(let problem):
            problem.name == .keyUnderWay
                || Self.isTransient(status: problem.status) && problem.name != .tooManyDevices
                    && problem.name != .tooManyRegistrations
        case .badAddress, .untrusted, .unexpected, .cancelled, .queueFull, .badMessage, .storage: false
        }
    }

    /// Whether the service does not take the token (401).
    var isUnauthenticated: Bool {
        switch self {
        case .problem(let problem): problem.status == ProblemName.unauthenticated.status
        case .badAddress, .network, .untrusted, .timedOut, .unexpected, .cancelled, .queueFull, .badMessage,
            .storage:
            false
        }
    }

    static func isTransient(status: Int) -> Bool { [408, 429, 502, 503, 504].contains(status) }
}
