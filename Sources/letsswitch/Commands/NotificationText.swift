import Contract

/// A notification as a line for people.
enum NotificationText {
    static func line(_ notification: UserNotification) -> String {
        let time = LocalClock.dateAndTime(notification.createdAt)
        return "#\(notification.id)  \(time)  \(sentence(notification.data))"
    }

    private static func sentence(_ data: NotificationData) -> String {
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
            "Done at \(LocalClock.time(summary.startsAt)) with \(names(summary.partners)): "
                + "\(summary.alesSent) \(summary.alesSent == 1 ? "ale" : "ales") sent, "
                + "\(summary.alesReceived) received."
        case .unknown(let type):
            SafeText.escape(type)
        }
    }

    private static func names(_ partners: [Partner]) -> String {
        if partners.isEmpty { return "nobody else yet" }
        return partners.map { partner in
            let task = partner.task.map { " (\(SafeText.escape($0)))" } ?? ""
            return SafeText.escape(partner.name) + task
        }.joined(separator: ", ")
    }
}
