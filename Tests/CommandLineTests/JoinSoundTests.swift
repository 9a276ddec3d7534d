import ClientTesting
import Contract
import Testing

@testable import letsswitch

@Suite("The sound of the terminal in a join")
struct JoinSoundTests {
    private static let start = Sample.start
    private static let ale = JoinEvent("ale", at: start, "ale from Bob")

    private static func waiting(for startsAt: Timestamp = start) -> JoinModel {
        var model = JoinModel()
        let registration = Registration(
            id: Sample.me, slot: SlotSpan(startsAt: startsAt, endsAt: startsAt.adding(.seconds(1800))),
            task: "Write", tag: nil, state: .registered, roomId: nil, createdAt: start, updatedAt: start)
        _ = model.apply(RoomFinder.Wait.registered(registration), at: start)
        return model
    }

    /// Returns the seconds before the start at which it sounds.
    private func sounds(_ seconds: [Double], _ model: JoinModel = JoinSoundTests.waiting()) -> [Double] {
        var sound = JoinSound()
        return seconds.filter { left in
            sound.sounds(model, nil, at: Self.start.adding(.milliseconds(-Int64(left * 1000))))
        }
    }

    @Test("comes ten seconds before the start, and at the start, once each")
    func marks() {
        #expect(sounds((-20...20).reversed().map(Double.init)) == [10, 0])
        #expect(sounds([11, 10.4, 9.6, 9.4, 8, 0.3, -0.2, -0.4, -1]) == [9.6, -0.2])
    }

    @Test("does not come late: not where the join begins after the mark, nor long after a suspension")
    func late() {
        #expect(sounds([9, 8, 7]).isEmpty)
        #expect(sounds([-1, -2]).isEmpty)
        #expect(sounds([300, 6.9, 6]).isEmpty)
        #expect(sounds([300, 7.1, 6]) == [7.1])
        #expect(sounds([300, -3, -4]).isEmpty)
    }

    @Test("follows the next session, when another one is waited for")
    func other() {
        var sound = JoinSound()
        let later = Self.waiting(for: Self.start.adding(.seconds(1800)))
        let steps = [(Self.waiting(), -12), (later, 1790), (later, 1800)]
        let sounds = steps.map { sound.sounds($0, nil, at: Self.start.adding(.seconds($1))) }
        #expect(sounds == [false, false, true])
    }

    @Test("comes for an ale, and once a second at most")
    func ales() {
        var sound = JoinSound()
        let heard = [0, 300, 900, 1000, 1100, 5000, 5001].filter { milliseconds in
            sound.sounds(JoinModel(), Self.ale, at: Self.start.adding(.milliseconds(milliseconds)))
        }
        #expect(heard == [0, 1000, 5000])
        // A clock that was set back does not silence it.
        let isHeard = sound.sounds(JoinModel(), Self.ale, at: Self.start)
        let other = JoinEvent("presence", at: Self.start, "Bob left")
        let isOtherHeard = sound.sounds(JoinModel(), other, at: Self.start.adding(.seconds(60)))
        #expect(isHeard && !isOtherHeard)
    }

    @Test("has a setting of two values, and a switch")
    func setting() throws {
        #expect(try JoinSound.isOn(setting: nil, isSwitchedOff: false))
        #expect(try JoinSound.isOn(setting: "", isSwitchedOff: false))
        #expect(try JoinSound.isOn(setting: "on", isSwitchedOff: false))
        #expect(try !JoinSound.isOn(setting: "off", isSwitchedOff: false))
        #expect(try !JoinSound.isOn(setting: "on", isSwitchedOff: true))
        #expect(throws: Failure.self) { try JoinSound.isOn(setting: "no", isSwitchedOff: false) }
    }
}
