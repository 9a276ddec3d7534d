import Contract
import Reactor
import Rooms
import WebSocket

/// One loop's rooms, with the timers that they need. Loop only.
final class RoomLoop {
    /// Counts of ales go to the database that often, and when a room closes.
    private static let countInterval = Duration.seconds(5)

    let loop: EventLoop
    let host: RoomHost
    private let journal: Journal
    private let now: @Sendable () -> Timestamp
    private var closing: (at: Timestamp, timer: EventLoop.Timer)?

    /// What the host reports goes to the writer, on another loop.
    private final class Journal: RoomJournal {
        let writer: VisitWriter
        let writerLoop: EventLoop

        init(_ writer: VisitWriter, on writerLoop: EventLoop) {
            self.writer = writer
            self.writerLoop = writerLoop
        }

        func entered(room: UUID, registration: UUID, at now: Timestamp) {
            report { $0.entered(room: room, registration: registration, at: now) }
        }

        func presenceChanged(room: UUID, registration: UUID, present: Bool) {
            report { $0.presenceChanged(room: room, registration: registration, present: present) }
        }

        func counted(_ counts: [AleCount]) {
            if !counts.isEmpty { report { $0.counted(counts) } }
        }

        private func report(_ body: @escaping @Sendable (isolated VisitWriter) -> Void) {
            writerLoop.execute { [writer] in writer.assumeIsolated(body) }
        }
    }

    init(_ loop: EventLoop, _ configuration: RoomConfiguration, writer: VisitWriter, writerLoop: EventLoop) {
        self.loop = loop
        now = configuration.now
        journal = Journal(writer, on: writerLoop)
        host = RoomHost(configuration, journal: journal)
        countLater()
    }

    func apply(_ rosters: [Roster]) {
        for roster in rosters { host.apply(roster) }
        planClosing()
    }

    /// Sends what was counted to the writer.
    func reportCounts() {
        journal.counted(host.closeEnded(at: now()))
    }

    private func countLater() {
        loop.schedule(after: Self.countInterval) { [weak self] in
            guard let self else { return }
            journal.counted(host.takeCounts())
            countLater()
        }
    }

    /// One timer for the rooms that end first.
    private func planClosing() {
        guard let end = host.nextEnd else { return }
        if let closing, closing.at <= end { return }
        if let closing { loop.cancel(closing.timer) }
        let delay = min(max(end.since(now()), .zero), .seconds(15))
        let timer = loop.schedule(after: delay) { [weak self] in
            guard let self else { return }
            closing = nil
            if now() >= end { reportCounts() }
            planClosing()
        }
        closing = (end, timer)
    }
}
