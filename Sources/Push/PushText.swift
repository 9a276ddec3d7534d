import Contract
import Outbox

/// The text that a user reads on the screen of a device.
struct PushText: Hashable, Sendable {
    package let title: String
    package let body: String

    init(_ content: DeliveryMessage.Content, at now: Timestamp) {
        switch content {
        case .notification(let notification): self.init(notification.data, at: now)
        case .test: self.init("It works", "Notifications of Let's Switch reach this device.")
        }
    }

    private init(_ title: String, _ body: String) {
        self.title = title
        self.body = body
    }

    private init(_ data: NotificationData, at now: Timestamp) {
        switch data {
        case .roomOpened(let details): self.init("Your room is open", Self.company(details, at: now))
        case .roomChanged(let details): self.init("Your room has changed", Self.company(details, at: now))
        case .sessionMissed: self.init("You missed a session", "The next one is yours to take.")
        case .sessionLapsed:
            self.init(
                "A session did not take place",
                "The service was down. It was not your fault, and does not count.")
        case .sessionCompleted(let summary):
            self.init(
                "Well done",
                "You sent \(Self.ales(summary.alesSent)) and received \(Self.ales(summary.alesReceived)).")
        case .unknown: self.init("Let's Switch", "There is a notification for you.")
        }
    }

    /// Returns a text on when the session begins, and with whom.
    private static func company(_ details: NotificationData.RoomDetails, at now: Timestamp) -> String {
        let begins = "It \(beginning(details.startsAt.since(now)))."
        guard let first = details.partners.first else {
            return "\(begins) Nobody else is here so far, and somebody may still come."
        }
        if details.partners.count > 1 {
            let others = details.partners.count - 1
            return
                "\(begins) \(first.name) and \(others == 1 ? "one other" : "\(others) others") are with you."
        }
        guard let task = first.task else { return "\(begins) \(first.name) is with you." }
        return "\(begins) \(first.name) is with you: \(task)"
    }

    private static func beginning(_ wait: Duration) -> String {
        if wait <= .zero { return "has begun" }
        if wait < .seconds(90) { return "begins in a minute" }
        return "begins in \((wait.components.seconds + 30) / 60) minutes"
    }

    private static func ales(_ count: Int64) -> String { count == 1 ? "one ale" : "\(count) ales" }
}
