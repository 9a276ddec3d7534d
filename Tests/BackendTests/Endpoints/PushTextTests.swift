import Contract
import Outbox
import Testing

@testable import Push

@Suite("The texts of pushes")
struct PushTextTests {
    private static let now = Timestamp(seconds: 1_803_904_140)

    private static func opened(_ partners: [String], in seconds: Int64) -> NotificationData {
        .roomOpened(
            NotificationData.RoomDetails(
                registrationId: Identifier(value: 7), roomId: Identifier(value: 8),
                startsAt: now.adding(.seconds(seconds)), closesAt: now.adding(.seconds(1800)),
                socketUrl: "wss://example.org",
                partners: partners.map { Partner(id: Identifier(value: 9), name: $0, task: nil, tag: nil) }))
    }

    private static func texts(_ data: NotificationData) -> [PushText] {
        let content = DeliveryMessage.Content.notification(
            Contract.UserNotification(id: 5, createdAt: now, data: data))
        return Language.allCases.map { PushText(content, at: now, in: $0) }
    }

    @Test(
        "say in three languages who is there",
        arguments: [
            (
                [], 0,
                [
                    "It has begun. Nobody else is here so far, and somebody may still come.",
                    "Es hat begonnen. Noch ist sonst niemand da, es kann aber noch jemand kommen.",
                    "始まっています。まだほかに誰もいませんが、これから来るかもしれません。",
                ]
            ),
            (
                ["Bea"], 60,
                [
                    "It begins in a minute. Bea is with you.",
                    "Es beginnt in einer Minute. Bea ist bei dir.",
                    "1分後に始まります。Beaさんが一緒です。",
                ]
            ),
            (
                ["Bea", "Cy"], 300,
                [
                    "It begins in 5 minutes. Bea and one other are with you.",
                    "Es beginnt in 5 Minuten. Bea und noch jemand sind bei dir.",
                    "5分後に始まります。Beaさんともう1人が一緒です。",
                ]
            ),
            (
                ["{2}", "Cy", "Di"], 300,
                [
                    "It begins in 5 minutes. {2} and 2 others are with you.",
                    "Es beginnt in 5 Minuten. {2} und 2 andere sind bei dir.",
                    "5分後に始まります。{2}さんとほかの2人が一緒です。",
                ]
            ),
        ] as [([String], Int64, [String])])
    func company(partners: [String], seconds: Int64, bodies: [String]) {
        #expect(Self.texts(Self.opened(partners, in: seconds)).map(\.body) == bodies)
        #expect(
            Self.texts(Self.opened(partners, in: seconds)).map(\.title)
                == ["Your room is open", "Dein Raum ist offen", "部屋が開きました"])
    }
}
