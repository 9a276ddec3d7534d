import Testing

@testable import Client

@Suite("A connection to a room")
struct SessionTests {
    @Test("has no heartbeat before the room is entered, and pings then")
    func heartbeat() {
        var session = Session()
        #expect(!session.isInRoom)
        #expect(session.due == nil)
        #expect(session.tick(at: .seconds(1000)) == .nothing)
        #expect(session.check(at: .seconds(1000)) == .nothing)
        #expect(session.takeOutput() == [])
        #expect(session.entered(pingSeconds: 20, at: .seconds(1000)) == .write)
        #expect(session.isInRoom)
        #expect(session.takeOutput().first == 0x89)
        #expect(session.takeOutput() == [])
        #expect(session.due == .seconds(1020))
        #expect(session.answered(1, at: .milliseconds(1_000_030)) == .milliseconds(30))
        #expect(session.answered(1, at: .milliseconds(1_000_040)) == nil)
    }

    @Test(
        "pings within a second and an hour, whatever the server asks for", arguments: [(0, 1), (9999, 3600)])
    func interval(asked: Int64, used: Int64) {
        var session = Session()
        _ = session.entered(pingSeconds: asked, at: .zero)
        #expect(session.due == .seconds(used))
    }

    @Test("is given up where nothing is heard")
    func silence() {
        var session = Session()
        _ = session.entered(pingSeconds: 20, at: .zero)
        #expect(session.tick(at: .seconds(20)) == .write)
        #expect(session.tick(at: .seconds(30)) == .giveUp)
    }

    @Test("lives on where bytes arrive")
    func heard() {
        var session = Session()
        _ = session.entered(pingSeconds: 20, at: .zero)
        _ = session.answered(1, at: .seconds(1))
        // The bytes are an empty text frame.
        #expect(session.receive([0x81, 0x00], at: .seconds(15)) == [.message([])])
        #expect(session.tick(at: .seconds(20)) == .write)
        #expect(session.tick(at: .seconds(30)) == .nothing)
    }
}
