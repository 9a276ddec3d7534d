import Contract
import Testing

@testable import BackendTesting
@testable import Database
@testable import Scheduling

@Suite("Changes that wait")
struct PendingChangesTests {
    private static let slot = ScheduleFixture.slot
    private static let room = Identifier(value: 7)

    @Test("are kept once for each kind and key")
    func coalesces() {
        var changes = PendingChanges()
        for _ in 0..<3 {
            for changeEvent: ChangeEvent in [
                .notifications, .presence, .slot(Self.slot), .room(Self.room), .user(Self.room),
                .account(Self.room),
            ] {
                changes.insert(changeEvent)
            }
        }
        #expect(changes.changeEvents.count == 6)
        #expect(changes.rooms == [Self.room])
        #expect(!changes.isEmpty)
        changes.removeAll()
        #expect(changes.isEmpty)
    }

    @Test("beyond the bound mean everything of their kind, and of no other")
    func bound() {
        var changes = PendingChanges(bound: 2)
        changes.insert(.opened(Self.slot, by: ChangeEvent.origin))
        for id in 1...3 { changes.insert(.room(Identifier(value: UInt128(id)))) }
        #expect(changes.all == [.rooms])
        #expect(changes.rooms.isEmpty && changes.opened.isEmpty)
        changes.insert(.room(Self.room))
        #expect(changes.rooms.isEmpty)
        for id in 1...2 { changes.insert(.user(Identifier(value: UInt128(id)))) }
        #expect(changes.users.count == 2)
        changes.insert(.user(Self.room))
        #expect(changes.all == [.rooms, .users] && changes.users.isEmpty)
        var accounts = PendingChanges(bound: 2)
        for id in 1...3 { accounts.insert(.account(Identifier(value: UInt128(id)))) }
        #expect(accounts.all == [.users] && accounts.accounts.isEmpty)
        for second in 1...3 { changes.insert(.slot(Timestamp(seconds: Int64(second)))) }
        #expect(changes.all == [.rooms, .slots, .users] && changes.slots.isEmpty)
    }

    @Test("are read by all servers if two processes have opened rooms of a slot")
    func opened() {
        var changes = PendingChanges()
        changes.insert(.opened(Self.slot, by: ChangeEvent.origin))
        changes.insert(.opened(Self.slot, by: ChangeEvent.origin))
        #expect(changes.opened == [Self.slot: ChangeEvent.origin])
        changes.insert(.opened(Self.slot, by: Self.room))
        #expect(changes.opened == [Self.slot: ChangeEvent.noProcess])
    }

    @Test("are told in the words that the release before knows")
    func words() {
        let id = "00000000-0000-0000-0000-000000000007"
        let texts: [(ChangeEvent, String)] = [
            (.notifications, "notifications"), (.slot(Self.slot), "slot 2030-01-01T09:00:00Z"),
            (.opened(Self.slot, by: Self.room), "opened 2030-01-01T09:00:00Z \(id)"),
            (.room(Self.room), "room \(id)"), (.user(Self.room), "user \(id)"),
            (.announcement(7), "announcement 7"), (.drain(Self.room), "drain \(id)"),
            (.move(Self.room, to: Self.room), "move \(id) \(id)"),
            (.left(Self.slot), "left 2030-01-01T09:00:00Z"),
        ]
        for (changeEvent, text) in texts {
            #expect(changeEvent.text == text)
            #expect(ChangeEvent(text) == changeEvent)
        }
        #expect(ChangeEvent("all rooms") == .all(.rooms))
        #expect(ChangeEvent("all others") == nil)
        #expect(ChangeEvent("rumours") == nil)
    }
}
