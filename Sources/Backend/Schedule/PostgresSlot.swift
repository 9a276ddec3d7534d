import Contract
import Postgres

/// A slot inside a transaction that holds its lock.
struct PostgresSlot: SlotTransaction {
    let startsAt: Timestamp
    let connection: PostgresConnection

    private static let readSlot = """
        SELECT ends_at, opened_at IS NOT NULL, closed_at IS NOT NULL FROM slots WHERE starts_at = $1
        """

    private static let readArrivals = """
        SELECT id, user_id FROM registrations
        WHERE starts_at = $1 AND cancelled_at IS NULL AND user_id IS NOT NULL
            AND NOT EXISTS (
                SELECT FROM members WHERE registration_id = registrations.id AND left_revision IS NULL)
        ORDER BY id
        """

    private static let readMembers = """
        SELECT room_id, registration_id, registrations.user_id, entered_at IS NOT NULL
        FROM rooms
        JOIN members ON members.room_id = rooms.id AND left_revision IS NULL
        JOIN registrations ON registrations.id = registration_id
        WHERE rooms.starts_at = $1 AND registrations.user_id IS NOT NULL
        ORDER BY rooms.opened_at, room_id, registration_id
        """

    func slot() async throws -> SlotRecord? {
        guard let row = try await connection.query(Self.readSlot, [startsAt]).first else { return nil }
        let (endsAt, isOpened, isClosed) = try row.decode(Timestamp.self, Bool.self, Bool.self)
        return SlotRecord(endsAt: endsAt, isOpened: isOpened, isClosed: isClosed)
    }

    func arrivals() async throws -> [SlotArrival] {
        var arrivals: [SlotArrival] = []
        for row in try await connection.query(Self.readArrivals, [startsAt]) {
            let (registration, user) = try row.decode(UUID.self, UUID.self)
            arrivals.append(SlotArrival(registration: registration, user: user))
        }
        return arrivals
    }

    func members() async throws -> [SlotMember] {
        var members: [SlotMember] = []
        for row in try await connection.query(Self.readMembers, [startsAt]) {
            let (room, registration, user, hasEntered) = try row.decode(
                UUID.self, UUID.self, UUID.self, Bool.self)
            members.append(
                SlotMember(room: room, registration: registration, user: user, hasEntered: hasEntered))
        }
        return members
    }
}
