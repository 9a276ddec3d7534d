import Contract
import Outbox

/// The payload that a device or a browser receives: a text for the user, and the data that the app needs.
struct PushPayload: Encodable {
    private let text: PushText
    private let type: String
    private let notification: Int64?
    private let details: NotificationData.RoomDetails?
    /// The slot, where there is no room yet.
    private let slot: NotificationData.SlotDetails?
    /// Whether the payload is for Apple's service, which expects the text in a place of its own.
    private let isForApple: Bool
    /// The part that a browser shows by itself; nil if there is no page that a tap could open.
    private let declarative: DeclarativePush?

    /// Returns the payload of a message as JSON of at most `limit` bytes, unless it is longer with an empty
    /// body: the body of the text is cut until it fits. `page`: the URL of the page for browsers, if there is
    /// one.
    static func json(
        of content: DeliveryMessage.Content, isForApple: Bool, limit: Int, at now: Timestamp,
        in language: Language, page: String? = nil
    ) throws -> [UInt8] {
        let text = PushText(content, at: now, in: language)
        var bytes = text.body.utf8.count
        while true {
            let payload = PushPayload(
                content, text.cut(to: bytes), isForApple: isForApple, page: page)
            let json = try JSON.encode(payload)
            if json.count <= limit || bytes == 0 { return json }
            // The body stands in it once or twice, and a byte of it may take several.
            bytes = max(0, bytes - max(1, (json.count - limit) / 12))
        }
    }

    private init(
        _ content: DeliveryMessage.Content, _ text: PushText, isForApple: Bool, page: String?
    ) {
        self.text = text
        self.isForApple = isForApple
        declarative = page.map { DeclarativePush(content, text: text, page: $0) }
        switch content {
        case .notification(let notification):
            type = notification.type
            self.notification = notification.id
            switch notification.data {
            case .roomOpened(let details), .roomChanged(let details): (self.details, slot) = (details, nil)
            case .slotPartnered(let slot), .slotAlone(let slot): (details, self.slot) = (nil, slot)
            case .sessionMissed, .sessionLapsed, .sessionCompleted, .announcement, .unknown:
                (details, slot) = (nil, nil)
            }
        case .test:
            type = DeliveryMessage.testType
            notification = nil
            (details, slot) = (nil, nil)
        case .farewell:
            type = DeliveryMessage.farewellType
            notification = nil
            (details, slot) = (nil, nil)
        }
    }

    private enum Key: String, CodingKey {
        case aps, title, body, type, notificationId, registrationId, roomId, socketUrl, startsAt
        case mark = "web_push"
        case notification, mutable
    }

    private struct Apple: Encodable {
        let alert: Alert
        let sound = "default"
        /// How far the push may disturb: one about a slot that has not opened breaks through no focus.
        let interruptionLevel: String

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
            let level = slot == nil ? "time-sensitive" : "active"
            try container.encode(Apple(alert: alert, interruptionLevel: level), forKey: .aps)
        } else {
            try container.encode(text.title, forKey: .title)
            try container.encode(text.body, forKey: .body)
            if let declarative {
                try container.encode(DeclarativePush.mark, forKey: .mark)
                try container.encode(declarative, forKey: .notification)
                try container.encode(true, forKey: .mutable)
            }
        }
        try container.encode(type, forKey: .type)
        try container.encodeIfPresent(notification, forKey: .notificationId)
        try container.encodeIfPresent(
            details?.registrationId ?? slot?.registrationId, forKey: .registrationId)
        try container.encodeIfPresent(details?.roomId, forKey: .roomId)
        try container.encodeIfPresent(details?.socketUrl, forKey: .socketUrl)
        try container.encodeIfPresent(details?.startsAt ?? slot?.startsAt, forKey: .startsAt)
    }
}
