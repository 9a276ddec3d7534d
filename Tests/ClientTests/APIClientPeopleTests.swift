import Client
import ClientTesting
import Contract
import HTTP1
import HTTPServer
import Testing

@Suite("The calls about people")
struct APIClientPeopleTests {
    private static let page = [("limit", "2"), ("cursor", "c 1")]
    private static let stats = Stats(
        attended: 3, missed: 1, lateCancellations: 0,
        punctuality: Stats.Punctuality(medianSeconds: 12, meanSeconds: 40), currentStreak: 2,
        longestStreak: 2, alesSent: 5, alesReceived: 4, partnersMet: 2,
        outcomes: Stats.Outcomes(done: 2, partly: 1, not: 0))

    @Test("block with a report, list and take back")
    func blocks() async throws {
        let block = Block(
            registrationId: Sample.partner, name: "Bob", createdAt: Sample.start, report: "Rude.")
        let server = try await ScriptedServer { router, _ in
            router.immediate(.post, Routes.blocks) { request in
                guard let body = try? NewBlock(bytes: request.body),
                    body == NewBlock(registrationId: Sample.partner, report: "Rude.")
                else { return .problem(.invalid, "\(request.body)") }
                return .json(block, status: 201)
            }
            router.immediate(.get, Routes.blocks) { request in
                Self.isPage(request)
                    ? .json(BlockList(blocks: [block], nextCursor: "d")) : .problem(.unreadable, "")
            }
            router.immediate(.delete, Routes.blocks + "/{id}") { request in
                request.parameters == [Sample.partner.description]
                    ? HTTPResponse(status: 204) : .problem(.notFound, "")
            }
        }
        let api = try APIClient(server: Server(server.url), token: "t")
        #expect(try await api.block(Sample.partner, report: "Rude.") == block)
        #expect(
            try await api.blocks(limit: 2, cursor: "c 1") == BlockList(blocks: [block], nextCursor: "d"))
        try await api.unblock(Sample.partner)
        await #expect(throws: ClientError.self) { try await api.unblock(Sample.me) }
    }

    @Test("say how many people are in rooms now, also to clients without a token")
    func now() async throws {
        let now = PeopleNow(time: Sample.start, peopleInRooms: 312)
        let server = try await ScriptedServer(.get, Routes.now) { request in
            request.head.headers.contains("authorization") ? .problem(.unreadable, "") : .json(now)
        }
        #expect(try await APIClient(server: Server(server.url)).now() == now)
    }

    @Test("mark favourites, list and take back")
    func favourites() async throws {
        let favourite = Favourite(registrationId: Sample.partner, name: "Bob", createdAt: Sample.start)
        let server = try await ScriptedServer { router, _ in
            router.immediate(.post, Routes.favourites) { request in
                (try? NewFavourite(bytes: request.body)) == NewFavourite(registrationId: Sample.partner)
                    ? .json(favourite) : .problem(.limitReached, "You have 1000 favourites.")
            }
            router.immediate(.get, Routes.favourites) { request in
                Self.isPage(request)
                    ? .json(FavouriteList(favourites: [favourite])) : .problem(.unreadable, "")
            }
            router.immediate(.delete, Routes.favourites + "/{id}") { _ in HTTPResponse(status: 204) }
        }
        let api = try APIClient(server: Server(server.url), token: "t")
        #expect(try await api.addFavourite(Sample.partner) == favourite)
        #expect(
            try await api.favourites(limit: 2, cursor: "c 1") == FavouriteList(favourites: [favourite]))
        try await api.removeFavourite(Sample.partner)
        let error = await #expect(throws: ClientError.self) { try await api.addFavourite(Sample.me) }
        #expect(error?.kind == "problem:limit-reached")
    }

    @Test("read the figures and the explanation of a room")
    func figures() async throws {
        let member = ExplainedMember(
            id: Sample.partner, name: "Bob",
            reasons: [MeetingReason(.metBefore, "You have met before.", lastMetAt: Sample.start)])
        let explanation = Explanation(roomId: Sample.room, message: "You meet Bob here.", members: [member])
        let server = try await ScriptedServer { router, _ in
            router.immediate(.get, Routes.stats) { _ in .json(Self.stats) }
            router.immediate(.get, Routes.rooms + "/{id}/explanation") { request in
                request.parameters == [Sample.room.description]
                    ? .json(explanation) : .problem(.notFound, "")
            }
        }
        let api = try APIClient(server: Server(server.url), token: "t")
        #expect(try await api.stats() == Self.stats)
        #expect(try await api.explanation(ofRoom: Sample.room) == explanation)
    }

    private static func isPage(_ request: HTTPRequest) -> Bool {
        page.allSatisfy { request.query.all($0.0) == [$0.1] }
    }
}
