/// The answer of a third party's server.
package struct OutboundResponse: Sendable {
    package let status: Int
    /// The header fields in the order of their arrival, names in lower case.
    package let headers: [(name: String, value: String)]
    /// The body, up to the configured maximum.
    package let body: [UInt8]

    /// Returns the value of the first field of that name, which is given in lower case.
    package func header(_ name: String) -> String? { headers.first { $0.name == name }?.value }
}
