package import Contract
package import Postgres

/// The invites of registrations: one unused one for each at most.
package enum Invites {
    /// An invite as it is stored, with the registration that it belongs to.
    package struct Found: Sendable {
        package let registration: Identifier
        package let user: Identifier
        package let name: String
        /// The key of the slot.
        package let key: Timestamp
        package let slot: SlotSpan
        package let isUsed: Bool
        package let isCancelled: Bool
    }

    /// The people that a guest would meet in the room of the inviter.
    package struct Hosts: Sendable {
        package let count: Int
        /// Whether the guest may not meet one of them.
        package let isBlocked: Bool
        /// The number of those who are certain to share a room already, by invites.
        package let party: Int
    }

    private static let lockRegistration = """
        SELECT starts_at, cancelled_at IS NOT NULL FROM registrations
        WHERE id = $1 AND user_id = $2
        FOR NO KEY UPDATE
        """

    /// Returns a common table expression of the registrations that are to share a room with that one, itself
    /// included: guests and inviters of any of them.
    private static func party(of registration: String) -> String {
        """
        party (id) AS (
            SELECT \(registration)::uuid
            UNION
            SELECT CASE WHEN intents.registration_id = party.id THEN invited_by
                ELSE intents.registration_id END
            FROM party
            JOIN intents ON invited_by IS NOT NULL
                AND (intents.registration_id = party.id OR invited_by = party.id)
        )
        """
    }

    /// Returns a query for the number of people who are to share a room with that registration by invites,
    /// itself included.
    static func countParty(of registration: String) -> String {
        """
        WITH RECURSIVE \(party(of: registration))
        SELECT count(*) FROM party JOIN registrations USING (id)
        WHERE cancelled_at IS NULL AND user_id IS NOT NULL
        """
    }

    private static let removeUnused = "DELETE FROM invites WHERE registration_id = $1 AND used_at IS NULL"

    private static let insert = """
        INSERT INTO invites (hash, registration_id, created_at) VALUES ($1, $2, $3)
        """

    private static let find = """
        SELECT registrations.id, accounts.id, accounts.name, starts_at, ends_at, used_at IS NOT NULL,
            cancelled_at IS NOT NULL
        FROM invites
        JOIN registrations ON registrations.id = registration_id
        JOIN slots USING (starts_at)
        JOIN accounts ON accounts.id = user_id
        WHERE hash = $1 AND NOT \(Suspensions.isInForce("accounts.id"))
        """

    private static let letIn = """
        UPDATE invites SET let_in_at = $2
        FROM registrations JOIN accounts ON accounts.id = user_id
        WHERE hash = $1 AND registrations.id = registration_id AND used_at IS NULL AND let_in_at IS NULL
            AND cancelled_at IS NULL AND NOT \(Suspensions.isInForce("accounts.id"))
        RETURNING starts_at
        """

    private static let readHosts = """
        WITH RECURSIVE \(party(of: "$2")),
        friend (id) AS (
            SELECT user_id FROM party JOIN registrations USING (id)
            WHERE cancelled_at IS NULL AND user_id IS NOT NULL
        ),
        host (id) AS (
            SELECT $3::uuid
            UNION
            SELECT id FROM friend
            UNION
            SELECT other.user_id
            FROM members AS mine
            JOIN members AS theirs ON theirs.room_id = mine.room_id AND theirs.left_revision IS NULL
            JOIN registrations AS other ON other.id = theirs.registration_id
            WHERE mine.registration_id = $2 AND mine.left_revision IS NULL AND other.user_id IS NOT NULL
        )
        SELECT count(*), coalesce(bool_or(EXISTS (
            SELECT FROM blocks
            WHERE removed_at IS NULL AND (blocks.user_id = $1 AND other_id = host.id
                OR blocks.user_id = host.id AND other_id = $1))), false),
            (SELECT count(*) FROM friend)
        FROM host
        """

    /// Stores a new invite to the slot of a registration, replacing an unused one, and returns the key of the
    /// slot. Throws an `APIError`: `notFound`, what the caller's check of the key throws, or `conflict` for a
    /// registration that is cancelled or has as many people as there are in a room.
    package static func add(
        _ code: InviteCode, to registration: Identifier, of user: Identifier, roomSize: Int,
        at now: Timestamp, check: (Timestamp) throws -> Void, on connection: PostgresConnection
    ) async throws -> Timestamp {
        guard let row = try await connection.query(lockRegistration, [registration, user]).first else {
            throw APIError.notFound
        }
        let (key, isCancelled) = try row.decode(Timestamp.self, Bool.self)
        if isCancelled { throw APIError(.conflict, "This registration is cancelled. Make a new one.") }
        try check(key)
        // A guest who is using an invite holds it: the party is counted once that is decided.
        try await connection.query(removeUnused, [registration])
        let party =
            try await connection.query(
                countParty(of: "$1"), [registration]
            ).first?.decode(0, Int64.self) ?? 1
        guard party < roomSize else {
            throw APIError(
                .conflict, "You are \(party) already, by invites; a room here is for \(roomSize) people.")
        }
        try await connection.query(insert, [code.hash, registration, now])
        return key
    }

    /// Takes back the unused invite of a registration. Returns false if the user has no such registration.
    package static func remove(
        of registration: Identifier, of user: Identifier, on connection: PostgresConnection
    ) async throws(PostgresError) -> Bool {
        guard try await connection.query(lockRegistration, [registration, user]).first != nil else {
            return false
        }
        try await connection.query(removeUnused, [registration])
        return true
    }

    /// Returns the invite with that code; nil if it no longer exists, or if the inviter is suspended.
    package static func find(
        _ code: InviteCode, in pool: PostgresPool
    ) async throws(PostgresError) -> Found? {
        guard let row = try await pool.query(find, [code.hash], retrying: true).first else { return nil }
        return Found(
            registration: try row.decode(0), user: try row.decode(1), name: try row.decode(2),
            key: try row.decode(3), slot: SlotSpan(key: try row.decode(3), endsAt: try row.decode(4)),
            isUsed: try row.decode(5), isCancelled: try row.decode(6))
    }

    /// Notes that a person makes an account by an unused invite, which one person can. Returns the key of its
    /// slot; nil if the invite cannot be used, or was used for an account.
    package static func letIn(
        _ code: InviteCode, at now: Timestamp, on connection: PostgresConnection
    ) async throws(PostgresError) -> Timestamp? {
        try await connection.query(letIn, [code.hash, now]).first?.decode(0, Timestamp.self)
    }

    /// Returns the people that a guest would meet: the inviter, those who are paired with the inviter by
    /// invites, and the members of the inviter's room.
    package static func hosts(
        of invite: Found, for guest: Identifier, in pool: PostgresPool
    ) async throws(PostgresError) -> Hosts {
        let rows = try await pool.query(
            readHosts, [guest, invite.registration, invite.user], retrying: true)
        return try rows.first?.read(Hosts.init(count:isBlocked:party:))
            ?? Hosts(count: 1, isBlocked: false, party: 1)
    }
}
