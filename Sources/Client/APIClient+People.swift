public import Contract
import HTTP1

extension APIClient {
    /// Blocks a person: from the next match on the caller does not meet them again. `registration` is one of
    /// theirs that shared a room with one of the caller's; another one of the same person names the same
    /// block. The blocked person is not notified.
    ///
    /// Throws a problem: `notFound` for a person the caller never met, `limitReached` beyond
    /// `Limits.peopleMarked`. A `report` is for the operators, and replaces the previous one.
    @discardableResult
    public func block(_ registration: Identifier, report: String? = nil) async throws(ClientError) -> Block {
        try await submit(
            Block.self, .post, Routes.blocks, NewBlock(registrationId: registration, report: report))
    }

    /// Removes a block. A block that does not exist is no error.
    public func unblock(_ registration: Identifier) async throws(ClientError) {
        _ = try await send(.delete, Routes.block(registration))
    }

    /// Returns one page of the caller's blocks, newest first.
    public func blocks(limit: Int? = nil, cursor: String? = nil) async throws(ClientError) -> BlockList {
        try await fetch(
            BlockList.self, Routes.blocks, [("limit", limit.map { String($0) }), ("cursor", cursor)])
    }

    /// Adds a favourite: a person the caller would like to meet again. The registration and the errors are as
    /// with `block`.
    @discardableResult
    public func addFavourite(_ registration: Identifier) async throws(ClientError) -> Favourite {
        try await submit(
            Favourite.self, .post, Routes.favourites, NewFavourite(registrationId: registration))
    }

    /// Removes a favourite. A favourite that does not exist is no error.
    public func removeFavourite(_ registration: Identifier) async throws(ClientError) {
        _ = try await send(.delete, Routes.favourite(registration))
    }

    /// Returns one page of the caller's favourites, newest first.
    public func favourites(limit: Int? = nil, cursor: String? = nil) async throws(ClientError)
        -> FavouriteList
    {
        try await fetch(
            FavouriteList.self, Routes.favourites,
            [("limit", limit.map { String($0) }), ("cursor", cursor)])
    }

    /// Returns statistics about the caller's sessions.
    public func stats() async throws(ClientError) -> Stats { try await fetch(Stats.self, Routes.stats) }

    /// Returns the reasons for which the caller meets the others in a room, as things stood when they met.
    public func explanation(ofRoom id: Identifier) async throws(ClientError) -> Explanation {
        try await fetch(Explanation.self, Routes.explanation(ofRoom: id))
    }
}
