/// Admits one request to each new connection until it is answered, and then all. Apple's push service allows
/// a connection one stream until it has seen a valid token.
struct FirstAnswerGate<Request: Hashable> {
    struct Connection: Hashable {
        let localPort: UInt16
        let peer: String
    }

    enum Ending {
        /// The service has answered, with any status.
        case answered
        /// The connection is gone, or must be taken for gone.
        case unanswered
        /// The request was given up, which proves nothing about the connection.
        case unused
    }

    /// The requests that stop waiting.
    struct Released: Equatable {
        /// The requests that are to be sent.
        var sent: [Request] = []
        /// The requests that fail with the first one.
        var failed: [Request] = []
    }

    private enum State {
        case trying(first: Request, waiting: [Request])
        case open
    }

    private var states: [Connection: State] = [:]

    /// Whether the request may be sent over the connection now.
    mutating func admits(_ request: Request, to connection: Connection) -> Bool {
        switch states[connection] {
        case nil:
            states[connection] = .trying(first: request, waiting: [])
            return true
        case .trying(let first, _): return first == request
        case .open: return true
        }
    }

    /// Makes a request that was not admitted wait for the first answer. Returns false if the connection is no
    /// longer being tried, so that the request can be sent at once.
    mutating func wait(_ request: Request, for connection: Connection) -> Bool {
        guard case .trying(let first, let waiting) = states[connection] else { return false }
        states[connection] = .trying(first: first, waiting: waiting + [request])
        return true
    }

    /// Records the end of a request, whether it was sent or waited.
    mutating func ended(_ request: Request, _ ending: Ending) -> Released {
        var released = Released()
        for (connection, state) in states {
            guard case .trying(let first, let waiting) = state else { continue }
            guard first == request else {
                states[connection] = .trying(first: first, waiting: waiting.filter { $0 != request })
                continue
            }
            switch ending {
            case .answered:
                states[connection] = .open
                released.sent += waiting
            case .unanswered:
                states[connection] = nil
                released.failed += waiting
            case .unused:
                states[connection] = nil
                released.sent += waiting
            }
        }
        return released
    }

    /// Forgets the connections from a local port that was closed. Returns the requests that waited for them.
    mutating func closed(_ localPort: UInt16) -> [Request] {
        var released: [Request] = []
        for (connection, state) in states where connection.localPort == localPort {
            states[connection] = nil
            if case .trying(_, let waiting) = state { released += waiting }
        }
        return released
    }
}
