import Client
import ClientTesting
import Contract
import HTTP1
import HTTPServer
import Testing

@Suite("The calls that make a change conditional")
struct APIClientConditionTests {
    private static let tag = "\"abc\""
    private static let registration = Registration(
        id: Sample.other, slot: SlotSpan(startsAt: Sample.start, endsAt: Sample.start.adding(.seconds(1800))),
        task: "Write", tag: nil, state: .registered, roomId: nil, createdAt: Sample.start,
        updatedAt: Sample.start)

    /// Starts a server whose account and registration are in the state of the tag, and are changed only with
    /// it, or without any condition.
    private static func server() async throws -> ScriptedServer {
        @Sendable func check(_ request: HTTPRequest, _ answer: HTTPResponse) -> HTTPResponse {
            let condition = request.head.headers.first("if-match")
            return condition == nil || condition == tag
                ? answer : .problem(.preconditionFailed, "Read again.")
        }
        @Sendable func tagged(_ answer: HTTPResponse) -> HTTPResponse {
            var answer = answer
            answer.headers.append("ETag", tag)
            return answer
        }
        let user = UserAnswer(
            user: User(id: Sample.me, name: "Ann", timeZone: "UTC", createdAt: Sample.start))
        return try await ScriptedServer { router, _ in
            router.immediate(.get, Routes.me) { _ in tagged(.json(user)) }
            router.immediate(.patch, Routes.me) { check($0, .json(user)) }
            router.immediate(.get, Routes.registrations + "/{id}") { _ in tagged(.json(Self.registration)) }
            router.immediate(.patch, Routes.registrations + "/{id}") { check($0, .json(Self.registration)) }
        }
    }

    @Test("send the tag that was read, and throw where it is not the current one")
    func tags() async throws {
        let server = try await Self.server()
        let api = try APIClient(server: Server(server.url), token: "t")
        let me = try await api.taggedMe()
        #expect(me.tag == Self.tag && me.value.name == "Ann")
        #expect(try await api.changeMe(UserPatch(name: "Ann"), ifMatch: me.tag).name == "Ann")
        #expect(try await api.changeMe(UserPatch(name: "Ann")).name == "Ann")
        let registration = try await api.taggedRegistration(Self.registration.id)
        #expect(registration.tag == Self.tag && registration.value == Self.registration)
        let patch = RegistrationPatch(task: "Read")
        _ = try await api.changeRegistration(Self.registration.id, patch, ifMatch: registration.tag)
        await expectRefusal { _ = try await api.changeMe(UserPatch(), ifMatch: "\"old\"") }
        await expectRefusal {
            _ = try await api.changeRegistration(Self.registration.id, patch, ifMatch: "\"old\"")
        }
    }

    @Test("slots are read again only where they have changed, whatever the tag is of")
    func unchanged() async throws {
        let date = try #require(LocalDate("2027-03-01"))
        let list = SlotList(date: date, timeZone: "UTC", slots: [])
        let server = try await ScriptedServer(.get, Routes.slots) { request in
            var answer = HTTPResponse.json(list)
            if request.head.headers.first("if-none-match") == "W/\"now\"" {
                answer = HTTPResponse(status: 304)
            }
            answer.headers.append("ETag", "W/\"now\"")
            return answer
        }
        let api = try APIClient(server: Server(server.url), token: "t")
        let read = try #require(try await api.slots(date: date, unlessTagged: nil))
        #expect(read.value == list && read.tag == "W/\"now\"")
        #expect(try await api.slots(date: date, unlessTagged: read.tag) == nil)
        #expect(try await api.slots(date: date, unlessTagged: "W/\"then\"")?.value == list)
    }

    private func expectRefusal(_ change: () async throws -> Void) async {
        let error = await #expect(throws: ClientError.self) { try await change() }
        #expect(error?.kind == "problem:precondition-failed")
    }
}
