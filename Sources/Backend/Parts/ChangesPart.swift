import API
import Database
import Logging
import Postgres
import Scheduling

/// The change events that go to other servers, and those that come from them.
struct ChangesPart: Part {
    let application: Application
    let dispatcher: ChangeDispatcher
    let broadcaster: ChangeBroadcaster
    let listener: PostgresListener
    let listening: ListenState

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

    func finish() async { await broadcaster.finish() }
}
