/// A server's certificates and key, in PEM.
package struct Identity: Sendable {
    /// The server's certificate, and those of authorities between it and the root.
    package let chain: [UInt8]
    package let key: [UInt8]
}
