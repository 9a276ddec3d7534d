import Contract
import Outbox

/// The part of a push that a browser can show by itself, without the page's worker (W3C Push API,
/// "Declarative push messages").
///
/// It is `mutable`: where there is a worker, that gets the push all the same, and may show something else.
enum DeclarativePush {
    /// The number by which a browser knows such a push; it is the number of RFC 8030.
    static let mark = 8030

    /// Returns the part for a message; `page`: the URL of the page, without a slash at the end.
    static func value(of content: DeliveryMessage.Content, _ text: PushText, page: String) -> JSONValue {
        let notification = content.notification
        // The facts that the page's worker needs when the notification is tapped.
        let facts = JSONValue.present([
            "notificationId": notification.map { .integer($0.id) },
            "roomId": (notification?.data.roomId).map { .string("\($0)") }, "type": .string(content.type),
        ])
        return [
            "body": .string(text.body), "data": facts,
            // The address that a tap opens.
            "navigate": .string(page + path(of: content)),
            // Another notification with the same tag replaces this one on the screen.
            "tag": .string("\(content.subject)"), "title": .string(text.title),
        ]
    }

    /// Returns the path of the screen that a message is about.
    private static func path(of content: DeliveryMessage.Content) -> String {
        switch content {
        case .test: "/me"
        case .farewell: "/welcome"
        case .notification(let notification):
            switch notification.data {
            case .roomOpened(let details), .roomChanged(let details): "/room/\(details.roomId)"
            case .sessionCompleted(let summary): summary.roomId.map { "/room/\($0)" } ?? "/day"
            case .sessionMissed, .sessionLapsed, .slotPartnered, .slotAlone: "/day"
            case .announcement, .unknown: "/"
            }
        }
    }
}
