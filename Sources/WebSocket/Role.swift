/// Which side of a connection we are. A server takes masked frames only, a client unmasked ones (RFC 6455
/// §5.1).
package enum Role: Sendable {
    case server
    case client
}
