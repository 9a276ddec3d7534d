import Contract
import Database
import Reactor
import Rooms
import WebSocket

/// The rooms of one loop, with the timers that they need. Loop only.
final class RoomLoop {
    /// The interval at which counts of ales are stored; they are also stored when a room closes.
    private static let countInterval = Duration.seconds(5)

    package let loop: EventLoop
    package let host: RoomHost
    private let journal: Journal
    private let now: CurrentTime
    private var closing: (at: Timestamp, timer: EventLoop.Timer)?

    /// A journal that sends the host's reports in batches to the writer on another loop: to wake that loop
    /// for every entry would cost more than the entry itself when many members enter at an opening.
    private final class Journal: RoomJournal {
        private static let delay = Duration.milliseconds(50)

        private typealias Report = @Sendable (isolated PresenceWriter) -> Void

        private let loop: EventLoop
        private let writer: PresenceWriter
        private let writerLoop: EventLoop
        private var reports: [Report] = []

        init(on loop: EventLoop, to writer: PresenceWriter, _ writerLoop: EventLoop) {
            self.loop = loop
            self.writer = writer
            self.writerLoop = writerLoop
        }

        func entered(room: Identifier, registration: Identifier, at now: Timestamp) {
            add { $0.entered(room: room, registration: registration, at: now) }
        }

        func presenceChanged(room: Identifier, registration: Identifier, term: Int32?, present: Bool) {
            add { writer in
                writer.presenceChanged(
                    room: room, registration: registration, term: term, present: present)
            }
        }

        func counted(_ counts: [AleCount]) {
            if !counts.isEmpty { add { $0.counted(counts) } }
        }

        /// Sends the gathered reports.
        func send() {
            if reports.isEmpty { return }
            let reports = reports
            self.reports = []
            writerLoop.execute { [writer] in
                writer.assumeIsolated { writer in
                    for report in reports { report(writer) }
                }
            }
        }

        private func add(_ report: @escaping Report) {
            if reports.isEmpty { loop.schedule(after: Self.delay) { [weak self] in self?.send() } }
            reports.append(report)
        }
    }

    /// Creates the rooms of a loop. With a storage they outlive the process; `saved` was read from the
    /// storage.
    init(
        _ loop: EventLoop, _ configuration: RoomConfiguration, writer: PresenceWriter, writerLoop: EventLoop,
        storage: (any RoomStorage)?, saved: [SavedRoom]
    ) {
        self.loop = loop
        now = configuration.now
        journal = Journal(on: loop, to: writer, writerLoop)
        var configuration = configuration
        // For the host alone, which only this loop calls. `LoopBound` adds 5 % to the instructions of an ale.
        nonisolated(unsafe) let clock = OncePerTurn(loop, configuration.now)
        configuration.now = { clock.value }
        host = RoomHost(configuration, journal: journal, storage: storage, saved: saved)
        planClosing()
        countLater()
    }

    package func apply(_ memberships: [Membership]) {
        for membership in memberships { host.apply(membership) }
        if memberships.contains(where: \.isClosed) { reportCounts() }
        planClosing()
    }

    /// Sends the entries until now to the writer.
    func reportEntries() { journal.send() }

    /// Sends the members who are present, and the entries until now.
    func reportPresence() {
        host.reportPresence()
        journal.send()
    }

    /// Sends the counts and the entries until now.
    func reportCounts() {
        journal.counted(host.takeCounts())
        journal.send()
    }

    /// Closes the rooms that have ended, and sends the counts too.
    func reportEverything() {
        journal.counted(host.closeEnded(at: now()))
        journal.send()
    }

    private func countLater() {
        loop.schedule(after: Self.countInterval) { [weak self] in
            guard let self else { return }
            journal.counted(host.takeCounts())
            host.forgetArriving(endedBy: now())
            countLater()
        }
    }

    /// Schedules one timer for the rooms that end first.
    private func planClosing() {
        guard let end = host.nextEnd else { return }
        if let closing, closing.at <= end { return }
        if let closing { loop.cancel(closing.timer) }
        let delay = min(max(end.since(now()), .zero), .seconds(15))
        let timer = loop.schedule(after: delay) { [weak self] in
            guard let self else { return }
            closing = nil
            if now() >= end { reportEverything() }
            planClosing()
        }
        closing = (end, timer)
    }
}
