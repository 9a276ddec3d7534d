import ClientTesting
import Contract
import HTTP1
import HTTPServer
import Reactor
import Testing

@Suite("The list of notifications")
struct NotificationsTests {
    private static func notification(_ id: Int64) -> UserNotification {
        UserNotification(id: id, createdAt: Sample.start, data: .unknown(type: "session.other"))
    }

    @Test("has the newest ones, page by page, in the order in which they came")
    func newest() async throws {
        let asked = Lock<[String]>([])
        let server = try await ScriptedServer(.get, Routes.notifications) { request in
            asked.withLock { $0.append(request.head.target) }
            let query = request.query
            let end = query.first("before").flatMap { Int64($0) } ?? 301
            let limit = query.first("limit").flatMap { Int64($0) } ?? 50
            let ids = (max(1, end - limit)..<end).reversed()
            return .json(NotificationList(notifications: ids.map(Self.notification)))
        }
        let process = try CommandProcess.signedIn()
        let outcome = try await process.run(["notifications", "--last", "250", "--json"], server: server.url)
        #expect(outcome.status == 0, "\(outcome.errors)")
        let list = try JSON.decode(NotificationList.self, from: Array(outcome.output.utf8))
        #expect(list.notifications.map(\.id) == Array(51...300))
        #expect(
            asked.withLock { $0 } == [
                "/v1/notifications?order=desc&limit=200", "/v1/notifications?before=101&order=desc&limit=50",
            ])
        let all = try await process.run(["notifications", "--last", "1000"], server: server.url)
        #expect(all.output.split(separator: "\n").count == 300)
        for wrong in ["0", "-1", "x"] {
            #expect(
                try await process.run(["notifications", "--last", wrong], server: server.url).status == 2)
        }
    }
}
