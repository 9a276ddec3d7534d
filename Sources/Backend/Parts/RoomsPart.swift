import API
import Database
import Rooms
import Scheduling

/// The rooms of this server and the entries that are stored of them.
struct RoomsPart: Part {
    let rooms: RoomDirectory
    let file: RoomsFile?
    let writer: PresenceWriter

    var tasks: [@Sendable () async -> Void] { [writer.run] }

    func changed(_ changes: PendingChanges) async throws {
        if changes.concernRooms { try await rooms.refresh(changes) }
        if changes.all.contains(.users) {
            try await rooms.refreshAll()
        } else {
            try await rooms.refresh(of: Array(changes.users))
        }
        for id in changes.announcements.sorted() { try await rooms.show(id) }
    }

    func compare() async throws {
        file?.warnIfTruncated()
        try await rooms.refreshOccupied()
    }
}

extension PendingChanges {
    /// Whether rooms may have changed.
    var concernRooms: Bool { all.contains(.rooms) || !rooms.isEmpty || !opened.isEmpty }
}
