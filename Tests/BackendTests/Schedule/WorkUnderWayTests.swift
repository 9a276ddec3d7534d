import Contract
import Testing

@testable import Backend

@Suite("Work that is under way")
struct WorkUnderWayTests {
    private static func due(
        _ task: Agenda.Task, _ slots: ClosedRange<Int64>
    ) -> [(startsAt: Timestamp, task: Agenda.Task)] {
        slots.map { (Timestamp(seconds: $0), task) }
    }

    @Test("one thing is done in a slot at a time, and so many of each kind")
    func limits() {
        var work = WorkUnderWay()
        let first = work.take(Self.due(.match, 1...9) + Self.due(.close, 11...19))
        #expect(first.map(\.startsAt.seconds) == [1, 2, 3, 11, 12])
        #expect(work.contains(Timestamp(seconds: 1)) && !work.contains(Timestamp(seconds: 4)))
        #expect(work.take(Self.due(.close, 1...1) + Self.due(.match, 4...4)).isEmpty)
        work.end(Timestamp(seconds: 2))
        work.end(Timestamp(seconds: 11))
        // Large slots that end leave a match its place, and the other way round.
        let next = work.take(Self.due(.serve, 1...3) + Self.due(.match, 4...5))
        #expect(next.map(\.startsAt.seconds) == [2, 4])
    }
}
