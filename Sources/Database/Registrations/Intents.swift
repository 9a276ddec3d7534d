import Contract
import Postgres

/// Stores the intents of people, that is, which people they want to meet, with their registrations.
enum Intents {
    /// Locks the invites of a slot, so that of two guests of one party, each with an invite of their own, the
    /// later one counts the earlier one. The key has two parts, of which the first one spells "invi".
    private static let lockInvites = """
        SELECT pg_advisory_xact_lock(x'696e7669'::int, (extract(epoch FROM starts_at) / 60)::int)
        FROM (
            SELECT DISTINCT starts_at FROM invites JOIN registrations ON id = registration_id
            WHERE hash = ANY($1::bytea[]) ORDER BY starts_at) AS invited
        """

    /// Uses up invites, one for each guest, in the order of their hashes, so that no two writers wait in a
    /// circle. Of two guests with one invite the first one gets it. A party that fills a room takes no guest.
    private static let useInvites = """
        WITH wanted AS (
            SELECT invites.hash, guest_id, asked_at
            FROM unnest($1::bytea[], $2::uuid[], $3::timestamptz[], $4::int8[])
                AS asked (hash, guest_id, asked_at, room_size)
            JOIN invites USING (hash)
            JOIN registrations ON registrations.id = invites.registration_id
            WHERE used_at IS NULL AND cancelled_at IS NULL AND user_id IS NOT NULL
                AND (\(Invites.countParty(of: "invites.registration_id"))) < room_size
            ORDER BY invites.hash
            FOR NO KEY UPDATE OF invites
        )
        UPDATE invites SET used_at = asked_at FROM wanted WHERE invites.hash = wanted.hash
        RETURNING guest_id, registration_id
        """

    private static let insert = """
        INSERT INTO intents (registration_id, favourites_only, quiet, invited_by)
        SELECT * FROM unnest($1::uuid[], $2::bool[], $3::bool[], $4::uuid[])
        """

    /// Stores the intents of requests whose registrations are stored, and uses up their invites. Returns the
    /// registrations whose invite cannot be used. Without intents no query is sent.
    static func store(
        of requests: [RegistrationRequest], on connection: PostgresConnection
    ) async throws(PostgresError) -> Set<Identifier> {
        if requests.allSatisfy({ $0.intent == nil }) { return [] }
        let (hosts, uninvited) = try await useInvites(of: requests, on: connection)
        var rows: [(id: Identifier, intent: RegistrationRequest.Intent)] = []
        for request in requests {
            guard let intent = request.intent else { continue }
            for slot in request.slots where !uninvited.contains(slot.id) { rows.append((slot.id, intent)) }
        }
        if rows.isEmpty { return uninvited }
        try await connection.query(
            insert,
            [
                rows.map(\.id), rows.map(\.intent.favouritesOnly), rows.map(\.intent.isQuiet),
                rows.map { hosts[$0.id] },
            ])
        return uninvited
    }

    /// Returns the inviter's registration of each guest's, and the guests that got none.
    private static func useInvites(
        of requests: [RegistrationRequest], on connection: PostgresConnection
    ) async throws(PostgresError) -> (hosts: [Identifier: Identifier], uninvited: Set<Identifier>) {
        var guests: [(hash: [UInt8], id: Identifier, at: Timestamp, roomSize: Int64)] = []
        var seen: Set<InviteCode> = []
        var uninvited: Set<Identifier> = []
        for request in requests {
            guard let invite = request.intent?.invite, let slot = request.slots.first else { continue }
            if seen.insert(invite.code).inserted {
                guests.append((invite.code.hash, slot.id, request.createdAt, Int64(invite.roomSize)))
            }
            uninvited.insert(slot.id)
        }
        if guests.isEmpty { return ([:], []) }
        var hosts: [Identifier: Identifier] = [:]
        try await SlotLock.allow(idle: nil, on: connection)
        try await connection.query(lockInvites, [guests.map(\.hash)])
        let rows = try await connection.query(
            useInvites,
            [guests.map(\.hash), guests.map(\.id), guests.map(\.at), guests.map(\.roomSize)])
        for row in rows {
            let (guest, host) = try row.decode(Identifier.self, Identifier.self)
            hosts[guest] = host
            uninvited.remove(guest)
        }
        return (hosts, uninvited)
    }
}
