extension Health: Encodable {
    private enum CodingKeys: String, CodingKey { case healthy, suggestion, text }

    /// Writes `{"healthy":false,"suggestion":"check-network","text":"…"}`.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(isHealthy, forKey: .healthy)
        if case .unhealthy(let suggestion) = self {
            try container.encode(suggestion, forKey: .suggestion)
            try container.encode(suggestion.text, forKey: .text)
        }
    }
}
