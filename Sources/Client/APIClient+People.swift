public import Contract
import HTTP1

extension APIClient {
    /// Blocks a person, from the next match on. `registration` is a registration of theirs in a room that the
    /// caller shared; each of these identifies the same person. The blocked person is not notified.
    ///
    /// A `report` is for the operators, and replaces the previous one. Throws a problem: `notFound` for a
    /// person without a shared room, `limitReached` beyond `Limits.peopleMarked`.
    @discardableResult
    public func block(_ registration: Identifier, report: String? = nil) async throws(ClientError) -> Block {
        try await submit(
            Block.self, .post, Routes.blocks, NewBlock(registrationId: registration, report: report))
    }

    /// Removes a block. It can be repeated.
    public func unblock(_ registration: Identifier) async throws(ClientError) {
        _ = try await send(.delete, Routes.block(registration))
    }

    /// Returns one page of the caller's blocks, newest first.
    public func blocks(limit: Int? = nil, cursor: String? = nil) async throws(ClientError) -> BlockList {
        try await fetchPage(BlockList.self, Routes.blocks, limit, cursor)
    }

    /// Adds a favorite: a person that the server prefers as a partner of the caller. Its argument and its
    /// errors are those of `block`.
    @discardableResult
    public func addFavourite(_ registration: Identifier) async throws(ClientError) -> Favourite {
        try await submit(
            Favourite.self, .post, Routes.favourites, NewFavourite(registrationId: registration))
    }

    /// Removes a favorite. It can be repeated.
    public func removeFavourite(_ registration: Identifier) async throws(ClientError) {
        _ = try await send(.delete, Routes.favourite(registration))
    }

    /// Returns one page of the caller's favorites, newest first.
    public func favourites(limit: Int? = nil, cursor: String? = nil) async throws(ClientError)
        -> FavouriteList
    {
        try await fetchPage(FavouriteList.self, Routes.favourites, limit, cursor)
    }

    /// Returns statistics about the caller's sessions.
    public func stats() async throws(ClientError) -> Stats { try await fetch(Stats.self, Routes.stats) }

    /// Returns the reasons for which the caller was matched with the others in a room, as of that time.
    public func explanation(ofRoom id: Identifier) async throws(ClientError) -> Explanation {
        try await fetch(Explanation.self, Routes.explanation(ofRoom: id))
    }
}
