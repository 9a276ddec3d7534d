public import Contract
import HTTP1

extension APIClient {
    /// Does not meet somebody again, from the next match on. `registration` is one of theirs that shared a
    /// room with one of the caller's; another one of the same person names the same block. They are not told.
    ///
    /// Throws a problem: `notFound` for whom the caller never met, `limitReached` beyond
    /// `Limits.peopleMarked`. A `report` is for the operators, and replaces the one before.
    @discardableResult
    public func block(_ registration: Identifier, report: String? = nil) async throws(ClientError) -> Block {
        try await submit(
            Block.self, .post, Routes.blocks, NewBlock(registrationId: registration, report: report))
    }

    /// Takes a block back. What was never said is no error.
    public func unblock(_ registration: Identifier) async throws(ClientError) {
        _ = try await send(.delete, Routes.block(registration))
    }

    /// One page of the caller's blocks, newest first.
    public func blocks(limit: Int? = nil, cursor: String? = nil) async throws(ClientError) -> BlockList {
        try await fetch(
            BlockList.self, Routes.blocks, [("limit", limit.map { String($0) }), ("cursor", cursor)])
    }

    /// Meets somebody again where that can be had. Whom, and what it throws, is as with `block`.
    @discardableResult
    public func addFavourite(_ registration: Identifier) async throws(ClientError) -> Favourite {
        try await submit(
            Favourite.self, .post, Routes.favourites, NewFavourite(registrationId: registration))
    }

    /// Takes a favourite back. What was never said is no error.
    public func removeFavourite(_ registration: Identifier) async throws(ClientError) {
        _ = try await send(.delete, Routes.favourite(registration))
    }

    /// One page of the caller's favourites, newest first.
    public func favourites(limit: Int? = nil, cursor: String? = nil) async throws(ClientError)
        -> FavouriteList
    {
        try await fetch(
            FavouriteList.self, Routes.favourites,
            [("limit", limit.map { String($0) }), ("cursor", cursor)])
    }

    /// How the caller's sessions went.
    public func stats() async throws(ClientError) -> Stats { try await fetch(Stats.self, Routes.stats) }

    /// Why the caller meets the others in a room, as things stood when they met.
    public func explanation(ofRoom id: Identifier) async throws(ClientError) -> Explanation {
        try await fetch(Explanation.self, Routes.explanation(ofRoom: id))
    }
}
