/// The answer of `GET /v1/blocks`, newest first.
public struct BlockList: Codable, Hashable, Sendable {
    public var blocks: [Block]
    /// The cursor of the next page; left out on the last one.
    public var nextCursor: String?

    public init(blocks: [Block], nextCursor: String? = nil) {
        self.blocks = blocks
        self.nextCursor = nextCursor
    }
}
