import Client
import Contract
import Reactor
import TestKit
import Testing

@Suite("A crowd", .timeLimit(.minutes(5)))
struct CrowdTests {
    private struct Delivery: Sendable {
        let person: Int
        let at: Timestamp
        let createdAt: Timestamp
        let details: NotificationData.RoomDetails
    }

    @Test("of 201 people in one slot is told at the instant, all in rooms of two and one of three")
    func slot() async throws {
        let grid = Grid(slotSeconds: 30, leadSeconds: 10, lateSeconds: 10)
        try await Stage.withServer(grid, ["WORKERS": "2"]) { _, server in
            let people = try await Person.crowd(201, on: server)
            let startsAt = grid.slot(openingAfter: .seconds(10))
            let places = Person.places()
            try await concurrently(people) { person in
                try await places.with { try await person.register(startsAt) }
            }
            let deliveries = try await watch(people)
            let opensAt = grid.opensAt(startsAt)
            #expect(deliveries.allSatisfy { $0.createdAt >= opensAt })
            #expect(deliveries.allSatisfy { $0.at.adding(Grid.clockError) >= opensAt })
            let last = try #require(deliveries.map(\.at).max())
            #expect(last < grid.endsAt(startsAt), "the last one heard after \(last.since(opensAt))")
            let rooms = Dictionary(grouping: deliveries, by: \.details.roomId)
            #expect(rooms.values.map(\.count).sorted() == Array(repeating: 2, count: 99) + [3])
            for members in rooms.values {
                let ids = Set(members.map(\.details.registrationId))
                for member in members {
                    let partners = Set(member.details.partners.map(\.id))
                    #expect(partners == ids.subtracting([member.details.registrationId]))
                }
            }
            try await expectToldOnce(people)
        }
    }

    @Test("that listens for events at once, again and again, is let in each time")
    func streams() async throws {
        try await Stage.withServer(.openNow, ["WORKERS": "2"]) { _, server in
            let people = try await Person.crowd(200, on: server)
            for _ in 0..<6 {
                try await withThrowingTaskGroup(of: Wire.self) { group in
                    for person in people { group.addTask { try await Wire.events(of: person) } }
                    for try await stream in group { await stream.close() }
                }
            }
            #expect(try await Curl("\(server.url)/readyz").status == 200)
        }
    }

    /// Waits for each person's notification of a room.
    private func watch(_ people: [Person]) async throws -> [Delivery] {
        try await within("the opening for all people") {
            try await withThrowingTaskGroup(of: Delivery.self) { group in
                for (index, person) in people.enumerated() {
                    group.addTask {
                        for try await event in person.api.events(after: 0) {
                            guard case .notification(let notification) = event,
                                case .roomOpened(let details) = notification.data
                            else { continue }
                            return Delivery(
                                person: index, at: .now, createdAt: notification.createdAt, details: details)
                        }
                        throw CancellationError()
                    }
                }
                var deliveries: [Delivery] = []
                for try await delivery in group { deliveries.append(delivery) }
                return deliveries
            }
        }
    }

    private func expectToldOnce(_ people: [Person]) async throws {
        try await concurrently(people) { person in
            let told = try await person.api.notifications()
            // The first person of the slot may have had a slot.partnered as the others registered.
            #expect(told.map(\.type).filter { !$0.hasPrefix("slot.") } == ["room.opened"])
        }
    }
}
