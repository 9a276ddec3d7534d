import Contract
import Outbox

/// The payload that a device or a browser receives: a text for the user, and the data that the app needs.
struct PushPayload: Encodable {
    private let text: PushText
    private let type: String
    private let notification: Int64?
    private let details: NotificationData.RoomDetails?
    /// Whether the payload is for Apple's service, which expects the text in a place of its own.
    private let isForApple: Bool

    init(_ content: DeliveryMessage.Content, isForApple: Bool, at now: Timestamp) {
        text = PushText(content, at: now)
        self.isForApple = isForApple
        switch content {
        case .notification(let notification):
            type = notification.type
            self.notification = notification.id
            switch notification.data {
            case .roomOpened(let details), .roomChanged(let details): self.details = details
            case .sessionMissed, .sessionLapsed, .sessionCompleted, .unknown: details = nil
            }
        case .test:
            type = DeliveryMessage.testType
            notification = nil
            details = nil
        }
    }

    private enum Key: String, CodingKey {
        case aps, title, body, type, notificationId, registrationId, roomId, socketUrl, startsAt
    }

    private struct Apple: Encodable {
        let alert: Alert
        let sound = "default"
        let interruptionLevel = "time-sensitive"

        enum CodingKeys: String, CodingKey {
            case alert, sound
            case interruptionLevel = "interruption-level"
        }
    }

    private struct Alert: Encodable {
        let title: String
        let body: String
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        if isForApple {
            let alert = Alert(title: text.title, body: text.body)
            try container.encode(Apple(alert: alert), forKey: .aps)
        } else {
            try container.encode(text.title, forKey: .title)
            try container.encode(text.body, forKey: .body)
        }
        try container.encode(type, forKey: .type)
        try container.encodeIfPresent(notification, forKey: .notificationId)
        try container.encodeIfPresent(details?.registrationId, forKey: .registrationId)
        try container.encodeIfPresent(details?.roomId, forKey: .roomId)
        try container.encodeIfPresent(details?.socketUrl, forKey: .socketUrl)
        try container.encodeIfPresent(details?.startsAt, forKey: .startsAt)
    }
}
