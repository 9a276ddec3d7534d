import Contract
import Database
import HTTP1
package import HTTPServer
import Postgres

/// The calls for blocks and favourites.
package struct PeopleEndpoints: EndpointGroup {
    package let rest: REST

    package init(_ rest: REST) { self.rest = rest }

    package func add(to router: inout Router) {
        router.on(.post, Routes.blocks, body: NewBlock.maximumBytes, rest.keyed(addBlock))
        router.on(.get, Routes.blocks, rest.signedIn(listBlocks))
        router.on(.delete, Routes.blocks + "/{registrationId}", rest.signedIn(remover(from: .blocks)))
        router.on(.post, Routes.favourites, body: NewFavourite.maximumBytes, rest.keyed(addFavourite))
        router.on(.get, Routes.favourites, rest.signedIn(listFavourites))
        router.on(.delete, Routes.favourites + "/{registrationId}", rest.signedIn(remover(from: .favourites)))
    }

    private func addBlock(_ user: SignedInUser, _ keyed: KeyedRequest) async throws -> HTTPResponse {
        let body = try keyed.request.read(NewBlock.self)
        let new = PeopleList.Request(
            user: user.id, registration: body.registrationId, report: body.report, now: application.now())
        return try await add(new, to: .blocks, keyed) { try Answer.json(Block($0), status: $1) }
    }

    private func addFavourite(_ user: SignedInUser, _ keyed: KeyedRequest) async throws -> HTTPResponse {
        let body = try keyed.request.read(NewFavourite.self)
        let new = PeopleList.Request(
            user: user.id, registration: body.registrationId, now: application.now())
        return try await add(new, to: .favourites, keyed) { try Answer.json(Favourite($0), status: $1) }
    }

    /// Adds an entry. `answer` makes the answer from it and the status.
    private func add(
        _ new: PeopleList.Request, to list: PeopleList, _ keyed: KeyedRequest,
        _ answer: (PeopleList.Entry, Int) throws -> HTTPResponse
    ) async throws -> HTTPResponse {
        try await PeopleList.adding {
            try await keyed.transaction(in: application.database(keyed.request.loop)) { connection in
                let (entry, isNew) = try await list.add(new, on: connection)
                return Answer.preferred(try answer(entry, isNew ? 201 : 200), for: keyed.request)
            }
        }
    }

    private func listBlocks(_ user: SignedInUser, _ request: HTTPRequest) async throws -> HTTPResponse {
        let (entries, next) = try await page(of: .blocks, user, request)
        let list = BlockList(blocks: entries.map { Block($0) }, nextCursor: next)
        return try Answer.page(list, of: Routes.blocks, next: next, for: request)
    }

    private func listFavourites(_ user: SignedInUser, _ request: HTTPRequest) async throws -> HTTPResponse {
        let (entries, next) = try await page(of: .favourites, user, request)
        let list = FavouriteList(favourites: entries.map { Favourite($0) }, nextCursor: next)
        return try Answer.page(list, of: Routes.favourites, next: next, for: request)
    }

    private func page(
        of list: PeopleList, _ user: SignedInUser, _ request: HTTPRequest
    ) async throws -> (entries: [PeopleList.Entry], next: String?) {
        let query = QueryReader(request.query)
        let limit = try query.limit()
        // One entry more than is asked for shows whether there is a next page.
        let entries = try await list.read(
            of: user.id, after: try query.cursor { Identifier($0) }, limit: limit + 1,
            from: application.database(request.loop))
        guard entries.count > limit else { return (entries, nil) }
        return (Array(entries.prefix(limit)), entries[limit - 1].registration.description)
    }

    private func remover(
        from list: PeopleList
    ) -> @Sendable (SignedInUser, HTTPRequest) async throws -> HTTPResponse {
        { user, request in
            let removal = PeopleList.Request(
                user: user.id, registration: try request.id(), now: application.now())
            try await list.remove(removal, from: application.database(request.loop))
            return HTTPResponse(status: 204)
        }
    }
}

extension Block {
    init(_ entry: PeopleList.Entry) {
        self.init(
            registrationId: entry.registration, name: entry.name, createdAt: entry.createdAt,
            report: entry.report)
    }
}

extension Favourite {
    init(_ entry: PeopleList.Entry) {
        self.init(registrationId: entry.registration, name: entry.name, createdAt: entry.createdAt)
    }
}
