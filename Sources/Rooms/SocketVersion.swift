/// The version of the socket protocol that a device uses (contract, section 3).
package enum SocketVersion: Sendable {
    case one
    case two
}
