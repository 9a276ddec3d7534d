import Contract
import Postgres

/// The meetings of people: the SQL for them, and the person behind a registration.
package enum Met {
    /// Returns SQL for whether two members of one room were in it at the same time.
    package static func together(_ one: String, _ other: String) -> String {
        """
        \(one).room_id = \(other).room_id
            AND (\(one).left_revision IS NULL OR \(other).joined_revision < \(one).left_revision)
            AND (\(other).left_revision IS NULL OR \(one).joined_revision < \(other).left_revision)
        """
    }

    /// Selects the person by an entry of the user's lists, if the registration was removed.
    private static let personOf = """
        SELECT (SELECT id FROM accounts WHERE id = other.user_id)
        FROM registrations AS other
        WHERE other.id = $2 AND (other.user_id = $1 OR EXISTS (
            SELECT FROM members AS theirs
            JOIN members AS ours ON \(together("ours", "theirs"))
            JOIN registrations AS own ON own.id = ours.registration_id AND own.user_id = $1
            WHERE theirs.registration_id = other.id))
        UNION ALL
        SELECT other_id FROM blocks JOIN accounts ON accounts.id = other_id
        WHERE registration_id = $2 AND user_id = $1
        UNION ALL
        SELECT other_id FROM favourites JOIN accounts ON accounts.id = other_id
        WHERE registration_id = $2 AND user_id = $1
        """

    enum Person {
        /// The registration shared no room with one of the caller's. The caller is not told whether it exists
        /// at all.
        case stranger
        /// The person's account is gone.
        case former
        case oneself
        case user(Identifier)
    }

    /// Returns the person behind the registration that the caller names.
    static func person(
        _ request: PeopleList.Request, on connection: PostgresConnection
    ) async throws(PostgresError) -> Person {
        let rows = try await connection.query(personOf, [request.user, request.registration])
        guard let row = rows.first else { return .stranger }
        guard let user = try row.decode(0, Identifier?.self) else { return .former }
        return user == request.user ? .oneself : .user(user)
    }

    static let stranger = APIError(
        .notFound,
        "You have met no person with this registration. Take the id of a member of one of your rooms.")
}
