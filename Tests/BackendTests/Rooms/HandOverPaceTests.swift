import Testing

@testable import API

@Suite("The pace of a hand-over")
struct HandOverPaceTests {
    @Test(
        "is 4,000 sockets a second, or more where all would not be gone after 25 seconds",
        arguments: [
            (sockets: 0, perSecond: 4_000), (1, 4_000), (20_000, 4_000), (100_000, 4_000), (100_001, 4_001),
            (100_025, 4_001), (250_000, 10_000),
        ])
    func perSecond(sockets: Int, perSecond: Int) {
        let pace = HandOverPace(sockets: sockets)
        #expect(pace.time(for: perSecond) == .seconds(1))
        #expect(pace.time(for: 0) == .zero)
        #expect(pace.time(for: sockets) <= .seconds(25))
        #expect(pace.atOnce == perSecond / 10)
    }

    @Test("leaves time for the devices to come back within ten seconds, where rooms of two are 10,000")
    func target() {
        #expect(HandOverPace(sockets: 20_000).time(for: 20_000) == .seconds(5))
    }
}
