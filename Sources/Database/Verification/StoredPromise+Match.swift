extension StoredPromise {
    /// Joins pairs of members, `one` and `other`, who were in one room at the same time, with their
    /// registrations `mine` and `theirs`.
    private static let together = """
        JOIN members AS one ON one.registration_id = mine.id
        JOIN members AS other ON other.room_id = one.room_id AND other.registration_id <> one.registration_id
            AND one.joined_revision < coalesce(other.left_revision, 2147483647)
            AND other.joined_revision < coalesce(one.left_revision, 2147483647)
        JOIN registrations AS theirs ON theirs.id = other.registration_id
        """

    static let match = [
        StoredPromise(
            "not-oneself", "Nobody meets themself.",
            """
            SELECT room_id::text FROM members JOIN registrations ON registrations.id = registration_id
            WHERE left_revision IS NULL AND user_id IS NOT NULL
            GROUP BY room_id, user_id HAVING count(*) > 1
            """),
        // A block and a match at the same moment may be in either order: seconds are left out.
        StoredPromise(
            "blocks", "Nobody meets somebody whom either had blocked before the room opened.",
            """
            SELECT DISTINCT one.room_id::text FROM blocks
            JOIN registrations AS mine ON mine.user_id = blocks.user_id
            \(together) AND theirs.user_id = blocks.other_id
            JOIN rooms ON rooms.id = one.room_id
            WHERE removed_at IS NULL AND blocks.created_at < rooms.opened_at - interval '10 seconds'
            """),
        StoredPromise(
            "invited-together", "Two who were paired by an invite before the opening share a room.",
            """
            SELECT guest.id::text FROM intents
            JOIN registrations AS guest ON guest.id = intents.registration_id
            JOIN registrations AS host ON host.id = intents.invited_by
            JOIN slots ON slots.starts_at = guest.starts_at
            WHERE guest.cancelled_at IS NULL AND host.cancelled_at IS NULL
                AND guest.user_id IS NOT NULL AND host.user_id IS NOT NULL
                AND greatest(guest.created_at, host.created_at) < opened_at - interval '10 seconds'
                AND EXISTS (SELECT FROM members WHERE registration_id = guest.id AND joined_revision = 1)
                AND EXISTS (SELECT FROM members WHERE registration_id = host.id AND joined_revision = 1)
                AND NOT EXISTS (SELECT FROM members AS one JOIN members AS other USING (room_id)
                    WHERE one.registration_id = guest.id AND other.registration_id = host.id)
                AND NOT EXISTS (SELECT FROM blocks
                    WHERE (user_id = guest.user_id AND other_id = host.user_id)
                        OR (user_id = host.user_id AND other_id = guest.user_id))
            """),
        StoredPromise(
            "favourites-only", "Whoever meets favourites only meets no stranger.",
            """
            SELECT DISTINCT mine.id::text FROM intents
            JOIN registrations AS mine ON mine.id = intents.registration_id
            \(together)
            WHERE favourites_only AND mine.user_id IS NOT NULL AND theirs.user_id IS NOT NULL
                AND NOT EXISTS (SELECT FROM favourites
                    WHERE user_id = mine.user_id AND other_id = theirs.user_id)
                -- Friends of friends may come by invites.
                AND NOT EXISTS (SELECT FROM members AS any_one
                    JOIN intents AS invited ON invited.invited_by IS NOT NULL
                        AND any_one.registration_id IN (invited.registration_id, invited.invited_by)
                    WHERE any_one.room_id = one.room_id)
            """),
        StoredPromise(
            "invites-once", "An invite is used once.",
            """
            SELECT invited_by::text FROM intents WHERE invited_by IS NOT NULL
            GROUP BY invited_by
            HAVING count(*) > (SELECT count(*) FROM invites
                WHERE invites.registration_id = intents.invited_by AND used_at IS NOT NULL)
            """),
    ]
}
