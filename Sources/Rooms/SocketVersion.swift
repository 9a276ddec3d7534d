/// How a device speaks (contract, section 3).
package enum SocketVersion: Sendable {
    case one
    case two
}
