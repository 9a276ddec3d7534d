/// The one of Apple's two services that knows a device's token.
public enum PushEnvironment: String, CaseIterable, Codable, Hashable, Sendable {
    case production, sandbox
}
