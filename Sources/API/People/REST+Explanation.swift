import Contract
import Database
import HTTP1
import HTTPServer
import Postgres

extension REST {
    func addExplanation(to router: inout Router) {
        router.on(.get, Routes.rooms + "/{id}/explanation", signedIn(explainRoom))
    }

    /// Selects one row for each other member, or one row of nulls if there is none; no row if the room is not
    /// the caller's.
    ///
    /// Two people meet at the revision at which the later one joined; the time is that of its notification.
    private static let meetings = """
        SELECT other.id, coalesce(person.name, 'former user'), person.id IS NOT NULL,
            CASE WHEN other.tag = own.tag THEN own.tag END,
            EXISTS (
                SELECT FROM favourites
                WHERE user_id = $1 AND other_id = person.id AND created_at <= met.at
                    AND (removed_at IS NULL OR removed_at > met.at)),
            greatest((SELECT max(before.starts_at)
                FROM registrations AS before
                JOIN members AS ours ON ours.registration_id = before.id AND ours.entered_at IS NOT NULL
                JOIN members AS theirs ON \(Met.together("ours", "theirs")) AND theirs.entered_at IS NOT NULL
                JOIN registrations AS their ON their.id = theirs.registration_id AND their.user_id = person.id
                WHERE before.user_id = $1 AND before.starts_at < room.starts_at),
                (SELECT last_at FROM past_meetings
                WHERE one_id = least($1, person.id) AND other_id = greatest($1, person.id))),
            coalesce(own.created_at > slot.opened_at, false), coalesce(other.created_at > slot.opened_at,
                false),
            EXISTS (
                SELECT FROM members AS gone
                WHERE gone.room_id = room.id AND gone.left_revision <= pair.revision)
            OR EXISTS (
                SELECT FROM members AS former
                WHERE former.registration_id IN (own.id, other.id) AND former.room_id <> room.id
                    AND former.left_revision IS NOT NULL),
            NOT EXISTS (
                SELECT FROM rooms AS elsewhere
                WHERE elsewhere.starts_at = room.starts_at AND elsewhere.id <> room.id
                    AND elsewhere.opened_at <= met.at)
        FROM members AS mine
        JOIN registrations AS own
            ON own.id = mine.registration_id AND own.user_id = $1 AND own.cancelled_at IS NULL
        JOIN rooms AS room ON room.id = mine.room_id
        JOIN slots AS slot ON slot.starts_at = room.starts_at
        LEFT JOIN members AS companion
            ON companion.room_id = room.id AND companion.left_revision IS NULL
                AND companion.registration_id <> own.id
        LEFT JOIN registrations AS other ON other.id = companion.registration_id
        LEFT JOIN users AS person ON person.id = other.user_id
        CROSS JOIN LATERAL (
            SELECT greatest(mine.joined_revision, companion.joined_revision) AS revision) AS pair
        CROSS JOIN LATERAL (
            SELECT coalesce(
                (SELECT min(created_at) FROM notifications
                    WHERE user_id = $1 AND registration_id = own.id AND room_id = room.id
                        AND notifications.revision = pair.revision
                            AND type IN ('room.opened', 'room.changed')),
                greatest(room.opened_at, own.created_at, other.created_at)) AS at) AS met
        WHERE mine.room_id = $2 AND mine.left_revision IS NULL
        ORDER BY companion.joined_revision, other.id
        """

    private func explainRoom(_ user: SignedInUser, _ request: HTTPRequest) async throws -> HTTPResponse {
        let room = try request.id()
        let rows = try await application.database(request.loop)
            .query(Self.meetings, [user.id, room], retrying: true)
        if rows.isEmpty { throw APIError.notFound }
        let members = try rows.compactMap { try Meeting($0)?.explained }
        return try Answer.json(
            Explanation(roomId: room, message: Self.message(members.map(\.name)), members: members))
    }

    private static func message(_ names: [String]) -> String {
        switch names.count {
        case 0: "You are alone here so far. Whoever comes late may join you."
        case 1: "You meet \(names[0]) here."
        default: "You meet \(names.dropLast().joined(separator: ", ")) and \(names[names.count - 1]) here."
        }
    }
}
