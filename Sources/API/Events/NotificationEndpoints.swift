import Contract
import Database
import HTTP1
package import HTTPServer
import Postgres

/// The call that lists notifications.
package struct NotificationEndpoints: EndpointGroup {
    package let rest: REST

    package init(_ rest: REST) { self.rest = rest }

    package func add(to router: inout Router) {
        router.on(.get, Routes.notifications, rest.signedIn(listNotifications))
    }

    private func listNotifications(_ user: SignedInUser, _ request: HTTPRequest) async throws -> HTTPResponse
    {
        let query = QueryReader(request.query)
        let (after, before) = (try query.after(), try query.before())
        let (order, limit) = (try query.order(), try query.limit())
        let (types, cursor) = (try query.types(), try query.cursor(QueryReader.number))
        // One more than is asked for says whether there is a next page.
        let found = try await NotificationReader(tickets: application.tickets).read(
            for: user.id, under: user.tokenVersion,
            after: order == .ascending ? max(after, cursor ?? after) : after,
            before: order == .descending ? min(before, cursor ?? before) : before, order: order,
            types: types, limit: limit + 1, from: application.database(request.loop))
        var list = NotificationList(notifications: Array(found.prefix(limit)))
        if found.count > limit { list.nextCursor = list.notifications.last.map { String($0.id) } }
        return try Answer.page(list, of: Routes.notifications, next: list.nextCursor, for: request)
    }
}
