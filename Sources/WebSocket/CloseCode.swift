/// The code that says why a connection is closed (RFC 6455 §7.4).
package struct CloseCode: RawRepresentable, Hashable, Sendable {
    package let rawValue: UInt16

    package init(rawValue: UInt16) { self.rawValue = rawValue }

    package static let normal = CloseCode(rawValue: 1000)
    package static let goingAway = CloseCode(rawValue: 1001)
    package static let protocolError = CloseCode(rawValue: 1002)
    package static let unsupportedData = CloseCode(rawValue: 1003)
    /// The peer's close frame had no code; never on the wire.
    package static let noStatus = CloseCode(rawValue: 1005)
    /// The connection ended without a close frame; never on the wire.
    package static let abnormal = CloseCode(rawValue: 1006)
    package static let invalidText = CloseCode(rawValue: 1007)
    package static let policyViolation = CloseCode(rawValue: 1008)
    package static let messageTooBig = CloseCode(rawValue: 1009)
    package static let missingExtension = CloseCode(rawValue: 1010)
    package static let internalError = CloseCode(rawValue: 1011)
    package static let serviceRestart = CloseCode(rawValue: 1012)
    package static let tryAgainLater = CloseCode(rawValue: 1013)
    package static let badGateway = CloseCode(rawValue: 1014)

    /// Whether a close frame may carry the code: one registered for the wire, or for libraries and
    /// applications.
    package var mayBeSent: Bool {
        switch rawValue {
        case 1000...1003, 1007...1014, 3000...4999: true
        default: false
        }
    }
}
