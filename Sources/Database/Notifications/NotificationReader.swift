package import Contract
import Outbox
package import Postgres

/// Reads notifications, with fields that are not stored because they follow from others: the partners, and a
/// ready address.
package struct NotificationReader: Sendable {
    /// A notification and its user.
    package struct Delivery: Sendable {
        package var user: Identifier
        /// The number of the user's main token, under which tickets are made.
        package var tokenVersion: Int32
        package var notification: UserNotification
        /// The server of the room that the notification is about.
        package var owner: Identifier?
    }

    package let tickets: Tickets

    package init(tickets: Tickets) {
        self.tickets = tickets
    }

    /// Selects the people that the notification is about: those who were in the room with its registration
    /// then.
    private static let partners = PartnerColumns.select(
        where: """
            member.room_id = notice.room_id
                AND member.joined_revision <= notice.revision
                AND (member.left_revision IS NULL OR member.left_revision > notice.revision)
                AND other.id <> notice.registration_id
            """)

    private static let select = """
        SELECT notice.id, notice.user_id, person.token_version, notice.type, notice.created_at,
            notice.registration_id,
            coalesce(notice.room_id, (
                SELECT member.room_id FROM members AS member
                WHERE member.registration_id = notice.registration_id AND member.left_revision IS NULL)),
            slot.starts_at, slot.ends_at,
            own.sent, own.received, partner.ids, partner.names, partner.tasks, partner.tags, partner.quiets,
            room.owner, announced.text
        FROM notifications AS notice
        JOIN accounts AS person ON person.id = notice.user_id
        LEFT JOIN registrations AS registration ON registration.id = notice.registration_id
        LEFT JOIN slots AS slot ON slot.starts_at = registration.starts_at
        LEFT JOIN announcements AS announced ON announced.id = notice.announcement_id
        LEFT JOIN rooms AS room ON room.id = notice.room_id
        CROSS JOIN LATERAL (
            SELECT coalesce(sum(member.ales_sent), 0)::int8 AS sent,
                coalesce(sum(member.ales_received), 0)::int8 AS received
            FROM members AS member
            WHERE notice.type = 'session.completed' AND member.registration_id = notice.registration_id
        ) AS own
        CROSS JOIN LATERAL (\(partners)) AS partner
        """

    private static func ofUser(_ order: NotificationOrder) -> String {
        """
        \(select)
        WHERE notice.user_id = $1 AND notice.id > $2 AND notice.id < $3
            AND ($5::text[] IS NULL OR notice.type = ANY ($5))
        ORDER BY notice.id \(order.rawValue)
        LIMIT $4
        """
    }

    private static let ofUsers = """
        \(select)
        WHERE notice.user_id = ANY($1::uuid[]) AND notice.id > $2 AND notice.id <= $3
        ORDER BY notice.id
        LIMIT $4
        """

    /// Returns the newest id of all users' notifications; 0 if there is none.
    static func lastID(from database: PostgresPool) async throws(PostgresError) -> Int64 {
        try await database.query(NotificationWriter.newest, retrying: true).first?.decode(0, Int64.self) ?? 0
    }

    /// Returns one user's notifications between two ids, both excluded; of some types, or of all if `types`
    /// is nil. Their tickets are made under the token with that number; nil: under the main one.
    package func read(
        for user: Identifier, under tokenVersion: Int32? = nil, after id: Int64, before end: Int64 = .max,
        order: NotificationOrder = .ascending, types: [NotificationType]? = nil,
        limit: Int, from database: PostgresPool
    ) async throws(PostgresError) -> [UserNotification] {
        let rows = try await database.query(
            Self.ofUser(order), [user, id, end, Int64(limit), types?.map(\.rawValue)], retrying: true)
        return try deliveries(rows).map { delivery in
            notification(of: delivery, under: tokenVersion ?? delivery.tokenVersion)
        }
    }

    /// Returns the notification with a ticket under the token with that number, where it has a ticket.
    package func notification(of delivery: Delivery, under tokenVersion: Int32) -> UserNotification {
        if tokenVersion == delivery.tokenVersion { return delivery.notification }
        func renewed(_ details: NotificationData.RoomDetails) -> NotificationData.RoomDetails {
            var details = details
            details.socketUrl = tickets.socketURL(
                room: details.roomId, user: delivery.user, tokenVersion: tokenVersion,
                closesAt: details.closesAt, owner: delivery.owner)
            return details
        }
        var notification = delivery.notification
        switch notification.data {
        case .roomOpened(let details): notification.data = .roomOpened(renewed(details))
        case .roomChanged(let details): notification.data = .roomChanged(renewed(details))
        case .sessionMissed, .sessionLapsed, .sessionCompleted, .slotPartnered, .slotAlone, .announcement,
            .unknown:
            break
        }
        return notification
    }

    /// Returns the notifications of several users, oldest first: ids become visible in their order, so that a
    /// reader of one has missed none before it.
    package func read(
        for users: [Identifier], after id: Int64, upTo last: Int64, limit: Int, from source: some RowSource
    ) async throws(PostgresError) -> [Delivery] {
        try deliveries(try await source.rows(Self.ofUsers, [users, id, last, Int64(limit)]))
    }

    private static let ofIDs = """
        \(select)
        WHERE notice.id = ANY($1::int8[])
        """

    /// Returns the notifications with these ids that exist and can be read, by id.
    package func read(
        _ ids: [Int64], on connection: PostgresConnection
    ) async throws(PostgresError) -> [Int64: UserNotification] {
        var notifications: [Int64: UserNotification] = [:]
        for row in try await connection.query(Self.ofIDs, [ids]) {
            guard let delivery = try? delivery(row) else { continue }
            notifications[delivery.notification.id] = delivery.notification
        }
        return notifications
    }

    private func deliveries(_ rows: PostgresRows) throws(PostgresError) -> [Delivery] {
        try rows.map { row throws(PostgresError) in try delivery(row) }
    }

    private func delivery(_ row: PostgresRow) throws(PostgresError) -> Delivery {
        let (id, user, tokenVersion, type, createdAt) = try row.decode(
            Int64.self, Identifier.self, Int32.self, String.self, Timestamp.self)
        let data: NotificationData =
            switch NotificationType(rawValue: type) {
            case .roomOpened: .roomOpened(try roomDetails(row, user, tokenVersion))
            case .roomChanged: .roomChanged(try roomDetails(row, user, tokenVersion))
            case .sessionMissed: .sessionMissed(try session(row))
            case .sessionLapsed: .sessionLapsed(try session(row))
            case .sessionCompleted:
                .sessionCompleted(
                    NotificationData.SessionSummary(
                        registrationId: try row.decode(5), roomId: try row.decode(6),
                        startsAt: try startsAt(row),
                        alesSent: try row.decode(9), alesReceived: try row.decode(10),
                        partners: try PartnerColumns.read(row, at: 11)))
            case .slotPartnered: .slotPartnered(try slotDetails(row))
            case .slotAlone: .slotAlone(try slotDetails(row))
            case .announcement:
                try row.decode(17, String?.self).map { .announcement(NotificationData.Announced(text: $0)) }
                    ?? .unknown(type: type)
            case nil: .unknown(type: type)
            }
        return Delivery(
            user: user, tokenVersion: tokenVersion,
            notification: UserNotification(id: id, createdAt: createdAt, data: data),
            owner: try row.decode(16, Identifier?.self))
    }

    private func session(_ row: PostgresRow) throws(PostgresError) -> NotificationData.Session {
        NotificationData.Session(
            registrationId: try row.decode(5), roomId: try row.decode(6), startsAt: try startsAt(row))
    }

    private func slotDetails(_ row: PostgresRow) throws(PostgresError) -> NotificationData.SlotDetails {
        NotificationData.SlotDetails(
            registrationId: try row.decode(5), startsAt: try startsAt(row), endsAt: try row.decode(8))
    }

    private func startsAt(_ row: PostgresRow) throws(PostgresError) -> Timestamp {
        SlotKey(try row.decode(7, Timestamp.self)).startsAt
    }

    private func roomDetails(
        _ row: PostgresRow, _ user: Identifier, _ tokenVersion: Int32
    ) throws(PostgresError) -> NotificationData.RoomDetails {
        let room = try row.decode(6, Identifier.self)
        let closesAt = try row.decode(8, Timestamp.self)
        return NotificationData.RoomDetails(
            registrationId: try row.decode(5), roomId: room, startsAt: try startsAt(row), closesAt: closesAt,
            socketUrl: tickets.socketURL(
                room: room, user: user, tokenVersion: tokenVersion, closesAt: closesAt,
                owner: try row.decode(16, Identifier?.self)),
            partners: try PartnerColumns.read(row, at: 11))
    }
}
