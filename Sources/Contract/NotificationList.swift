/// The order of a list of notifications.
public enum NotificationOrder: String, CaseIterable, Sendable {
    /// Oldest first.
    case ascending = "asc"
    /// Newest first.
    case descending = "desc"
}

/// The answer of `GET /v1/notifications`, in the requested order.
public struct NotificationList: Codable, Hashable, Sendable {
    public var notifications: [UserNotification]

    public init(notifications: [UserNotification]) {
        self.notifications = notifications
    }
}
