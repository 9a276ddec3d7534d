import Client
import Contract

enum NotificationsCommand {
    @Sendable static func run(_ invocation: Invocation) async throws {
        let after = try number("after", 0..., "the number of a notification", invocation)
        let count = try number("last", 1..., "how many", invocation)
        let api = try await invocation.signedIn()
        let all =
            if let count {
                try await newest(Int(clamping: count), after: after, api)
            } else {
                try await everything(after: after, api)
            }
        invocation.console.json(NotificationList(notifications: all))
        for notification in all { invocation.console.line(NotificationText.line(notification)) }
    }

    private static func number(
        _ option: String, _ allowed: PartialRangeFrom<Int64>, _ what: Text, _ invocation: Invocation
    ) throws -> Int64? {
        try invocation.arguments.number(option, in: allowed) {
            .usage("--\(option) takes \(what), and not \"\($0)\".")
        }
    }

    private static func everything(after: Int64?, _ api: APIClient) async throws -> [UserNotification] {
        var (all, after): ([UserNotification], Int64?) = ([], after)
        while true {
            let page = try await api.notifications(after: after, limit: Limits.page.upperBound)
            all += page
            guard page.count == Limits.page.upperBound, let last = page.last else { return all }
            after = last.id
        }
    }

    /// Returns the newest notifications, in the order in which they came.
    private static func newest(
        _ count: Int, after: Int64?, _ api: APIClient
    ) async throws -> [UserNotification] {
        var all: [UserNotification] = []
        while all.count < count {
            let limit = min(count - all.count, Limits.page.upperBound)
            let page = try await api.notifications(
                after: after, before: all.last?.id, order: .descending, limit: limit)
            all += page
            if page.count < limit { break }
        }
        return all.reversed()
    }
}
