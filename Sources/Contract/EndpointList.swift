/// The answer of `GET /v1/endpoints`, oldest first.
public struct EndpointList: Codable, Hashable, Sendable {
    public var endpoints: [Endpoint]

    public init(endpoints: [Endpoint]) {
        self.endpoints = endpoints
    }
}
