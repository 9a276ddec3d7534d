import Contract
import Database
import HTTP1
import HTTPServer
import Postgres

extension REST {
    func addNotifications(to router: inout Router) {
        router.on(.get, Routes.notifications, signedIn(listNotifications))
    }

    private func listNotifications(_ user: SignedInUser, _ request: HTTPRequest) async throws -> HTTPResponse
    {
        let query = QueryReader(request.query)
        let (after, before) = (try query.after(), try query.before())
        let (order, limit) = (try query.order(), try query.limit())
        let notifications = try await NotificationReader(tickets: application.tickets).read(
            for: user.id, under: user.tokenVersion, after: after, before: before, order: order, limit: limit,
            from: application.database(request.loop))
        return try Answer.json(NotificationList(notifications: notifications))
    }
}
