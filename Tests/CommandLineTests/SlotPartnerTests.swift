import ClientTesting
import Contract
import HTTP1
import HTTPServer
import Reactor
import Testing

@Suite("The day and its changes on the command line", .timeLimit(.minutes(5)))
struct SlotPartnerTests {
    private static let start = Timestamp(seconds: 1_830_243_600)

    @Test("slots shows the declared tasks and the partners in the room, safe for the terminal")
    func slots() async throws {
        let date = try #require(LocalDate("2027-12-31"))
        func view(_ time: String, _ state: SlotState, task: String?, _ partners: [Partner]?) -> SlotView {
            SlotView(
                startsAt: Self.start, endsAt: Self.start.adding(.seconds(1800)),
                localTime: "2027-12-31T\(time)",
                state: state, others: 1, registrationId: Sample.me, task: task, partners: partners)
        }
        let partners = ["Bea", "former\u{1B}user"].map {
            Partner(id: Sample.other, name: $0, task: $0 == "Bea" ? "Paint" : nil, tag: nil)
        }
        let list = SlotList(
            date: date, timeZone: "UTC",
            slots: [
                view("09:00", .open, task: "Write\u{7}", partners),
                view("09:30", .open, task: "Read", []), view("10:00", .partnered, task: "Plan", nil),
                view("10:30", .waiting, task: nil, nil),
            ])
        let server = try await ScriptedServer(.get, Routes.slots) { _ in .json(list) }
        let outcome = try await CommandProcess.signedIn().run(["slots"], server: server.url)
        // The first line names the day.
        let lines = Array(outcome.output.split(separator: "\n").dropFirst())
        #expect(lines.count == 4, "\(outcome)")
        #expect(lines[0].contains("Bea (Paint), former") && !lines[0].contains("\u{1B}user"), "\(lines[0])")
        #expect(lines[0].contains("Write") && !lines[0].contains("\u{7}"))
        #expect(lines[1].hasSuffix("  Read") && lines[2].hasSuffix("  Plan"), "\(outcome.output)")
        #expect(lines[3].hasSuffix("1 person is waiting for a partner."))
    }

    @Test("watch shows the types that are asked for, and with --join also hears of rooms")
    func watch() async throws {
        let asked = Lock<[String?]>([])
        let server = try await ScriptedServer { router, _ in
            router.immediate(.get, Routes.rooms) { _ in .problem(.unavailable, "Later.") }
            router.immediate(.get, "/v1/rooms/{id}") { _ in .problem(.notFound, "Gone.") }
            router.immediate(.get, Routes.events) { request in
                let types = request.query.first("types")
                asked.withLock { $0.append(types) }
                return .events { stream in
                    let slot = NotificationData.SlotDetails(
                        registrationId: Sample.me, startsAt: Self.start, endsAt: Self.start)
                    let room = NotificationData.RoomDetails(
                        registrationId: Sample.me, roomId: Sample.room, startsAt: Self.start,
                        closesAt: Self.start, socketUrl: "ws://x/", partners: [])
                    for (id, data) in [
                        (1, .slotPartnered(slot)), (2, .roomOpened(room)), (3, .slotAlone(slot)),
                    ] as [(Int64, NotificationData)] {
                        let told = UserNotification(id: id, createdAt: Self.start, data: data)
                        let body = (try? JSON.encode(told)) ?? []
                        try? await stream.write(
                            Array("id: \(id)\nevent: \(told.type)\ndata: ".utf8) + body
                                + Array("\n\n".utf8))
                    }
                    try? await Task.sleep(for: .seconds(600))
                }
            }
        }
        let process = try CommandProcess.signedIn()
        let plain = try await process.run(
            ["watch", "--types", "slot.alone,slot.partnered"], server: server.url, until: "still come.")
        #expect(plain.output.contains("#1 ") && plain.output.contains("Another person works at"))
        #expect(!plain.output.contains("#2 "))
        let joining = try await process.run(
            ["watch", "--types", "slot.alone", "--join"], server: server.url, until: "still come.")
        #expect(!joining.output.contains("#1 ") && !joining.output.contains("#2 "), "\(joining.output)")
        #expect(
            asked.withLock { $0 } == [
                "slot.alone,slot.partnered", "slot.alone,room.opened,room.changed",
            ])
        let wrong = try await process.run(["watch", "--types", "slot"], server: server.url)
        #expect(wrong.status == 2 && wrong.errors.contains("slot.partnered"))
    }
}
