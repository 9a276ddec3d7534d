import Client
import Contract

enum NotificationsCommand {
    @Sendable static func run(_ invocation: Invocation) async throws {
        var after: Int64?
        if let text = invocation.arguments.value("after") {
            guard let number = Int64(text), number >= 0 else {
                throw Failure.usage(
                    "--after takes the number of a notification, and not \"\(SafeText.escape(text))\".")
            }
            after = number
        }
        let api = try invocation.signedIn()
        var all: [Notification] = []
        while true {
            let page = try await api.notifications(after: after, limit: Limits.page.upperBound)
            all += page
            guard page.count == Limits.page.upperBound, let last = page.last else { break }
            after = last.id
        }
        invocation.console.json(NotificationList(notifications: all))
        for notification in all { invocation.console.line(NotificationText.line(notification)) }
    }
}
