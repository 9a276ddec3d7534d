import Postgres
import PostgresTesting
import Testing

@Suite(.timeLimit(.minutes(5)))
struct ListenerTests {
    @Test("notifications arrive with their channel and payload, whatever the channel is called")
    func notifications() async throws {
        try await TestDatabase.with { database in
            let odd = "a \"channel\"; DROP TABLE x"
            let listener = PostgresListener(
                database.configuration, on: database.loop, channels: ["plain", odd],
                keepalive: .milliseconds(20))
            let (connects, connected) = AsyncStream<Void>.makeStream()
            let (notifications, notified) = AsyncStream<PostgresNotification>.makeStream()
            let task = Task {
                await listener.run(onConnect: { connected.yield() }, onNotification: { notified.yield($0) })
            }
            for await _ in connects { break }
            try await database.withConnection { connection in
                for (channel, payload) in [("plain", "one"), (odd, ""), ("plain", "エール")] {
                    try await connection.query("SELECT pg_notify($1, $2)", [channel, payload])
                }
                // The pause is longer than the keepalive, so that notifications come after it.
                try await connection.query("SELECT pg_sleep(0.1)")
                try await connection.query("SELECT pg_notify('plain', 'late')")
            }
            var received: [String] = []
            for await notification in notifications {
                received.append("\(notification.channel)=\(notification.payload)")
                if notification.payload == "late" { break }
            }
            #expect(received == ["plain=one", "\(odd)=", "plain=エール", "plain=late"])
            task.cancel()
            await task.value
        }
    }

    @Test("a listener that the server ended comes back")
    func terminated() async throws {
        try await TestDatabase.with { database in
            let listener = PostgresListener(database.configuration, on: database.loop, channels: ["c"])
            let (connects, connected) = AsyncStream<Void>.makeStream()
            let task = Task { await listener.run(onConnect: { connected.yield() }, onNotification: { _ in }) }
            var connect = connects.makeAsyncIterator()
            await connect.next()
            try await database.withConnection { connection in
                try await connection.query(
                    """
                    SELECT pg_terminate_backend(pid) FROM pg_stat_activity
                    WHERE datname = current_database() AND query LIKE 'LISTEN%'
                    """)
            }
            await connect.next()
            task.cancel()
            await task.value
        }
    }
}
