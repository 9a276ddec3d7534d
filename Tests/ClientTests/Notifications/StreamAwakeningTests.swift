import ClientTesting
import Contract
import HTTP1
import HTTPServer
import Reactor
import TestKit
import Testing

@testable import Client

@Suite("A stream of notifications after a suspension or in another network", .timeLimit(.minutes(5)))
struct StreamAwakeningTests {
    /// Serves one notification on each connection; the first connection then runs `first`.
    private func serve(
        first: @escaping @Sendable (ResponseStream) async -> Void
    ) async throws -> (server: ScriptedServer, api: APIClient) {
        let server = try await ScriptedServer(.get, Routes.events) { request in
            let after = request.head.headers.first("last-event-id").flatMap { Int64($0) } ?? 0
            return .events { stream in
                try? await stream.write(Self.event(after + 1))
                if after == 0 {
                    await first(stream)
                } else {
                    try? await Task.sleep(for: .seconds(600))
                }
            }
        }
        return (server, try APIClient(server: Server(server.url), token: "t"))
    }

    @Test("connects again at once where it reads, and misses nothing")
    func reading() async throws {
        let (server, api) = try await serve { _ in try? await Task.sleep(for: .seconds(600)) }
        var events = api.events().makeAsyncIterator()
        #expect(try await events.next() == .connected)
        #expect(try await events.next().map(Self.number) == 1)
        events.alarm.networkChanged()
        #expect(try await events.next() == .connected)
        #expect(try await events.next().map(Self.number) == 2)
        withExtendedLifetime(server) {}
    }

    @Test("does not wait out its pause")
    func pausing() async throws {
        // The stream ends after asking for a minute's pause.
        let (server, api) = try await serve { try? await $0.write(Array("retry: 60000\n\n".utf8)) }
        var events = api.events().makeAsyncIterator()
        #expect(try await events.next() == .connected)
        #expect(try await events.next().map(Self.number) == 1)
        guard case .interrupted(_, let wait) = try await events.next() else {
            throw TestError("the stream goes on")
        }
        #expect(wait >= .seconds(30))
        let alarm = events.alarm
        let waking = Task {
            // The stream may not have begun to wait.
            while !Task.isCancelled {
                alarm.resumed()
                await Task.yield()
            }
        }
        #expect(try await events.next() == .connected)
        waking.cancel()
        withExtendedLifetime(server) {}
    }

    @Test("ends its pause when its task is cancelled")
    func cancelled() async throws {
        let (server, api) = try await serve { try? await $0.write(Array("retry: 60000\n\n".utf8)) }
        let interruptions = Lock(0)
        let reading = Task {
            for try await event in api.events() {
                if case .interrupted = event { interruptions.withLock { $0 += 1 } }
            }
        }
        while interruptions.withLock({ $0 == 0 }) { await Task.yield() }
        reading.cancel()
        await #expect(throws: ClientError.cancelled) { try await reading.value }
        withExtendedLifetime(server) {}
    }

    private static func number(_ event: NotificationStream.Event) -> Int64? {
        if case .notification(let notification) = event { notification.id } else { nil }
    }

    private static func event(_ id: Int64) -> [UInt8] {
        let notification = UserNotification(
            id: id, createdAt: Sample.start,
            data: .sessionMissed(.init(registrationId: Sample.me, startsAt: Sample.start)))
        let data = (try? JSON.encode(notification)) ?? []
        return Array("id: \(id)\nevent: \(notification.type)\ndata: ".utf8) + data + Array("\n\n".utf8)
    }
}
