/// The action of a client after a room's socket has been closed.
public enum CloseAdvice: Hashable, Sendable {
    /// The client does not reconnect.
    case stop
    /// The client reconnects after a wait that grows.
    case backOff
    /// The client reconnects after a short wait with jitter.
    case reconnect
    /// The client reconnects immediately, to the address of the `moved` message.
    case atOnce

    /// Chooses by the code of the close frame; 1006 stands for a connection that broke without one (RFC 6455
    /// §7.1.5).
    public init(code: UInt16) {
        switch code {
        case 1000, 1002, 1003, 1007, 1008, 1009, 1010: self = .stop
        case 1001, 1005, 1006, 1012: self = .reconnect
        case 1011, 1013, 1014, 1015: self = .backOff
        case 4000...4099: self = .stop
        case 4100...4199: self = .backOff
        case 4200...4299: self = .atOnce
        default: self = .backOff  // Unknown codes: reconnect with back-off.
        }
    }
}
