/// The answer of `POST` and `GET /v1/registrations`.
public struct RegistrationList: Codable, Hashable, Sendable {
    public var registrations: [Registration]
    /// The cursor of the next page; left out on the last one.
    public var nextCursor: String?

    public init(registrations: [Registration], nextCursor: String? = nil) {
        self.registrations = registrations
        self.nextCursor = nextCursor
    }
}
