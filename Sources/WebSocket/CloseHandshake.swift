/// RFC 6455 §7: who has said goodbye so far.
package struct CloseHandshake: Sendable {
    package enum Phase: Sendable {
        /// Nobody has. Goes to `sent`, `received` or `done`.
        case open
        /// We have, and wait for the answer. Goes to `done`.
        case sent
        /// The peer has, and our answer is on its way out. Goes to `done`.
        case received
        /// Nothing is left but to close the transport.
        case done
    }

    package enum Step: Equatable, Sendable {
        /// Write a close frame; without a code an empty one.
        case send(CloseCode?)
        case closeTransport
        case nothing
    }

    package private(set) var phase = Phase.open

    package init() {}

    /// Whether messages may still be sent.
    package var isOpen: Bool {
        switch phase {
        case .open: true
        case .sent, .received, .done: false
        }
    }

    package mutating func closeReceived(_ code: CloseCode?) -> Step {
        switch phase {
        case .open:
            phase = .received
            return .send(code)  // §5.5.1: echo the peer's code.
        case .sent:
            phase = .done
            return .closeTransport
        case .received, .done:
            return .nothing
        }
    }

    /// We want to close.
    package mutating func closeWanted(_ code: CloseCode) -> Step {
        switch phase {
        case .open:
            phase = .sent
            return .send(code)
        case .sent, .received, .done:
            return .nothing
        }
    }

    /// Everything up to our close frame has left.
    package mutating func closeWritten() -> Step {
        switch phase {
        case .received:
            phase = .done
            return .closeTransport
        case .open, .sent, .done:
            return .nothing
        }
    }

    /// The peer did not answer in time, or broke the protocol, or its bytes ended.
    package mutating func abandon() -> Step {
        switch phase {
        case .open, .sent, .received:
            phase = .done
            return .closeTransport
        case .done:
            return .nothing
        }
    }
}
