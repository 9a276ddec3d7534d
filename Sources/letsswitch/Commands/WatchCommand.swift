import Client
import Contract
import Reactor

enum WatchCommand {
    @Sendable static func run(_ invocation: Invocation) async throws {
        let api = try invocation.signedIn()
        let joins = invocation.arguments.has("join")
        let console = invocation.console
        try await withThrowingTaskGroup(of: Void.self) { group in
            var joined: Set<UUID> = []
            for try await event in api.events() {
                var opened: [(registration: UUID, room: UUID)] = []
                switch event {
                case .connected:
                    console.note("Watching. Ctrl-C ends.")
                    if joins, let room = try await RoomFinder(api: api).currentRoom() {
                        opened = room.members.filter(\.you).map { ($0.id, room.id) }
                    }
                case .notification(let notification):
                    console.json(notification)
                    console.line(NotificationText.line(notification))
                    if case .roomOpened(let news) = notification.data {
                        opened = [(news.registrationId, news.roomId)]
                    }
                case .interrupted(let reason, let wait):
                    console.warn("\(SafeText.escape(reason)) Again \(Countdown.words(wait)).")
                }
                // A registration is in one room at a time, and its session follows where it moves.
                for (registration, room) in opened where joins && joined.insert(registration).inserted {
                    group.addTask { try await attend(api, room, console) }
                }
            }
        }
    }

    /// One room that goes wrong does not end the watch.
    private static func attend(_ api: APIClient, _ room: UUID, _ console: Console) async throws {
        var model = JoinModel()
        do throws(ClientError) {
            model.found(try await api.room(room))
            let connection = try api.connection(in: room)
            let events = connection.events
            await connection.start()
            for await event in events {
                JoinReport(console).tell(model.apply(event, at: WallClock.now))
            }
            await connection.stop()
        } catch {
            if error == .cancelled { throw error }
            console.warn("Room \(room): \(SafeText.escape(error.detail))")
        }
    }
}
