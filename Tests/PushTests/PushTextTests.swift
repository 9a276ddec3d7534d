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
                    "It has begun. You are alone so far, and a partner may still come.",
                    "Es hat angefangen. Noch bist du allein, aber es kann noch jemand kommen.",
                    "始まっています。今はひとりですが、これから相手が来るかもしれません。",
                ]
            ),
            (
                ["Bea"], 60,
                [
                    "It begins in a minute. \u{2068}Bea\u{2069} is with you.",
                    "In einer Minute geht es los. \u{2068}Bea\u{2069} ist bei dir.",
                    "1分後に始まります。\u{2068}Bea\u{2069}さんが一緒です。",
                ]
            ),
            (
                ["Bea", "Cy"], 300,
                [
                    "It begins in 5 minutes. \u{2068}Bea\u{2069} and one other are with you.",
                    "In 5 Minuten geht es los. \u{2068}Bea\u{2069} und noch jemand sind bei dir.",
                    "5分後に始まります。\u{2068}Bea\u{2069}さんともう1人が一緒です。",
                ]
            ),
            (
                ["{2}", "Cy", "Di"], 300,
                [
                    "It begins in 5 minutes. \u{2068}{2}\u{2069} and 2 others are with you.",
                    "In 5 Minuten geht es los. \u{2068}{2}\u{2069} und 2 andere sind bei dir.",
                    "5分後に始まります。\u{2068}{2}\u{2069}さんと、ほか2人が一緒です。",
                ]
            ),
        ] as [([String], Int64, [String])])
    func company(partners: [String], seconds: Int64, bodies: [String]) {
        #expect(Self.texts(Self.opened(partners, in: seconds)).map(\.body) == bodies)
        #expect(
            Self.texts(Self.opened(partners, in: seconds)).map(\.title)
                == ["Your room is open", "Dein Raum ist offen", "部屋が開きました"])
    }

    @Test(
        "keep the direction of a name within it, also if the name ends the isolate or opens others",
        arguments: ["\u{2069}\u{202E}Bea", "\u{202E}Bea\u{2067}", "\u{202E}Bea\u{2066}\u{2068}"])
    func isolates(name: String) {
        #expect(
            Self.texts(Self.opened([name], in: 60))[0].body
                == "It begins in a minute. \u{2068}\u{202E}Bea\u{2069} is with you.")
    }

    @Test(
        "of announcements are cut between characters, so that they reach devices and browsers",
        arguments: ["🎉", "👩‍👩‍👧‍👦", "\"", "\u{1}", "a", "Ж", "e\u{301}"])
    func fits(character: String) throws {
        let data = NotificationData.announcement(.init(text: String(repeating: character, count: 500)))
        let content = DeliveryMessage.Content.notification(
            Contract.UserNotification(id: 5, createdAt: Self.now, data: data))
        for isForApple in [false, true] {
            let json = PushPayload.json(
                of: content, isForApple: isForApple, limit: 3993, at: Self.now, in: .english,
                page: "https://example.org")
            #expect(json.count <= 3993)
            let whole = character.utf8.count * 500 * (isForApple ? 1 : 2)
            #expect(json.count > 3800 || whole < 3500)
        }
    }

    @Test("are cut to no more bytes than asked for, and never within a character")
    func cuts() {
        let data = NotificationData.announcement(.init(text: "ab🎉e\u{301}"))
        let text = Self.texts(data)[0]
        #expect(text.cut(to: 9).body == "ab🎉e\u{301}")
        #expect(text.cut(to: 8).body == "ab…")
        #expect(text.cut(to: 9).cut(to: 5).body == "ab…")
        #expect(text.cut(to: 0).body == "…")
    }
}
