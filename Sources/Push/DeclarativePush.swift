import Contract
import Outbox

/// The part of a push that a browser can show by itself, without the page's worker (W3C Push API,
/// "Declarative push messages").
///
/// It is `mutable`: where there is a worker, that gets the push all the same, and may show something else.
struct DeclarativePush: Encodable {
    /// The number by which a browser knows such a push; it is the number of RFC 8030.
    static let mark = 8030

    private let title: String
    private let body: String
    /// The address that a tap opens.
    private let navigate: String
    /// Another notification with the same tag replaces this one on the screen.
    private let tag: String
    private let data: Facts

    /// The facts that the page's worker needs when the notification is tapped.
    private struct Facts: Encodable {
        let type: String
        let notificationId: Int64?
        let roomId: Identifier?
    }

    /// Creates the part for a message; `page`: the URL of the page, without a slash at the end.
    init(_ content: DeliveryMessage.Content, text: PushText, page: String) {
        title = text.title
        body = text.body
        tag = content.subject.description
        switch content {
        case .notification(let notification):
            navigate = page + Self.path(for: notification.data)
            data = Facts(
                type: notification.type, notificationId: notification.id, roomId: notification.data.roomId)
        case .test:
            navigate = page + "/me"
            data = Facts(type: DeliveryMessage.testType, notificationId: nil, roomId: nil)
        case .farewell:
            navigate = page + "/welcome"
            data = Facts(type: DeliveryMessage.farewellType, notificationId: nil, roomId: nil)
        }
    }

    /// Returns the path of the screen that a notification is about.
    private static func path(for data: NotificationData) -> String {
        switch data {
        case .roomOpened(let details), .roomChanged(let details): "/room/\(details.roomId)"
        case .sessionCompleted(let summary): summary.roomId.map { "/room/\($0)" } ?? "/day"
        case .sessionMissed, .sessionLapsed, .slotPartnered, .slotAlone: "/day"
        case .announcement, .unknown: "/"
        }
    }

    enum CodingKeys: String, CodingKey {
        case title, body, navigate, tag, data
    }
}
