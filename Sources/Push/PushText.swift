import Contract
import Outbox

/// The text that a user reads on the screen of a device.
struct PushText: Hashable, Sendable {
    package let title: String
    private(set) var body: String

    init(_ content: DeliveryMessage.Content, at now: Timestamp, in language: Language) {
        let (title, body) =
            switch content {
            case .notification(let notification): Self.texts(notification.data, at: now)
            case .test: ("It works" as Text, "Notifications of Let's Switch reach this device." as Text)
            case .farewell:
                (
                    "Notifications end here" as Text,
                    "Your session in this browser has ended. Sign in again to be notified." as Text
                )
            }
        self.title = title.said(in: language)
        self.body = body.said(in: language)
    }

    /// Returns the same text with a body of at most that many bytes of UTF-8, or of an ellipsis alone. It is
    /// cut between characters as people see them.
    func cut(to bytes: Int) -> PushText {
        guard body.utf8.count > bytes else { return self }
        var (kept, room) = ("", bytes - "…".utf8.count)
        for character in body {
            room -= character.utf8.count
            if room < 0 { break }
            kept.append(character)
        }
        var text = self
        text.body = kept + "…"
        return text
    }

    /// Returns words of a person, whose direction ends with them (UAX #9: FSI and PDI). Isolates of their
    /// own, which need not be closed, are left out.
    private static func isolated(_ words: String) -> String {
        let inside = words.unicodeScalars.filter { !("\u{2066}"..."\u{2069}").contains($0) }
        return "\u{2068}\(String(String.UnicodeScalarView(inside)))\u{2069}"
    }

    private static func texts(_ data: NotificationData, at now: Timestamp) -> (title: Text, body: Text) {
        switch data {
        case .roomOpened(let details): ("Your room is open", company(details, at: now))
        case .roomChanged(let details): ("Your room has changed", company(details, at: now))
        case .sessionMissed: ("You missed a session", "The next one is yours to take.")
        case .sessionLapsed:
            (
                "A session did not take place",
                "The service was down. It was not your fault, and does not count."
            )
        case .sessionCompleted(let summary): ("Well done", ales(summary.alesSent, summary.alesReceived))
        case .slotPartnered(let details):
            ("You are not alone", "Another person works then too. \(beginning(details.startsAt.since(now)))")
        case .slotAlone(let details):
            (
                "You are alone for now",
                "No possible partner is left, but one can still come. "
                    + "\(beginning(details.startsAt.since(now)))"
            )
        case .announcement(let announced):
            (Text(verbatim: "Let's Switch"), Text(verbatim: announced.text))
        case .unknown: (Text(verbatim: "Let's Switch"), "There is a notification for you.")
        }
    }

    /// Returns a text on when the session begins, and its members.
    private static func company(_ details: NotificationData.RoomDetails, at now: Timestamp) -> Text {
        let begins = beginning(details.startsAt.since(now))
        guard let first = details.partners.first else {
            return "\(begins) You are alone so far, and a partner may still come."
        }
        let (name, others) = (isolated(first.name), details.partners.count - 1)
        if others == 1 { return "\(begins) \(name) and one other are with you." }
        if others > 1 { return "\(begins) \(name) and \(others) others are with you." }
        guard let task = first.task else { return "\(begins) \(name) is with you." }
        return "\(begins) \(name) is with you: \(isolated(task))"
    }

    private static func beginning(_ wait: Duration) -> Text {
        if wait <= .zero { return "It has begun." }
        if wait < .seconds(90) { return "It begins in a minute." }
        let minutes = (wait.components.seconds + 30) / 60
        if minutes < 120 { return "It begins in \(minutes) minutes." }
        if minutes < 48 * 60 { return "It begins in \((minutes + 30) / 60) hours." }
        return "It begins in \((minutes + 12 * 60) / (24 * 60)) days."
    }

    private static func ales(_ sent: Int64, _ received: Int64) -> Text {
        switch (sent, received) {
        case (1, 1): "You sent one ale and received one ale."
        case (1, _): "You sent one ale and received \(received) ales."
        case (_, 1): "You sent \(sent) ales and received one ale."
        default: "You sent \(sent) ales and received \(received) ales."
        }
    }
}
