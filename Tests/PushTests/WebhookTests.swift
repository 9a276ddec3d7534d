import Codecs
import Contract
import Outbox
import Postgres
import Reactor
import SocketTesting
import Testing

@testable import Backend
@testable import BackendTesting
@testable import Push

@Suite struct WebhookTests {
    private static let now = RESTWorld.noon.seconds

    @Test("a notification reaches the webhook, signed, and the outcome is shown")
    func reaches() async throws {
        let receiver = try await WebhookReceiver()
        try await RESTWorld.with { world in
            let (token, registration, room) = try await world.personInRoom()
            let endpoint = try await world.addWebhook(token, receiver.url)
            let id = try #require(endpoint["id"]?.string)
            try await world.tell(registration, .roomOpened, room, revision: 1)
            let secret = try #require(endpoint["secret"]?.string)
            let place = room.description
            try await world.delivering {
                var requests = receiver.requests.makeAsyncIterator()
                let request = try #require(await requests.next())
                try request.verify(secret, at: Self.now)
                #expect(request.headers["content-type"] == "application/json")
                let body = try request.json()
                #expect(body["type"]?.string == "room.opened")
                #expect(body["timestamp"]?.string == RESTWorld.noon.description)
                #expect(body["data"]?["roomId"]?.string == place)
                let check = try SchemaCheck()
                let post = check.document["webhooks"]?["notification"]?["post"]
                let schema = post?["requestBody"]?["content"]?["application/json"]?["schema"]
                #expect(check.faults(body, try #require(schema), at: "").isEmpty)
                #expect(post?["description"]?.string?.contains("overtake") == true)
                let outcomes = try await world.outcomes(id, token, count: 1)
                #expect(outcomes.first?["outcome"]?.string == "delivered")
                #expect(outcomes.first?["type"]?.string == "room.opened")
                #expect(outcomes.first?["id"]?.string == request.id)
                let all = try await world.send("GET", "/v1/endpoints", token: token).json()["endpoints"]
                #expect(all?.array?.first?["outcomes"]?.array == outcomes)
            }
            let values = world.deliveries.metrics.current
            #expect(values.attempts[.webhook] == ["delivered": 1])
            #expect(values.lateness[.webhook]?.count == 1)
        }
    }

    @Test("what fails comes again under the same id, until it goes well")
    func retries() async throws {
        let receiver = try await WebhookReceiver { $0 == 1 ? "500 No" : "204 Fine" }
        try await RESTWorld.with { world in
            let (token, registration, room) = try await world.personInRoom()
            let id = try #require(try await world.addWebhook(token, receiver.url)["id"]?.string)
            try await world.tell(registration, .roomOpened, room, revision: 1)
            try await world.delivering { try await Self.fail(once: id, token, receiver, in: world) }
            let state = try await world.send("GET", "/v1/endpoints/\(id)", token: token).json()["state"]
            #expect(state?.string == "active")
        }
    }

    @Test(
        "an answer that is not valid HTTP is a failed attempt, and the delivery is retried",
        arguments: ["HTTP/7.7 200 OK\r\n\r\n", "hello", "HTTP/1.1 abc\r\n\r\n"])
    func garbled(answer: String) async throws {
        let receiver = try await AnsweringServer { _, stream in
            stream.write(Array(answer.utf8))
            stream.finishWriting()
        }
        try await RESTWorld.with { world in
            let (token, registration, room) = try await world.personInRoom()
            let endpoint = try await world.addWebhook(token, "http://127.0.0.1:\(receiver.port)/")
            let id = try #require(endpoint["id"]?.string)
            try await world.tell(registration, .roomOpened, room, revision: 1)
            try await world.delivering {
                let outcome = try await world.outcomes(id, token, count: 1).first
                #expect(outcome?["outcome"]?.string == "retried")
                #expect(outcome?["detail"]?.string == "the answer is not valid HTTP")
            }
        }
    }

    private static func fail(
        once id: String, _ token: String, _ receiver: WebhookReceiver, in world: RESTWorld
    ) async throws {
        var requests = receiver.requests.makeAsyncIterator()
        let first = try #require(await requests.next()).id
        let failing = try await world.endpoint(id, token) { $0["state"]?.string == "failing" }
        #expect(failing["failingSince"]?.string == RESTWorld.noon.description)
        #expect(failing["outcomes"]?.array?.first?["detail"]?.string == "500")
        world.clock.now = world.clock.now.adding(.seconds(6))
        world.deliveries.deliveryWorker.wake()
        let second = try #require(await requests.next()).id
        #expect(second == first && !first.isEmpty)
        let outcomes = try await world.outcomes(id, token, count: 2)
        #expect(outcomes.map { $0["outcome"]?.string } == ["delivered", "retried"])
    }

    @Test("an endpoint that says it is gone is disabled, and so is what waits for it")
    func gone() async throws {
        let receiver = try await WebhookReceiver { _ in "410 Gone" }
        try await RESTWorld.with { world in
            let (token, registration, room) = try await world.personInRoom()
            let id = try #require(try await world.addWebhook(token, receiver.url)["id"]?.string)
            try await world.tell(registration, .roomOpened, room, revision: 1)
            // The delivery is not due yet.
            try await world.pool.query(
                """
                INSERT INTO deliveries (endpoint_id, priority, due_at)
                SELECT id, 1, created_at + interval '1 hour' FROM endpoints
                """)
            try await world.delivering {
                let ended = try await world.endpoint(id, token) { $0["state"]?.string == "disabled" }
                #expect(ended["reason"]?.string == "410: the receiver is gone")
            }
            let rows = try await world.pool.query("SELECT outcome FROM deliveries ORDER BY id")
            #expect(try rows.map { try $0.decode(0, String?.self) } == ["gone", "gone"])
            // No more deliveries are written for it, and a test is refused.
            try await world.tell(registration, .roomChanged, room, revision: 1)
            #expect(try await world.pool.query("SELECT id FROM deliveries").count == 2)
            try await world.send("POST", "/v1/endpoints/\(id)/test", token: token, expecting: 409)
        }
    }

    @Test("an answer that asks for patience gets it, and one that redirects is a failure")
    func answers() async throws {
        let receiver = try await WebhookReceiver { number in
            number == 1 ? "302 Found\r\nLocation: http://127.0.0.1:9/" : "503 Later\r\nRetry-After: 3600"
        }
        try await RESTWorld.with { world in
            let (token, registration, _) = try await world.personInRoom()
            let id = try #require(try await world.addWebhook(token, receiver.url)["id"]?.string)
            try await world.tell(registration, .sessionMissed, nil, revision: nil)
            try await world.delivering {
                let first = try await world.outcomes(id, token, count: 1)
                #expect(first.first?["detail"]?.string == "302: redirects are not followed")
                world.clock.now = world.clock.now.adding(.seconds(6))
                world.deliveries.deliveryWorker.wake()
                _ = try await world.outcomes(id, token, count: 2)
            }
            let due = try await world.pool.query("SELECT due_at FROM deliveries")[0].decode(0, Timestamp.self)
            #expect(due >= world.clock.now.adding(.seconds(3600)))
        }
    }

    @Test("a test is delivered at once, and answers with what came of it")
    func test() async throws {
        let receiver = try await WebhookReceiver { $0 == 1 ? "200 OK" : "404 No" }
        try await RESTWorld.withAccount { world, token in
            let endpoint = try await world.addWebhook(token, receiver.url)
            let id = try #require(endpoint["id"]?.string)
            let path = "/v1/endpoints/\(id)/test"
            let good = try await world.send("POST", path, token: token)
            #expect(try good.json()["outcome"]?.string == "delivered")
            var requests = receiver.requests.makeAsyncIterator()
            let request = try #require(await requests.next())
            try request.verify(try #require(endpoint["secret"]?.string), at: Self.now)
            #expect(try request.json()["type"]?.string == "test")
            #expect(try request.json()["data"]?["endpointId"]?.string == id)
            let bad = try await world.send("POST", path, token: token).json()
            #expect(bad["outcome"]?.string == "exhausted" && bad["detail"]?.string == "404")
            #expect(try await world.outcomes(id, token, count: 2).count == 2)
            for _ in 0..<3 { try await world.send("POST", path, token: token) }
            #expect(try await world.send("POST", path, token: token).status == 429)
            let other = try await world.signUp("Bea")
            #expect(try await world.send("POST", path, token: other).status == 404)
        }
    }

    @Test("the outcome of a port without listener says so")
    func noListener() async throws {
        try await RESTWorld.withAccount { world, token in
            let id = try #require(
                try await world.addWebhook(token, "http://127.0.0.1:1/")["id"]?.string)
            let outcome = try await world.send("POST", "/v1/endpoints/\(id)/test", token: token).json()
            #expect(outcome["outcome"]?.string == "exhausted")
            #expect(outcome["detail"]?.string?.hasPrefix("not reached") == true)
        }
    }

    @Test("a replaced secret signs beside the new one for a day")
    func rotation() async throws {
        let receiver = try await WebhookReceiver()
        try await RESTWorld.withAccount { world, token in
            let endpoint = try await world.addWebhook(token, receiver.url)
            let (id, old) = (
                try #require(endpoint["id"]?.string), try #require(endpoint["secret"]?.string)
            )
            let answer = try await world.send("POST", "/v1/endpoints/\(id)/secret", token: token)
            #expect(answer.status == 201)
            let new = try #require(try answer.json()["secret"]?.string)
            #expect(new != old)
            var requests = receiver.requests.makeAsyncIterator()
            try await world.send("POST", "/v1/endpoints/\(id)/test", token: token)
            let both = try #require(await requests.next())
            try both.verify(old, at: Self.now)
            try both.verify(new, at: Self.now)
            world.clock.now = world.clock.now.adding(.seconds(24 * 3600))
            try await world.send("POST", "/v1/endpoints/\(id)/test", token: token)
            let one = try #require(await requests.next())
            try one.verify(new, at: world.clock.now.seconds)
            #expect(throws: (any Error).self) { try one.verify(old, at: world.clock.now.seconds) }
        }
    }

    @Test("each replaced secret has its day, though the next one is replaced within it")
    func rotationTwice() async throws {
        let receiver = try await WebhookReceiver()
        try await RESTWorld.withAccount { world, token in
            let endpoint = try await world.addWebhook(token, receiver.url)
            let id = try #require(endpoint["id"]?.string)
            var secrets = [try #require(endpoint["secret"]?.string)]
            for _ in 0..<5 {
                let answer = try await world.send("POST", "/v1/endpoints/\(id)/secret", token: token)
                secrets.append(try #require(try answer.json()["secret"]?.string))
            }
            try await world.send("POST", "/v1/endpoints/\(id)/secret", token: token, expecting: 429)
            var requests = receiver.requests.makeAsyncIterator()
            try await world.send("POST", "/v1/endpoints/\(id)/test", token: token)
            let delivery = try #require(await requests.next())
            for secret in secrets { try delivery.verify(secret, at: Self.now) }
        }
    }

    @Test("a name that stands for an address of the inside is not connected to")
    func privateAddress() async throws {
        try await RESTWorld.with(allowsPrivateWebhooks: false) { world in
            let book = AddressBook(on: world.pool.loop, allowsPrivate: false)
            await #expect(throws: AddressBook.Failure.self) {
                try await book.addresses(of: "localhost", port: 80)
            }
            await #expect(throws: AddressBook.Failure.notPublic) {
                try await book.addresses(of: "169.254.169.254", port: 80)
            }
            let found = try await book.addresses(of: "1.1.1.1", port: 80)
            #expect(found == ["1.1.1.1"])
        }
    }
}
