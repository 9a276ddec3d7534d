import Client
import Contract
import Reactor

/// Prints notifications as they come; with `--join` it also stays in each room that opens.
struct WatchCommand {
    private let invocation: Invocation
    private let api: APIClient
    /// The types of notifications that are printed; nil for all.
    private let shown: [NotificationType]?
    /// The registrations whose rooms this command is in. A registration is in one room at a time, and its
    /// connection follows where it moves.
    private let joined = Lock<Set<Identifier>>([])

    private var console: Console { invocation.console }

    @Sendable static func run(_ invocation: Invocation) async throws {
        let types = try EndpointCommands.types(invocation.arguments.all("types"))
        let watch = WatchCommand(
            invocation: invocation, api: try await invocation.signedIn(), shown: types)
        let joins = invocation.arguments.has("join")
        // With --join the stream also has the notifications of rooms, which are entered but not shown.
        let asked = types.map { types in
            types + (joins ? [.roomOpened, .roomChanged].filter { !types.contains($0) } : [])
        }
        try await withThrowingDiscardingTaskGroup { group in
            for try await event in watch.api.events(types: asked) {
                let opened = await watch.hear(event, joins)
                for (registration, room) in opened where joins { watch.enter(registration, room, &group) }
            }
        }
    }

    /// Prints an event, and returns the rooms that it shows to be open now.
    private func hear(
        _ event: NotificationStream.Event, _ joins: Bool
    ) async -> [(registration: Identifier, room: Identifier)] {
        switch event {
        case .connected:
            console.note("Watching. Ctrl-C ends.")
            guard joins else { return [] }
            do {
                let finder = RoomFinder(api: api.retrying(.patient))
                guard let room = try await finder.currentRoom() else { return [] }
                return room.members.filter(\.you).map { ($0.id, room.id) }
            } catch {
                // The failure only means that a room that is open already is not entered.
                console.warn(SafeText.escape(Failure(describing: error).detail))
                return []
            }
        case .notification(let notification):
            if shown.map({ types in types.contains { $0.rawValue == notification.type } }) ?? true {
                console.json(notification)
                console.line(NotificationText.line(notification))
            }
            // A change also tells of a room that could not be entered when it opened.
            return notification.data.openRoom.map { [($0.registrationId, $0.roomId)] } ?? []
        case .interrupted(let reason, let wait):
            console.warn("\(SafeText.escape(reason.local)) Again \(Countdown.words(wait)).")
            return []
        }
    }

    private func enter(
        _ registration: Identifier, _ room: Identifier, _ group: inout ThrowingDiscardingTaskGroup<any Error>
    ) {
        guard joined.withLock({ $0.insert(registration).inserted }) else { return }
        group.addTask {
            await attend(room)
            joined.withLock { _ = $0.remove(registration) }
        }
    }

    /// Stays in a room until it closes. A failure there does not end the watch.
    private func attend(_ room: Identifier) async {
        var model = JoinModel()
        do throws(ClientError) {
            model.found(try await api.retrying(.patient).room(room))
            let connection = try api.connection(in: room)
            let events = connection.events
            let lines = DiagnosticLines.follow(connection, invocation)
            await connection.start()
            for await event in events {
                console.tell(model.apply(event, at: WallClock.now))
            }
            await connection.stop()
            await lines?.value
        } catch {
            if error == .cancelled { return }
            console.warn("Room \(room): \(SafeText.escape(error.text.local))")
        }
    }
}
