/// The answer of `GET /v1/notifications`, oldest first.
public struct NotificationList: Codable, Hashable, Sendable {
    public var notifications: [Notification]

    public init(notifications: [Notification]) {
        self.notifications = notifications
    }
}
