/// The protocol of an endpoint.
public enum EndpointKind: String, CaseIterable, Codable, Hashable, Sendable {
    /// A POST to a program, as in Standard Webhooks.
    case webhook
    /// A push to the app on one of Apple's devices.
    case apns
    /// A push to a browser (RFC 8030).
    case webpush
}
