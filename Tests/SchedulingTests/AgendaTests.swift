import Contract
import Testing

@testable import Scheduling

@Suite("Agenda")
struct AgendaTests {
    private let start = Timestamp(seconds: 36_000)

    private func agenda(isOpened: Bool, isServed: Bool, hasLateArrivals: Bool = false) -> Agenda {
        var agenda = Agenda(lead: .seconds(60), grace: .milliseconds(500))
        agenda[start] = Agenda.Slot(
            endsAt: start.adding(.seconds(1800)), isOpened: isOpened, isServed: isServed,
            hasLateArrivals: hasLateArrivals)
        return agenda
    }

    @Test("a slot waits for its opening, its start and its end, in that order")
    func order() {
        let fresh = agenda(isOpened: false, isServed: false)
        #expect(fresh.nextInstant(after: start.adding(.seconds(-600))) == start.adding(.seconds(-60)))
        #expect(fresh.due(at: start.adding(.microseconds(-60_000_001))).isEmpty)
        #expect(fresh.due(at: start.adding(.seconds(-60))).map(\.task) == [.match])
        let opened = agenda(isOpened: true, isServed: false)
        #expect(opened.nextInstant(after: start.adding(.seconds(-10))) == start)
        #expect(opened.due(at: start).map(\.task) == [.serve])
        let served = agenda(isOpened: true, isServed: true)
        #expect(served.nextInstant(after: start) == start.adding(.milliseconds(1_800_500)))
        #expect(served.due(at: start.adding(.seconds(1800))).isEmpty)
        #expect(served.due(at: start.adding(.milliseconds(1_800_500))).map(\.task) == [.close])
    }

    @Test("it is known for how long a match has been due, until it is made or no people are left to match")
    func overdue() {
        let waiting = agenda(isOpened: false, isServed: false)
        for (seconds, expected) in [(-61, 0), (-60, 0), (-20, 40), (1799, 1859), (1800, 0)] {
            let overdue = waiting.overdue(at: start.adding(.seconds(seconds)))
            #expect(overdue == .seconds(expected), "\(seconds)")
        }
        #expect(agenda(isOpened: true, isServed: false).overdue(at: start) == .zero)
    }

    @Test("after the database was away the others have time to store what they know before a slot is closed")
    func settling() {
        var agenda = agenda(isOpened: true, isServed: true)
        let back = start.adding(.seconds(2000))
        agenda.settle(at: back)
        agenda.settle(at: back.adding(.seconds(1)))
        #expect(agenda.due(at: back).isEmpty)
        #expect(agenda.nextInstant(after: back) == back.adding(.seconds(2)))
        #expect(agenda.due(at: back.adding(.seconds(2))).map(\.task) == [.close])
        // The clock was an hour ahead.
        agenda.settle(at: back.adding(.seconds(3600)))
        #expect(agenda.due(at: back).map(\.task) == [.close])
    }

    @Test("late arrivals are matched at once, but not after the end")
    func late() {
        let late = agenda(isOpened: true, isServed: true, hasLateArrivals: true)
        #expect(late.due(at: start.adding(.seconds(5))).map(\.task) == [.match])
        #expect(late.due(at: start.adding(.seconds(1800))).isEmpty)
        #expect(late.due(at: start.adding(.seconds(1801))).map(\.task) == [.close])
    }

    @Test("the most important comes first: matches, notes that a server is up, plans, and closings last")
    func importance() {
        var agenda = Agenda(lead: .seconds(60), grace: .milliseconds(500), planAhead: .seconds(600))
        let (now, hour) = (start, Duration.seconds(3600))
        func add(_ startsAt: Timestamp, isOpened: Bool, isServed: Bool) {
            agenda[startsAt] = Agenda.Slot(
                endsAt: startsAt.adding(.seconds(1800)), isOpened: isOpened, isServed: isServed)
        }
        add(now.adding(.zero - hour), isOpened: true, isServed: true)
        add(now.adding(.seconds(-600)), isOpened: true, isServed: false)
        add(now.adding(.seconds(30)), isOpened: false, isServed: false)
        add(now.adding(.seconds(600)), isOpened: false, isServed: false)
        #expect(agenda.due(at: now).map(\.task) == [.match, .serve, .plan, .close])
    }

    @Test("after a downtime over the whole slot it is only closed")
    func downtime() {
        let missed = agenda(isOpened: false, isServed: false)
        #expect(missed.due(at: start.adding(.seconds(4000))).map(\.task) == [.close])
    }

    @Test("matches come before everything else")
    func matchesFirst() {
        var agenda = agenda(isOpened: true, isServed: true)
        let next = start.adding(.seconds(1800))
        agenda[next] = Agenda.Slot(endsAt: next.adding(.seconds(1800)), isOpened: false, isServed: false)
        #expect(agenda.due(at: next.adding(.seconds(1))).map(\.task) == [.match, .close])
    }

    @Test("what failed is left alone for a while, the others are not, and go first afterwards")
    func failed() {
        var agenda = agenda(isOpened: true, isServed: true, hasLateArrivals: true)
        let next = start.adding(.seconds(1800))
        agenda[next] = Agenda.Slot(endsAt: next.adding(.seconds(1800)), isOpened: false, isServed: false)
        let now = next.adding(.seconds(-60))
        agenda[start]?.retry.fail(at: now)
        #expect(agenda.due(at: now).map(\.startsAt) == [next])
        let later = now.adding(.milliseconds(200))
        #expect(agenda.due(at: later).map(\.startsAt) == [next, start])
        agenda[next] = nil
        #expect(agenda.nextInstant(after: now) == later)
        // The clock was set back.
        #expect(agenda.due(at: now.adding(.seconds(-60))).map(\.startsAt) == [start])
        agenda.hastenRetries()
        #expect(agenda.due(at: now).map(\.startsAt) == [start])
    }
}
