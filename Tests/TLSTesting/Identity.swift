/// Who a server says that it is, in PEM.
package struct Identity: Sendable {
    /// Its own certificate, and those of authorities between it and the root.
    package let chain: [UInt8]
    package let key: [UInt8]
}
