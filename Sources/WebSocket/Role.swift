/// The side of a connection that we are on. A server takes masked frames only, a client unmasked ones (RFC
/// 6455 §5.1).
package enum Role: Sendable {
    case server
    case client
}
