import ClientTesting
import Contract
import HTTP1
import HTTPServer
import Reactor
import Testing

@Suite("A command about endpoints")
struct EndpointCommandTests {
    private static let id = Sample.other.description

    private static func endpoint() -> Endpoint {
        Endpoint(
            id: Sample.other, kind: .webhook, url: "https://example.org/\u{1B}hook", types: ["room.opened"],
            createdAt: Sample.start)
    }

    private static func outcome(_ outcome: String, _ detail: String) -> EndpointOutcome {
        EndpointOutcome(
            id: "msg_1", type: "test", at: Sample.start, outcome: outcome, detail: Text(verbatim: detail),
            milliseconds: 35)
    }

    /// Starts a server with one webhook, and a disabled device where that is asked for.
    private static func serve(
        _ asked: Lock<[String]> = Lock([]), tested: EndpointOutcome = outcome("delivered", "200")
    ) async throws -> ScriptedServer {
        let one = Routes.endpoints + "/{id}"
        var device = Endpoint(
            id: Sample.me, kind: .apns, deviceToken: String(repeating: "0a", count: 32),
            environment: .sandbox, state: .disabled, reason: "410: Unre\u{1B}gistered",
            createdAt: Sample.start)
        device.outcomes = []
        var webhook = endpoint()
        webhook.outcomes = [tested, outcome("retried", "503")]
        let (all, made) = ([webhook, device], endpoint())
        return try await ScriptedServer { router, _ in
            router.immediate(.post, Routes.endpoints) { request in
                asked.withLock { $0.append(String(decoding: request.body, as: UTF8.self)) }
                var answer = made
                answer.secret = "whsec_c2VjcmV0"
                return .json(answer, status: 201)
            }
            router.immediate(.get, Routes.endpoints) { _ in .json(EndpointList(endpoints: all)) }
            router.immediate(.get, one) { request in
                guard let found = all.first(where: { [$0.id.description] == request.parameters }) else {
                    return .problem(.notFound, "No such endpoint.")
                }
                return .json(found)
            }
            router.immediate(.delete, one) { request in
                asked.withLock { $0.append("DELETE \(request.parameters)") }
                return HTTPResponse(status: 204)
            }
            router.immediate(.post, one + "/test") { _ in .json(tested) }
            let secret = EndpointSecret(secret: "whsec_bmV3", previousUntil: Sample.start)
            router.immediate(.post, one + "/secret") { _ in .json(secret, status: 201) }
        }
    }

    @Test("lists each with its state and its latest attempt, in safe lines of a terminal's width")
    func list() async throws {
        let outcomes = try await CommandProcess.run(
            [["endpoints"], ["endpoints", "--json"]], at: Self.serve())
        let expected = """
            \(Self.id)  webhook  active
              https://example.org/\u{FFFD}hook
              for room.opened
              Fri 2027-01-15 08:00 UTC  delivered: 200, in 35 ms
            \(Sample.me)  apns  disabled
              device 0a0a0a0a0a0a0a0… (sandbox)
              for all notifications
              Disabled: 410: Unre\u{FFFD}gistered. Replay it if it is a webhook; else add it again.

            """
        #expect(outcomes[0].output == expected, "\(outcomes[0].errors)")
        let list = try JSON.decode(EndpointList.self, from: Array(outcomes[1].output.utf8))
        #expect(list.endpoints.map { $0.outcomes?.count } == [2, 0])
    }

    @Test("shows one with its attempts, newest first, and ends with 4 where there is none")
    func show() async throws {
        let outcomes = try await CommandProcess.run(
            [["endpoints", "show", Self.id], ["endpoints", "show", "\(Sample.partner)"]], at: Self.serve())
        let expected = """
            Id       \(Self.id)
            Kind     webhook
            Address  https://example.org/\u{FFFD}hook
            For      room.opened
            Since    Fri 2027-01-15 08:00 UTC
            State    active

            The latest attempts:
            Fri 2027-01-15 08:00 UTC  test  delivered: 200, in 35 ms
            Fri 2027-01-15 08:00 UTC  test  retried: 503, in 35 ms

            """
        #expect(outcomes[0].output == expected, "\(outcomes[0].errors)")
        #expect(outcomes[1].status == 4)
    }

    @Test("adds a webhook for the types that are named, and shows its secret, alone where it is to be quiet")
    func add() async throws {
        let asked = Lock<[String]>([])
        let add = ["endpoints", "add", "webhook", "https://example.org/hook"]
        let outcomes = try await CommandProcess.run(
            [
                add, add + ["-q"], add + ["--json"],
                add + ["--types", "room.opened,room.changed", "--types", "room.opened"],
            ], at: Self.serve(asked))
        #expect(outcomes.allSatisfy { $0.status == 0 && $0.errors.isEmpty })
        let text = outcomes[0].output
        #expect(text.contains("\nwhsec_c2VjcmV0\n") && text.contains("shown this once"))
        #expect(text.contains("letsswitch endpoints test \(Self.id)"))
        #expect(outcomes[1].output == "whsec_c2VjcmV0\n")
        let made = try JSON.decode(Endpoint.self, from: Array(outcomes[2].output.utf8))
        #expect(made.secret == "whsec_c2VjcmV0")
        let body = #"{"kind":"webhook","url":"https://example.org/hook"}"#
        let some =
            #"{"kind":"webhook","types":["room.opened","room.changed"],"url":"https://example.org/hook"}"#
        #expect(asked.withLock { $0 } == [body, body, body, some])
    }

    @Test("removes, and rotates a secret")
    func others() async throws {
        let asked = Lock<[String]>([])
        let outcomes = try await CommandProcess.run(
            [
                ["endpoints", "remove", Self.id], ["endpoints", "remove", Self.id, "--json"],
                ["endpoints", "rotate", Self.id], ["endpoints", "rotate", Self.id, "-q"],
            ], at: Self.serve(asked))
        #expect(outcomes.allSatisfy { $0.status == 0 && $0.errors.isEmpty })
        #expect(outcomes[1].output == "{\"id\":\"\(Self.id)\",\"removed\":true}\n")
        #expect(outcomes[2].output.contains("\nwhsec_bmV3\n") && outcomes[2].output.contains("24 hours"))
        #expect(outcomes[3].output == "whsec_bmV3\n")
        #expect(asked.withLock { $0 } == Array(repeating: "DELETE [\"\(Self.id)\"]", count: 2))
    }

    @Test(
        "tests, with exit code 1 where it is not delivered",
        arguments: [
            ("delivered", "200", 0, "The test was delivered: 200, in 35 ms.\n", ""),
            (
                "exhausted", "50\u{1B}3", 1, "",
                "letsswitch: The test was not delivered: 50\u{FFFD}3.\n"
            ),
        ])
    func test(outcome: String, detail: String, code: Int32, output: String, errors: String) async throws {
        let server = try await Self.serve(tested: Self.outcome(outcome, detail))
        let test = ["endpoints", "test", Self.id]
        let outcomes = try await CommandProcess.run([test, test + ["--json"]], at: server)
        #expect(outcomes.map(\.status) == [code, code])
        #expect((outcomes[0].output, outcomes[0].errors) == (output, errors))
        let told = try JSON.decode(EndpointOutcome.self, from: Array(outcomes[1].output.utf8))
        #expect(told == Self.outcome(outcome, detail))
    }

    @Test(
        "refuses what makes no sense, and says what does",
        arguments: [
            (["endpoints", "lst"], "lst"), (["endpoints", "ad"], "endpoints add"),
            (["endpoints", "show"], "ID is missing"), (["endpoints", "test", "x"], "is no id"),
            (["endpoints", "add", "webhook"], "URL is missing"), (["webhook"], "webhook verify"),
            (["endpoints", "add", "apns", "x"], "by itself"),
            (["endpoints", "add", "webhook", "https://x.example", "--types", "room.open"], "session.missed"),
            (["endpoints", "add", "webhook", "https://x.example", "--types", ""], "session.missed"),
        ])
    func usage(arguments: [String], hint: String) async throws {
        let outcome = try await CommandProcess.signedIn().run(arguments, server: "http://127.0.0.1:1")
        #expect(outcome.status == 2)
        #expect(outcome.errors.contains(hint), "\(outcome.errors)")
    }
}
