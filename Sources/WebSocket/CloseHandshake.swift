/// The state of the closing handshake (RFC 6455 §7).
package struct CloseHandshake: Sendable {
    package enum Phase: Sendable {
        /// Neither side has sent a close frame. Goes to `sent`, `received` or `done`.
        case open
        /// We have sent a close frame, and wait for the answer. Goes to `done`.
        case sent
        /// The peer has sent a close frame, and our answer is being written. Goes to `done`.
        case received
        /// The handshake is over; the transport is to be closed.
        case done
    }

    package enum Step: Equatable, Sendable {
        /// Write a close frame; an empty one if there is no code.
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

    /// Takes our wish to close.
    package mutating func closeWanted(_ code: CloseCode) -> Step {
        switch phase {
        case .open:
            phase = .sent
            return .send(code)
        case .sent, .received, .done:
            return .nothing
        }
    }

    /// Takes the event that everything up to our close frame has been written.
    package mutating func closeWritten() -> Step {
        switch phase {
        case .received:
            phase = .done
            return .closeTransport
        case .open, .sent, .done:
            return .nothing
        }
    }

    /// Takes the event that the peer did not answer in time, broke the protocol, or ended its bytes.
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
