import Contract
import Testing

@testable import Scheduling

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
        // Large slots that end leave a match its place, and vice versa.
        let next = work.take(Self.due(.match, 4...5) + Self.due(.serve, 1...3))
        #expect(next.map(\.startsAt.seconds) == [4, 2])
    }

    @Test("closings of a backlog leave a place, however few connections there are", arguments: 2...7)
    func backlog(_ connections: Int) {
        var work = WorkUnderWay(connections: connections)
        let closings = work.take(Self.due(.close, 1...9)).count
        #expect(closings == (connections < 4 ? 1 : 2))
        #expect(work.take(Self.due(.match, 11...11)).count == 1)
        work.end(Timestamp(seconds: 11))
        #expect(work.take(Self.due(.plan, 12...12)).count == 1)
        work.end(Timestamp(seconds: 12))
        #expect(work.take(Self.due(.serve, 13...13)).count == 1)
    }

    @Test("no more is under way than there are connections", arguments: 2...7)
    func connections(_ connections: Int) {
        var work = WorkUnderWay(connections: connections)
        let all = Self.due(.match, 1...9) + Self.due(.serve, 11...19) + Self.due(.close, 21...29)
        #expect(work.take(all).count == max(2, connections - 1))
    }
}
