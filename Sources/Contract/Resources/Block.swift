extension Routes {
    public static let blocks = "/v1/blocks"
    /// Returns the path of the block of the person with that registration.
    public static func block(_ registration: Identifier) -> String { "\(blocks)/\(registration)" }
}

/// A person that the server does not match with the caller. The blocked person is not notified.
public struct Block: Codable, Hashable, Sendable {
    /// The registration by which the person was blocked. Each of their registrations in a shared room
    /// identifies the same person.
    public var registrationId: Identifier
    /// The person's current name.
    public var name: String
    public var createdAt: Timestamp
    /// The report, which only operators read; nil if there is none.
    public var report: String?

    public init(registrationId: Identifier, name: String, createdAt: Timestamp, report: String? = nil) {
        self.registrationId = registrationId
        self.name = name
        self.createdAt = createdAt
        self.report = report
    }
}

/// The answer of `GET /v1/blocks`, newest first.
public struct BlockList: Codable, Hashable, Sendable {
    public var blocks: [Block]
    /// The cursor of the next page; nil on the last one.
    public var nextCursor: String?

    public init(blocks: [Block], nextCursor: String? = nil) {
        self.blocks = blocks
        self.nextCursor = nextCursor
    }
}

/// The body of `POST /v1/blocks`.
public struct NewBlock: RequestBody {
    /// The registration of the person in a shared room.
    public var registrationId: Identifier
    /// A report for the operators: 1 to 2000 characters, with line feeds.
    public var report: String?

    public static let members: [BodyMember] = [
        .word("registrationId", BodyMember.id), .text("report", .report),
    ]

    public init(registrationId: Identifier, report: String? = nil) {
        self.registrationId = registrationId
        self.report = report
    }

    public init(_ reader: inout RequestReader) throws(RequestError) {
        registrationId = reader.id("registrationId")
        report = reader.optionalText("report", .report)
    }
}
