import Contract
import Outbox

/// The payload that a device or a browser receives: a text for the user, and the data that the app needs.
enum PushPayload {
    /// Returns the payload of a message as JSON of at most `limit` bytes, unless it is longer with an empty
    /// body: the body of the text is cut until it fits. `page`: the URL of the page for browsers, if there is
    /// one.
    static func json(
        of content: DeliveryMessage.Content, isForApple: Bool, limit: Int, at now: Timestamp,
        in language: Language, page: String? = nil
    ) -> [UInt8] {
        let text = PushText(content, at: now, in: language)
        var bytes = text.body.utf8.count
        while true {
            let json = value(of: content, text.cut(to: bytes), isForApple: isForApple, page: page).bytes
            if json.count <= limit || bytes == 0 { return json }
            // The body stands in it once or twice, and a byte of it may take several.
            bytes = max(0, bytes - max(1, (json.count - limit) / 12))
        }
    }

    private static func value(
        of content: DeliveryMessage.Content, _ text: PushText, isForApple: Bool, page: String?
    ) -> JSONValue {
        var room: NotificationData.RoomDetails?
        // The slot, where there is no room yet.
        var slot: NotificationData.SlotDetails?
        switch content.notification?.data {
        case .roomOpened(let details), .roomChanged(let details): room = details
        case .slotPartnered(let details), .slotAlone(let details): slot = details
        case .sessionMissed, .sessionLapsed, .sessionCompleted, .announcement, .unknown, nil: break
        }
        let registration = room?.registrationId ?? slot?.registrationId
        let (title, body) = (JSONValue.string(text.title), JSONValue.string(text.body))
        // How far the push may disturb: one about a slot that has not opened breaks through no focus.
        let level: JSONValue = slot == nil ? "time-sensitive" : "active"
        // Apple's service expects the text in a place of its own.
        let apple: JSONValue = [
            "alert": ["body": body, "title": title], "interruption-level": level, "sound": "default",
        ]
        // A browser shows it by itself; there is none without a page that a tap could open.
        let declarative = isForApple ? nil : page.map { DeclarativePush.value(of: content, text, page: $0) }
        return .present([
            "aps": isForApple ? apple : nil, "body": isForApple ? nil : body,
            "mutable": declarative.map { _ in true }, "notification": declarative,
            "notificationId": content.notification.map { .integer($0.id) },
            "registrationId": registration.map { .string("\($0)") },
            "roomId": room.map { .string("\($0.roomId)") }, "socketUrl": room.map { .string($0.socketUrl) },
            "startsAt": (room?.startsAt ?? slot?.startsAt).map { .time($0) },
            "title": isForApple ? nil : title, "type": .string(content.type),
            "web_push": declarative.map { _ in .integer(DeclarativePush.mark) },
        ])
    }
}
