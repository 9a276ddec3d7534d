import Contract
import Postgres
import Testing

@testable import BackendTesting

@Suite struct DeliveryTriggerTests {
    private static let slot = "2027-03-01T12:30:00Z"

    private struct Row: Equatable {
        let type: String
        let kind: String
        let priority: Int16
        let expiresAt: Timestamp?
    }

    private func rows(_ world: RESTWorld) async throws -> [Row] {
        try await world.pool.query(
            """
            SELECT notice.type, endpoint.kind, delivery.priority, delivery.expires_at
            FROM deliveries AS delivery
            JOIN notifications AS notice ON notice.id = delivery.notification_id
            JOIN endpoints AS endpoint ON endpoint.id = delivery.endpoint_id
            ORDER BY delivery.id
            """
        ).map { row in
            let (type, kind, priority, expiresAt) = try row.decode(
                String.self, String.self, Int16.self, Timestamp?.self)
            return Row(type: type, kind: kind, priority: priority, expiresAt: expiresAt)
        }
    }

    @Test("the ids of deliveries grow in the order in which things happened")
    func order() async throws {
        try await RESTWorld.with { world in
            let (token, registration, room) = try await world.personInRoom(Self.slot)
            _ = try await world.addWebhook(token, "https://example.org/all")
            for type in [NotificationType.roomOpened, .roomChanged, .sessionCompleted] {
                try await world.tell(registration, type, room, revision: 1)
            }
            let types = try await rows(world).map(\.type)
            #expect(types == ["room.opened", "room.changed", "session.completed"])
        }
    }

    @Test("each notification is for every endpoint of its user that wants it, as long as it is of use")
    func deliveries() async throws {
        try await RESTWorld.with { world in
            let (token, registration, room) = try await world.personInRoom(Self.slot)
            _ = try await world.addWebhook(token, "https://example.org/all")
            _ = try await world.addWebhook(
                token, "https://example.org/some", types: #"["session.missed"]"#)
            let other = try await world.signUp("Bea")
            _ = try await world.addWebhook(other, "https://example.org/other")
            try await world.pool.query(
                """
                INSERT INTO endpoints (id, user_id, kind, address, host, environment, types, created_at)
                SELECT gen_random_uuid(), user_id, 'apns', 'ab', 'apns', 'production',
                    '{room.opened,room.changed}',
                    now()
                FROM registrations
                """)
            let (start, end) = (try #require(Timestamp(Self.slot)), Timestamp("2027-03-01T13:00:00Z"))
            try await world.tell(registration, .roomOpened, room, revision: 1)
            #expect(
                try await rows(world).sorted { $0.kind < $1.kind } == [
                    Row(type: "room.opened", kind: "apns", priority: 0, expiresAt: start),
                    Row(type: "room.opened", kind: "webhook", priority: 0, expiresAt: end),
                ])
            try await world.pool.query("DELETE FROM deliveries")
            // A push about a time after the start is of use until the end.
            world.clock.now = start.adding(.seconds(10))
            try await world.tell(registration, .roomChanged, room, revision: 1)
            #expect(
                try await rows(world).sorted { $0.kind < $1.kind } == [
                    Row(type: "room.changed", kind: "apns", priority: 1, expiresAt: end),
                    Row(type: "room.changed", kind: "webhook", priority: 1, expiresAt: end),
                ])
            try await world.pool.query("DELETE FROM deliveries")
            try await world.tell(registration, .sessionMissed, nil, revision: nil)
            let missed = Row(type: "session.missed", kind: "webhook", priority: 2, expiresAt: nil)
            #expect(try await rows(world) == [missed, missed])
        }
    }

    @Test("company before the opening goes to programs, and to devices that name it, until the slot begins")
    func company() async throws {
        try await RESTWorld.withAccount { world, token in
            let registration = try await world.register(token, Self.slot)
            _ = try await world.addWebhook(token, "https://example.org/all")
            _ = try await world.addWebhook(
                token, "https://example.org/some", types: #"["room.opened","slot.alone"]"#)
            for (address, types) in [("ab", "NULL"), ("cd", "'{slot.partnered}'"), ("ef", "'{room.opened}'")]
            {
                try await world.pool.query(
                    """
                    INSERT INTO endpoints (id, user_id, kind, address, host, environment, types, created_at)
                    SELECT gen_random_uuid(), user_id, 'apns', $1, 'apns', 'production', \(types)::text[],
                        now()
                    FROM registrations
                    """, [address])
            }
            let start = try #require(Timestamp(Self.slot))
            try await world.tell(registration, .slotPartnered, nil, revision: nil)
            #expect(
                try await rows(world).sorted { $0.kind < $1.kind } == [
                    Row(type: "slot.partnered", kind: "apns", priority: 2, expiresAt: start),
                    Row(type: "slot.partnered", kind: "webhook", priority: 2, expiresAt: start),
                ])
            try await world.pool.query("DELETE FROM deliveries")
            try await world.tell(registration, .slotAlone, nil, revision: nil)
            let alone = Row(type: "slot.alone", kind: "webhook", priority: 2, expiresAt: start)
            #expect(try await rows(world) == [alone, alone])
        }
    }

    @Test("an endpoint that is removed at the same time is left out, and no notification fails for it")
    func removedMeanwhile() async throws {
        try await RESTWorld.with { world in
            let (token, registration, room) = try await world.personInRoom(Self.slot)
            _ = try await world.addWebhook(token, "https://example.org/")
            let (hasRemoved, removed) = AsyncStream<Void>.makeStream()
            let (mayCommit, letCommit) = AsyncStream<Void>.makeStream()
            async let removing: Void = world.pool.transaction { connection in
                try await connection.query("DELETE FROM endpoints")
                removed.yield()
                for await _ in mayCommit { break }
            }
            for await _ in hasRemoved { break }
            async let telling: Void = world.tell(registration, .roomOpened, room, revision: 1)
            while try await world.pool.query(Self.blocked).isEmpty { await Task.yield() }
            letCommit.yield()
            try await removing
            try await telling
            #expect(try await rows(world).isEmpty)
            #expect(try await world.pool.query("SELECT FROM notifications").affected == 1)
        }
    }

    /// The backends of this database that wait for a row that another transaction has changed.
    private static let blocked = """
        SELECT FROM pg_stat_activity
        WHERE datname = current_database() AND cardinality(pg_blocking_pids(pid)) > 0
        """

    @Test("an account that goes takes its endpoints and deliveries along")
    func account() async throws {
        try await RESTWorld.withAccount { world, token in
            _ = try await world.addWebhook(token, "https://example.org/")
            let registration = try await world.register(token, Self.slot)
            try await world.tell(registration, .sessionLapsed, nil, revision: nil)
            #expect(try await rows(world).count == 1)
            try await world.pool.query("UPDATE registrations SET user_id = NULL, task = NULL")
            try await world.pool.query("DELETE FROM users")
            #expect(try await world.pool.query("SELECT FROM endpoints").isEmpty)
            #expect(try await rows(world).isEmpty)
        }
    }
}
