/// The code that says why a connection is closed (RFC 6455 §7.4).
package struct CloseCode: RawRepresentable, Hashable, Sendable {
    package let rawValue: UInt16

    package init(rawValue: UInt16) { self.rawValue = rawValue }

    package static let normal = CloseCode(rawValue: 1000)
    package static let goingAway = CloseCode(rawValue: 1001)
    package static let protocolError = CloseCode(rawValue: 1002)
    /// The peer's close frame had no code; never on the wire.
    package static let noStatus = CloseCode(rawValue: 1005)
    package static let invalidText = CloseCode(rawValue: 1007)
    package static let policyViolation = CloseCode(rawValue: 1008)
    package static let messageTooBig = CloseCode(rawValue: 1009)
    package static let serviceRestart = CloseCode(rawValue: 1012)

    /// Whether a close frame may carry the code: one registered for the wire, or for libraries and
    /// applications.
    package var mayBeSent: Bool {
        switch rawValue {
        case 1000...1003, 1007...1014, 3000...4999: true
        default: false
        }
    }
}
