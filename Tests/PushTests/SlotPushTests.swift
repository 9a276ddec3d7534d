import Contract
import Outbox
import Testing

@testable import Push

@Suite("A push about a slot that has not opened")
struct SlotPushTests {
    private static let now = Timestamp(seconds: 1_800_000_000)
    private static let registration = Identifier(value: 7)

    private static func content(_ minutes: Int64, isAlone: Bool = false) -> DeliveryMessage.Content {
        let startsAt = now.adding(.seconds(minutes * 60))
        let slot = NotificationData.SlotDetails(
            registrationId: registration, startsAt: startsAt, endsAt: startsAt.adding(.seconds(1800)))
        return .notification(
            UserNotification(
                id: 3, createdAt: now, data: isAlone ? .slotAlone(slot) : .slotPartnered(slot)))
    }

    @Test(
        "says in words of its size when the slot begins",
        arguments: [
            (1, "a minute"), (2, "2 minutes"), (119, "119 minutes"), (120, "2 hours"), (149, "2 hours"),
            (150, "3 hours"), (2879, "48 hours"), (2880, "2 days"), (5039, "3 days"), (86_400, "60 days"),
        ] as [(Int64, String)])
    func times(minutes: Int64, words: String) {
        let text = PushText(Self.content(minutes), at: Self.now, in: .english)
        #expect(text.title == "You are not alone")
        #expect(text.body == "Another person works then too. It begins in \(words).")
        let alone = PushText(
            Self.content(minutes, isAlone: true), at: Self.now, in: .english)
        #expect(alone.title == "You are alone for now" && alone.body.hasSuffix("It begins in \(words)."))
    }

    @Test("names the registration, replaces an earlier one about it, and breaks through nothing")
    func payload() throws {
        let content = Self.content(30)
        #expect(content.subject == Self.registration)
        let body = try JSONValue.parse(
            PushPayload.json(
                of: content, isForApple: true, limit: 4096, at: Self.now, in: .english))
        #expect(body["aps"]?["interruption-level"]?.string == "active")
        #expect(body["type"]?.string == "slot.partnered")
        #expect(body["registrationId"]?.string == Self.registration.description)
        #expect(body["startsAt"]?.string == Self.now.adding(.seconds(1800)).description)
        #expect(body["roomId"] == nil)
    }
}
