import Contract
import Crypto
import Outbox
import Postgres
import Testing

@testable import Backend
@testable import BackendTesting
@testable import Database

@Suite struct RoomChangePaceTests {
    private struct Row: Equatable {
        let id: Int64
        /// Seconds from noon, the beginning of each test.
        let due: Int64
        let outcome: String?
    }

    /// Returns the deliveries of room changes of an endpoint, in their order.
    private func changes(_ endpoint: String, _ world: RESTWorld) async throws -> [Row] {
        try await world.pool.query(
            """
            SELECT delivery.id, delivery.due_at, delivery.outcome
            FROM deliveries AS delivery
            JOIN notifications AS notice ON notice.id = delivery.notification_id
            WHERE delivery.endpoint_id = $1::text::uuid AND notice.type = 'room.changed'
            ORDER BY delivery.id
            """, [endpoint]
        ).map { row in
            let (id, due, outcome) = try row.decode(Int64.self, Timestamp.self, String?.self)
            return Row(id: id, due: due.seconds - RESTWorld.noon.seconds, outcome: outcome)
        }
    }

    /// Changes the room at each of these seconds.
    private func change(
        _ world: RESTWorld, _ registration: Identifier, _ room: Identifier, at seconds: [Int64]
    ) async throws {
        for second in seconds {
            world.clock.now = RESTWorld.noon.adding(.seconds(second))
            try await world.tell(registration, .roomChanged, room, revision: 1)
        }
    }

    /// Runs the body with a user in a room who has a webhook at `url`.
    private func with(
        _ url: String = "https://example.org/hook",
        _ body:
            @Sendable (RESTWorld, _ token: String, _ endpoint: String, Identifier, Identifier) async throws
            -> Void
    ) async throws {
        try await RESTWorld.with { world in
            let (token, registration, room) = try await world.personInRoom()
            let id = try #require(try await world.addWebhook(token, url)["id"]?.string)
            try await world.tell(registration, .roomOpened, room, revision: 1)
            try await body(world, token, id, registration, room)
        }
    }

    @Test("the first three changes are due at once, and of the others the last one after ten seconds")
    func pace() async throws {
        try await with { world, token, endpoint, registration, room in
            try await change(world, registration, room, at: [0, 0, 1, 2, 3, 4])
            let rows = try await changes(endpoint, world)
            #expect(rows.map(\.due) == [0, 0, 1, 11, 11, 11])
            #expect(rows.map(\.outcome) == [nil, nil, nil, "superseded", "superseded", nil])
            let attempts = try await world.pool.query("SELECT id FROM attempts")
            #expect(attempts.count == 0)
            // Another endpoint has a count of its own.
            let other = try #require(
                try await world.addWebhook(token, "https://example.org/other")["id"]?.string)
            try await change(world, registration, room, at: [5, 5, 5, 5])
            #expect(try await changes(other, world).map(\.due) == [5, 5, 5, 15])
        }
    }

    @Test("a receiver gets three changes, and then the last one, each once, and the next ten seconds later")
    func delivered() async throws {
        let receiver = try await WebhookReceiver()
        try await with(receiver.url) { world, token, endpoint, registration, room in
            try await change(world, registration, room, at: [0, 0, 0, 1, 2])
            let ids = try await changes(endpoint, world).map { WebhookSignature.messageID($0.id) }
            try await world.delivering {
                _ = try await world.outcomes(endpoint, token, count: 4)
                world.clock.now = RESTWorld.noon.adding(.seconds(10))
                world.deliveries.deliveryWorker.wake()
                let outcomes = try await world.outcomes(endpoint, token, count: 5)
                #expect(outcomes.allSatisfy { $0["outcome"]?.string == "delivered" })
                #expect(outcomes.first?["id"]?.string == ids[4])
            }
            var sent: [String] = []
            for await request in receiver.requests {
                if try request.json()["type"]?.string == "room.changed" { sent.append(request.id) }
                if sent.count == 4 { break }
            }
            #expect(Set(sent) == Set(ids[0...2] + ids[4...]))
            try await change(world, registration, room, at: [12])
            #expect(try await changes(endpoint, world).last?.due == 20)
        }
    }

    @Test("a change that is being sent is not replaced, and one that nothing could send for ten seconds is")
    func busy() async throws {
        try await with { world, _, endpoint, registration, room in
            try await change(world, registration, room, at: [0, 0, 0, 0])
            let waiting = try await changes(endpoint, world)[3].id
            try await world.pool.query("UPDATE deliveries SET courier = 'a' WHERE id = $1", [waiting])
            try await change(world, registration, room, at: [11])
            #expect(try await changes(endpoint, world).suffix(2).map(\.outcome) == [nil, nil])
            #expect(try await changes(endpoint, world).last?.due == 21)
            try await change(world, registration, room, at: [25, 42])
            let rows = try await changes(endpoint, world)
            #expect(rows.map(\.due) == [0, 0, 0, 10, 21, 31, 42])
            let replaced = "superseded"
            #expect(rows.map(\.outcome) == [replaced, replaced, replaced, nil, replaced, replaced, nil])
        }
    }

    @Test("a delivery that was replaced is not replayed")
    func replay() async throws {
        try await with { world, _, endpoint, registration, room in
            try await change(world, registration, room, at: [0, 0, 0, 0, 0])
            let replaced = try await changes(endpoint, world)[3]
            #expect(replaced.outcome == "superseded")
            await #expect(throws: ReplayError.superseded) {
                try await DeliveryReplay.begin(replaced.id, at: world.clock.now, in: world.pool)
            }
        }
    }

    @Test("a push that waits beyond the start of its slot is of use until the end")
    func useful() async throws {
        try await with { world, _, _, registration, room in
            try await world.pool.query(
                """
                INSERT INTO endpoints (id, user_id, kind, address, host, environment, created_at)
                SELECT '00000000-0000-4000-8000-000000000001', user_id, 'apns', 'ab', 'apns', 'production',
                    now()
                FROM registrations
                """)
            // The slot starts half an hour after noon.
            try await change(world, registration, room, at: [1_795, 1_795, 1_795, 1_795])
            let rows = try await world.pool.query(
                """
                SELECT expires_at FROM deliveries
                WHERE endpoint_id = '00000000-0000-4000-8000-000000000001' ORDER BY id
                """)
            let seconds = try rows.map { row in
                try row.decode(0, Timestamp.self).seconds - RESTWorld.noon.seconds
            }
            #expect(seconds == [1_800, 1_800, 1_800, 3_600])
        }
    }
}
