import API
import Codecs
import Database
import Logging
import Postgres
import Reactor
import Scheduling

/// The change events that go to other servers, and those that come from them.
struct ChangesPart: Part {
    private let application: Application
    private let dispatcher: ChangeDispatcher
    private let broadcaster: ChangeBroadcaster
    private let listener: PostgresListener
    private let listening = ListenState()

    init(_ context: PartContext) {
        application = context.application
        dispatcher = context.changes
        broadcaster = context.broadcaster
        listener = PostgresListener(
            context.database, on: context.loop, channels: [ChangeEvent.channel], keepalive: .seconds(60),
            session: [PostgresSchedule.holdLife(of: ChangeEvent.origin)])
    }

    var pools: [DatabasePools.Group] { [.init(name: "changes", pools: [broadcaster.pool])] }

    var tasks: [@Sendable () async -> Void] { [broadcaster.run, listen] }

    private func listen() async {
        await listener.run(
            onConnect: {
                listening.set(true)
                application.signIns.setListening(true)
                // PostgreSQL may have been replaced, with its zone files.
                application.timeZones.wake()
                dispatcher.receive(.all(.slots))
                dispatcher.receive(.notifications)
                dispatcher.receive(.all(.rooms))
            },
            onNotification: { notification in
                if broadcaster.isOwn(notification) { return }
                if let changeEvent = ChangeEvent(notification.payload) {
                    application.signIns.apply(changeEvent)
                    dispatcher.receive(changeEvent)
                }
            },
            onFailure: { error in
                listening.set(false)
                application.signIns.setListening(false)
                Log.warning("change events of other servers are missed meanwhile", ["error": "\(error)"])
            })
    }

    /// The figures of the queues, by their names.
    var queues: [(name: String, figures: ChangeQueue.Figures)] {
        dispatcher.figures + [("servers", broadcaster.figures)]
    }

    func figures() -> [Figure] {
        let queues = queues
        return [
            Figure(
                "change_events_total", "Change events that came, by the queue that they wait in.",
                by: "queue", queues.map { ($0, $1.received) }),
            Figure(
                "change_events_waiting", "Change events that wait; what came twice waits once.", by: "queue",
                queues.map { ($0, $1.waiting) }),
            Figure(
                "change_event_oldest_seconds",
                "How long ago the oldest change event came that is not handled yet.", by: "queue",
                queues.map { ($0, $1.oldestSeconds) }),
            Figure(
                "change_event_delay_seconds", "From the coming of a change event to the end of its handling.",
                by: "queue", queues.map { ($0, $1.delays) }),
        ]
    }

    var states: [PartState] {
        let waits = queues.map(\.figures.oldestSeconds).max() ?? 0
        let waiting = queues.reduce(0) { $0 + $1.figures.waiting }
        return [
            listening.part,
            PartState(
                name: "change events", isWell: waits < PartState.late.inSeconds, ageSeconds: waits,
                detail: "\(waiting) wait"),
        ]
    }

    func finish() async { await broadcaster.finish() }
}
