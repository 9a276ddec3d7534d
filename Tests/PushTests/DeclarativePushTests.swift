import Contract
import Crypto
import HTTP1
import HTTPServer
import Outbox
import TestKit
import Testing
import Web

@testable import BackendTesting
@testable import Push

@Suite("A push that a browser can show by itself")
struct DeclarativePushTests {
    private static let now = Timestamp(seconds: 1_803_904_140)
    private static let starts = now.adding(.seconds(60))
    private static let page = "https://switch.example.org"
    private static let registration = Identifier(value: 7)
    private static let room = Identifier(value: 8)

    private static func details(name: String = "Bea", task: String = "Paint") -> NotificationData.RoomDetails
    {
        NotificationData.RoomDetails(
            registrationId: registration, roomId: room, startsAt: starts,
            closesAt: starts.adding(.seconds(1800)), socketUrl: "wss://switch.example.org/socket?id=8",
            partners: [Partner(id: Identifier(value: 9), name: name, task: task, tag: nil)])
    }

    private static let session = NotificationData.Session(registrationId: registration, startsAt: starts)

    private static func summary(room: Identifier?) -> NotificationData {
        .sessionCompleted(
            .init(
                registrationId: registration, roomId: room, startsAt: starts, alesSent: 1, alesReceived: 2,
                partners: []))
    }

    private static func content(_ data: NotificationData) -> DeliveryMessage.Content {
        .notification(Contract.UserNotification(id: 5, createdAt: now, data: data))
    }

    private static func bytes(
        _ content: DeliveryMessage.Content, isForApple: Bool = false, page: String? = page
    ) -> [UInt8] {
        PushPayload.json(
            of: content, isForApple: isForApple, limit: 4096, at: now, in: .english, page: page)
    }

    @Test("has the members of the W3C's Push API, and says that a worker may show something else")
    func members() throws {
        let push = try JSONValue.parse(Self.bytes(Self.content(.roomOpened(Self.details()))))
        #expect(push["web_push"]?.int == 8030)
        #expect(push["mutable"]?.bool == true)
        guard case .object(let members)? = push["notification"] else {
            throw TestError("there is no notification")
        }
        #expect(Set(members.map(\.name)) == ["title", "body", "navigate", "tag", "data"])
        let notification = try #require(push["notification"])
        #expect(notification["title"]?.string == "Your room is open")
        #expect(
            notification["body"]?.string
                == "It begins in a minute. \u{2068}Bea\u{2069} is with you: \u{2068}Paint\u{2069}")
        #expect(notification["navigate"]?.string == "\(Self.page)/room/\(Self.room)")
        #expect(notification["tag"]?.string == Self.registration.description)
        #expect(notification["data"]?["type"]?.string == "room.opened")
        #expect(notification["data"]?["notificationId"]?.int == 5)
        #expect(notification["data"]?["roomId"]?.string == Self.room.description)
    }

    private static let contents: [DeliveryMessage.Content] = [
        content(.roomOpened(details())), content(.roomChanged(details())), content(.sessionMissed(session)),
        content(.sessionLapsed(session)), content(summary(room: room)), content(summary(room: nil)),
        content(.unknown(type: "new")), .test(endpoint: registration, writtenAt: now),
    ]

    @Test("keeps what receivers of before read, and adds nothing where there is no page, or for Apple")
    func before() throws {
        for content in Self.contents {
            let plain = try JSONValue.parse(Self.bytes(content, page: nil))
            let push = try JSONValue.parse(Self.bytes(content))
            guard case .object(let old) = plain, case .object(let new) = push else {
                throw TestError("no objects")
            }
            #expect(old.allSatisfy { member in new.contains { $0 == member } }, "\(content)")
            let added = Set(new.map(\.name)).subtracting(old.map(\.name))
            #expect(added == ["web_push", "notification", "mutable"], "\(content)")
            #expect(old.contains { $0.name == "title" } && old.contains { $0.name == "body" })
            #expect(
                Self.bytes(content, isForApple: true)
                    == Self.bytes(content, isForApple: true, page: nil))
        }
    }

    @Test("opens a screen that the page has")
    func navigation() throws {
        var router = Router()
        router.immediate(.get, "/") { _ in HTTPResponse(status: 200) }
        WebPage.add(to: &router, others: PageServer.noOthers)
        let paths = try Self.contents.map { content in
            let push = try JSONValue.parse(Self.bytes(content))
            let address = try #require(push["notification"]?["navigate"]?.string)
            #expect(address.hasPrefix(Self.page + "/"))
            return String(address.dropFirst(Self.page.count))
        }
        let room = "/room/\(Self.room)"
        #expect(paths == [room, room, "/day", "/day", room, "/day", "/", "/me"])
        for path in paths {
            guard case .found = try router.match(.get, path) else {
                Issue.record("\(path) is no screen")
                continue
            }
        }
    }

    @Test("fits into one record with the longest names and tasks")
    func length() throws {
        for character in ["👋", "\"", "\\", "a"] {
            let name = String(repeating: character, count: 64)
            let task = String(repeating: character, count: 200)
            let content = Self.content(.roomOpened(Self.details(name: name, task: task)))
            let url = "https://\(String(repeating: "a", count: 63)).\(String(repeating: "b", count: 63)).org"
            let count = Self.bytes(content, page: url).count
            // The socket's URL has a ticket, and the name of the server.
            #expect(count + 400 <= PushEncryption.maximumLength, "\(character): \(count)")
        }
    }
}
