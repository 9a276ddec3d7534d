/// The type of a notification.
public enum NotificationType: String, CaseIterable, Codable, Hashable, Sendable {
    case roomOpened = "room.opened"
    case roomChanged = "room.changed"
    case sessionMissed = "session.missed"
    case sessionLapsed = "session.lapsed"
    case sessionCompleted = "session.completed"
}
