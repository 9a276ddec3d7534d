/// How an endpoint is spoken to.
public enum EndpointKind: String, CaseIterable, Codable, Hashable, Sendable {
    /// A POST to a program, as Standard Webhooks has it.
    case webhook
    /// A push to the app on one of Apple's devices.
    case apns
    /// A push to a browser (RFC 8030).
    case webpush
}
