/// What somebody else's server answered.
package struct OutboundResponse: Sendable {
    package let status: Int
    /// In the order of their arrival, names in lower case.
    package let headers: [(name: String, value: String)]
    /// As much as is read of any.
    package let body: [UInt8]

    package init(status: Int, headers: [(name: String, value: String)], body: [UInt8]) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    /// The first of that name, which is given in lower case.
    package func header(_ name: String) -> String? { headers.first { $0.name == name }?.value }
}
