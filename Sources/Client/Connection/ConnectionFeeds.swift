import Contract
import Reactor

/// The feeds of a connection, each for any number of readers.
struct ConnectionFeeds: Sendable {
    /// A report for readers, each kind on its feed.
    enum Report: Hashable, Sendable {
        case event(RoomEvent)
        case message(ServerMessage)
        case state(ConnectionState)
        /// The state of a wait that begins now.
        case waiting(Duration)
        case health(Health)
        case diagnostic(Diagnostic.Event)
    }

    /// The most states that wait for a slow reader.
    private static let stateBuffer = 64
    private static let diagnosticBuffer = 1024

    let states = Broadcast(latest: ConnectionState.idle, limit: stateBuffer)
    let events: Broadcast<RoomEvent>
    let messages: Broadcast<ServerMessage>
    let health = Broadcast(latest: Health.healthy, limit: stateBuffer)
    let diagnostics = Broadcast(limit: diagnosticBuffer) { Diagnostic(at: wall, .missed($0)) }

    init(eventBuffer: Int) {
        events = Broadcast(limit: eventBuffer) { .missed($0) }
        messages = Broadcast(limit: eventBuffer)
    }

    func publish(_ report: Report) {
        switch report {
        case .event(let event): events.publish(event)
        case .message(let message): messages.publish(message)
        case .state(let state): states.publish(state)
        case .waiting(let wait): states.publish(.waiting(until: Self.wall.adding(wait)))
        case .health(let value): health.publish(value)
        case .diagnostic(let event): diagnostics.publish(Diagnostic(at: Self.wall, event))
        }
    }

    /// Ends all feeds.
    func finish() {
        events.finish()
        messages.finish()
        states.finish()
        health.finish()
        diagnostics.finish()
    }

    private static var wall: Timestamp { Timestamp(microseconds: WallClock.microseconds()) }
}
