import Contract
import Testing

@testable import Backend
@testable import Database
@testable import Scheduling

@Suite("Changes that wait")
struct PendingChangesTests {
    private static let slot = ScheduleFixture.slot
    private static let room = UUID(value: 7)

    @Test("are kept once for each kind and key")
    func coalesces() {
        var changes = PendingChanges()
        for _ in 0..<3 {
            for hint: Hint in [
                .notifications, .presence, .slot(Self.slot), .room(Self.room), .user(Self.room),
            ] {
                changes.insert(hint)
            }
        }
        #expect(changes.hints.count == 5)
        #expect(changes.rooms == [Self.room])
        #expect(!changes.isEmpty)
        changes.removeAll()
        #expect(changes.isEmpty)
    }

    @Test("beyond the bound mean everything of their kind, and of no other")
    func bound() {
        var changes = PendingChanges(bound: 2)
        changes.insert(.opened(Self.slot, by: Hint.origin))
        for id in 1...3 { changes.insert(.room(UUID(value: UInt128(id)))) }
        #expect(changes.all == [.rooms])
        #expect(changes.rooms.isEmpty && changes.opened.isEmpty)
        changes.insert(.room(Self.room))
        #expect(changes.rooms.isEmpty)
        for id in 1...2 { changes.insert(.user(UUID(value: UInt128(id)))) }
        #expect(changes.users.count == 2)
        changes.insert(.user(Self.room))
        #expect(changes.all == [.rooms, .users] && changes.users.isEmpty)
        for second in 1...3 { changes.insert(.slot(Timestamp(seconds: Int64(second)))) }
        #expect(changes.all == [.rooms, .slots, .users] && changes.slots.isEmpty)
    }

    @Test("are read by everybody where two processes have opened rooms of a slot")
    func opened() {
        var changes = PendingChanges()
        changes.insert(.opened(Self.slot, by: Hint.origin))
        changes.insert(.opened(Self.slot, by: Hint.origin))
        #expect(changes.opened == [Self.slot: Hint.origin])
        changes.insert(.opened(Self.slot, by: Self.room))
        #expect(changes.opened == [Self.slot: Hint.nobody])
    }

    @Test("are told in the words that the release before knows")
    func words() {
        let id = "00000000-0000-0000-0000-000000000007"
        let texts: [(Hint, String)] = [
            (.notifications, "notifications"), (.slot(Self.slot), "slot 2030-01-01T09:00:00Z"),
            (.opened(Self.slot, by: Self.room), "opened 2030-01-01T09:00:00Z \(id)"),
            (.room(Self.room), "room \(id)"), (.user(Self.room), "user \(id)"),
        ]
        for (hint, text) in texts {
            #expect(hint.text == text)
            #expect(Hint(text) == hint)
        }
        #expect(Hint("all rooms") == .all(.rooms))
        #expect(Hint("all others") == nil)
        #expect(Hint("rumours") == nil)
    }
}
