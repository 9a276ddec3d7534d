import Contract

/// A notification as a line for people.
enum NotificationText {
    static func line(_ notification: UserNotification) -> String {
        let time = LocalClock.dateAndTime(notification.createdAt)
        return "#\(notification.id)  \(time)  \(sentence(notification.data).local)"
    }

    private static func sentence(_ data: NotificationData) -> Text {
        switch data {
        case .roomOpened(let details):
            "The room for \(LocalClock.time(details.startsAt)) is open, with \(names(details.partners)). "
                + "Room \(details.roomId)"
        case .roomChanged(let details):
            "The room for \(LocalClock.time(details.startsAt)) changed: \(names(details.partners)). "
                + "Room \(details.roomId)"
        case .sessionMissed(let session):
            "You missed \(LocalClock.time(session.startsAt)). There is always a next one."
        case .sessionLapsed(let session):
            "The service was down at \(LocalClock.time(session.startsAt)). It does not count against you."
        case .sessionCompleted(let summary):
            done(
                LocalClock.time(summary.startsAt), names(summary.partners), sent: summary.alesSent,
                received: summary.alesReceived)
        case .slotPartnered(let slot):
            "Another person works at \(LocalClock.dateAndTime(slot.startsAt)) too."
        case .slotAlone(let slot):
            "No possible partner is left for \(LocalClock.dateAndTime(slot.startsAt)). One can "
                + "still come."
        case .announcement(let announced):
            "Announcement: \(SafeText.escape(announced.text))"
        case .unknown(let type):
            Text(verbatim: SafeText.escape(type))
        }
    }

    private static func done(_ time: String, _ names: String, sent: Int64, received: Int64) -> Text {
        sent == 1
            ? "Done at \(time) with \(names): 1 ale sent, \(received) received."
            : "Done at \(time) with \(names): \(sent) ales sent, \(received) received."
    }

    /// Returns the names of partners, with their tasks.
    static func names(_ partners: [Partner]) -> String {
        if partners.isEmpty { return local("no partner yet") }
        return partners.map { partner in
            let task = partner.task.map { " (\(SafeText.escape($0)))" } ?? ""
            return SafeText.escape(partner.name) + task
        }.joined(separator: ", ")
    }
}
