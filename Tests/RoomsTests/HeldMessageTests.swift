import Contract
import Rooms
import Synchronization
import Testing

@Suite("Messages that wait")
struct HeldMessageTests {
    private final class Gate: Sendable {
        let isOpen = Atomic<Bool>(true)
    }

    @Test("are held while the server may not answer, and each device goes on once")
    func gate() throws {
        let gate = Gate()
        let room = TestRoom(members: 2) { $0.mayAnswer = { gate.isOpen.load(ordering: .relaxed) } }
        let (one, two) = (room.enter(0), room.enter(1))
        #expect(try !#require(one.peer).holdsMessages)
        gate.isOpen.store(false, ordering: .relaxed)
        for _ in 0..<3 { #expect(try #require(one.peer).holdsMessages) }
        gate.isOpen.store(true, ordering: .relaxed)
        room.host.resume()
        room.host.resume()
        #expect(one.resumed == 1 && two.resumed == 0)
        #expect(try !#require(one.peer).holdsMessages)
    }

    @Test("are held in a frozen room alone, until it is thawed")
    func frozen() throws {
        let room = TestRoom(members: 2)
        let device = room.enter(0)
        room.host.freeze(Identifier(value: 5))
        #expect(try !#require(device.peer).holdsMessages)
        room.host.freeze(TestRoom.id)
        #expect(try #require(device.peer).holdsMessages)
        // A device that is asked too early holds its messages again.
        room.host.resume()
        #expect(device.resumed == 1)
        #expect(try #require(device.peer).holdsMessages)
        room.host.thaw(TestRoom.id)
        #expect(device.resumed == 2)
        #expect(try !#require(device.peer).holdsMessages)
    }

    @Test(
        "are held until every freeze of a room is over, also of one that was not open yet", arguments: [0, 1])
    func frozenTwice(member: Int) throws {
        let room = TestRoom(members: 2)
        var later = room.membership
        later.room = Identifier(value: 5)
        for id in [TestRoom.id, later.room] {
            room.host.freeze(id)
            room.host.freeze(id)
        }
        room.host.apply(later)
        for id in [TestRoom.id, later.room] {
            let device = RecordingSink()
            #expect(room.join(member, device, in: id) == nil)
            #expect(try #require(device.peer).holdsMessages)
            // The end of the first one.
            room.host.thaw(id)
            #expect(try #require(device.peer).holdsMessages && device.resumed == 0)
            room.host.thaw(id)
            #expect(try !#require(device.peer).holdsMessages && device.resumed == 1)
        }
    }

    @Test("are forgotten with a device that has gone")
    func gone() throws {
        let room = TestRoom(members: 2)
        let device = room.enter(0)
        room.host.freeze(TestRoom.id)
        #expect(try #require(device.peer).holdsMessages)
        device.leave()
        room.host.thaw(TestRoom.id)
        #expect(device.resumed == 0)
    }
}
