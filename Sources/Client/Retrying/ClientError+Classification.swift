import Contract

extension ClientError {
    /// Whether the same call can succeed a little later.
    ///
    /// | error | transient | because |
    /// |---|---|---|
    /// | `network` | yes | faults of networks are often temporary |
    /// | `timedOut` | yes | the server may be slow, or the answer was lost |
    /// | `problem` 408, 429, 502, 503, 504 | yes | the server asks for a later attempt |
    /// | `problem` `too-many-devices` (429) | no | a device has to leave first |
    /// | `problem` `too-many-registrations` (429) | no | a registration has to end first |
    /// | `problem` `idempotency-key-under-way` (409) | yes | the same call is about to be answered |
    /// | `problem` 500 | no | the same call would meet the same fault |
    /// | any other `problem` | no | the server refuses the call itself |
    /// | `badAddress`, `badMessage` | no | the caller has to change something |
    /// | `untrusted` | no | the server cannot prove its identity |
    /// | `unexpected` | no | another service or version has answered |
    /// | `queueFull`, `storage` | no | the obstacle is on this machine |
    /// | `cancelled` | no | no caller waits |
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
        if case .problem(let problem) = self {
            problem.status == ProblemName.unauthenticated.status
        } else {
            false
        }
    }

    static func isTransient(status: Int) -> Bool { [408, 429, 502, 503, 504].contains(status) }
}
