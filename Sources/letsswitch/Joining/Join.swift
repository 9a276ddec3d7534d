import Client
import Contract
import Reactor

/// One join, from the search for the room to its end: it handles inputs, and updates the view and the
/// connection.
struct Join {
    /// The number of unacknowledged ales at which standard input waits.
    private static let highWater = 20

    private let view: any JoinView
    private let input: StandardInput
    private let isInteractive: Bool
    private var reader = InputReader()
    private(set) var model = JoinModel()
    private var connection: RoomConnection?
    /// The number of ales that were typed and not sent yet.
    private var backlog = 0

    init(view: any JoinView, input: StandardInput, isInteractive: Bool) {
        self.view = view
        self.input = input
        self.isInteractive = isInteractive
    }

    /// Handles inputs until the room closes or the user leaves.
    mutating func run(_ inputs: AsyncStream<JoinInput>) async throws {
        view.show(model, nil)
        for await next in inputs {
            switch next {
            case .waiting(let wait):
                let joinEvent = model.apply(wait, at: WallClock.now)
                view.show(model, joinEvent)
            case .found(let room, let connection):
                self.connection = connection
                model.found(room)
                view.show(model, nil)
            case .event(let event):
                let joinEvent = model.apply(event, at: WallClock.now)
                view.show(model, joinEvent)
                if case .closed(let reason) = event {
                    try RoomEnd.check(reason)
                    return
                }
            case .health(let health):
                model.health = health
                view.warn(health)
                view.show(model, nil)
            case .ended(let error):
                if let error { throw error }
                return
            case .typed(let bytes):
                if await perform(isInteractive ? reader.keys(bytes) : reader.lines(bytes)) { return }
                if isInteractive && model.isInterrupted { await RoomConnection.processResumed() }
            case .typedAll:
                if await perform(isInteractive ? [] : reader.end()) { return }
            case .tick:
                model.roundTrip = await connection?.latestRoundTrip
                view.show(model, nil)
            }
            await sendBacklog()
        }
    }

    /// Performs the actions; returns whether the user leaves.
    private mutating func perform(_ actions: [InputReader.Action]) async -> Bool {
        for action in actions {
            switch action {
            case .cheer: if connection != nil || !isInteractive { backlog += 1 }
            case .say(let status): await connection?.declare(model.me?.status == status ? nil : status)
            case .showKeys:
                model.showsKeys.toggle()
                view.show(model, nil)
            case .leave:
                await connection?.stop()
                return true
            }
        }
        return false
    }

    private mutating func sendBacklog() async {
        while backlog > 0, model.unacknowledged < Self.highWater, let connection {
            backlog -= 1
            guard await connection.cheer() != nil else { break }
            model.cheered()
            view.show(model, nil)
        }
        if backlog > 0 && !isInteractive { input.pause() } else { input.resume() }
    }
}
