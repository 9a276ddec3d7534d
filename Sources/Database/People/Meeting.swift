package import Contract
package import Postgres

/// The facts about the meeting of a user with another one, from the user's side.
package struct Meeting: Sendable {
    package var id: Identifier
    package var name: String
    /// Whether the other one is a former user, without any earlier data.
    var isFormer = false
    var sharedTag: String?
    var isFavourite = false
    var youInvited = false
    var theyInvited = false
    var meetsFavouritesOnly = false
    /// The start of the last earlier session that both attended.
    var lastMetAt: Timestamp?
    var youWereLate = false
    var theyWereLate = false
    var isReplacement = false
    /// Whether no other room was open in the slot.
    var isOnlyRoom = false

    /// Returns the reasons why they meet, the choice first and the circumstances last.
    package func explained(in language: Language) -> ExplainedMember {
        var reasons: [MeetingReason] = []
        let add = { (kind: MeetingReason.Kind, text: Text) in
            reasons.append(MeetingReason(kind, text, in: language))
        }
        if youInvited { add(.invited, "You invited \(name).") }
        if theyInvited { add(.invited, "\(name) invited you.") }
        if isFavourite { add(.favourite, "\(name) is one of your favourites.") }
        if meetsFavouritesOnly, isFavourite {
            add(.favouritesOnly, "You asked to meet favourites only.")
        }
        if let sharedTag {
            add(.sameTag, "Both of you chose the tag “\(sharedTag)”.")
        }
        if let lastMetAt {
            let day = lastMetAt.description.prefix(10)
            reasons.append(
                MeetingReason(
                    .metBefore, "You have met before, last on \(day).", lastMetAt: lastMetAt, in: language))
        } else if !isFormer {
            add(.firstMeeting, "This is your first meeting.")
        }
        if youWereLate {
            add(.late, "You registered late, and there was a place with \(name).")
        } else if theyWereLate {
            add(.late, "\(name) registered late, and there was a place with you.")
        } else if isReplacement {
            add(.replacement, "Others had left, and so you two were put together.")
        }
        if isOnlyRoom {
            add(.onlyOneLeft, "There was no other person in this slot to choose from.")
        }
        return ExplainedMember(id: id, name: name, reasons: reasons)
    }
}

extension Meeting {
    /// One row for each of the others, or one of nulls where there is none; no row where the room is not the
    /// user's.
    ///
    /// Two people meet at the revision at which the later one joined; the notification of it says when that
    /// was.
    private static let meetings = """
        SELECT other.id, coalesce(person.name, 'former user'), person.id IS NOT NULL,
            CASE WHEN other.tag = own.tag AND person.id IS NOT NULL THEN own.tag END,
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
            coalesce(own.created_at > slot.opened_at, false),
            coalesce(other.created_at > slot.opened_at, false),
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
                    AND elsewhere.opened_at <= met.at),
            coalesce(their_intent.invited_by = own.id, false),
            coalesce(own_intent.invited_by = other.id, false), coalesce(own_intent.favourites_only, false)
        FROM members AS mine
        JOIN registrations AS own
            ON own.id = mine.registration_id AND own.user_id = $1 AND own.cancelled_at IS NULL
        JOIN rooms AS room ON room.id = mine.room_id
        JOIN slots AS slot ON slot.starts_at = room.starts_at
        LEFT JOIN members AS companion
            ON companion.room_id = room.id AND companion.left_revision IS NULL
                AND companion.registration_id <> own.id
        LEFT JOIN registrations AS other ON other.id = companion.registration_id
        LEFT JOIN accounts AS person ON person.id = other.user_id
        LEFT JOIN intents AS own_intent ON own_intent.registration_id = own.id
        LEFT JOIN intents AS their_intent
            ON their_intent.registration_id = other.id AND person.id IS NOT NULL
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

    /// Reads the meetings of the user in a room, and whether the user meets favourites only. Returns nil
    /// where the room is not the user's.
    package static func read(
        of user: Identifier, in room: Identifier, from pool: PostgresPool
    ) async throws(PostgresError) -> (meetings: [Meeting], favouritesOnly: Bool)? {
        let rows = try await pool.query(meetings, [user, room], retrying: true)
        guard let first = rows.first else { return nil }
        var read: [Meeting] = []
        for row in rows { if let meeting = try Meeting(row) { read.append(meeting) } }
        return (read, try first.decode(12))
    }

    /// Reads a row of the explanation; nil if it holds no person.
    private init?(_ row: PostgresRow) throws(PostgresError) {
        guard let id = try row.decode(0, Identifier?.self) else { return nil }
        self.id = id
        name = try row.decode(1)
        isFormer = try !row.decode(2, Bool.self)
        sharedTag = try row.decode(3)
        isFavourite = try row.decode(4)
        lastMetAt = try row.decode(5, Timestamp?.self).map { SlotKey($0).startsAt }
        youWereLate = try row.decode(6)
        theyWereLate = try row.decode(7)
        isReplacement = try row.decode(8)
        isOnlyRoom = try row.decode(9)
        youInvited = try row.decode(10)
        theyInvited = try row.decode(11)
        meetsFavouritesOnly = try row.decode(12)
    }
}
