import Contract
import Postgres

/// Stores whom people want to meet, with their registrations.
enum Intents {
    /// Uses up invites, one for each guest, in the order of their hashes, so that no two writers wait in a
    /// circle. Of two guests with one invite the first one gets it.
    private static let useInvites = """
        WITH wanted AS (
            SELECT invites.hash, guest_id, asked_at
            FROM unnest($1::bytea[], $2::uuid[], $3::timestamptz[]) AS asked (hash, guest_id, asked_at)
            JOIN invites USING (hash)
            JOIN registrations ON registrations.id = invites.registration_id
            WHERE used_at IS NULL AND cancelled_at IS NULL AND user_id IS NOT NULL
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
    /// registrations whose invite cannot be used. Nothing is asked where nobody has an intent.
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
        var guests: [(code: InviteCode, id: Identifier, at: Timestamp)] = []
        var seen: Set<InviteCode> = []
        var uninvited: Set<Identifier> = []
        for request in requests {
            guard let code = request.intent?.invite, let slot = request.slots.first else { continue }
            if seen.insert(code).inserted { guests.append((code, slot.id, request.createdAt)) }
            uninvited.insert(slot.id)
        }
        if guests.isEmpty { return ([:], []) }
        var hosts: [Identifier: Identifier] = [:]
        let rows = try await connection.query(
            useInvites, [guests.map(\.code.hash), guests.map(\.id), guests.map(\.at)])
        for row in rows {
            let (guest, host) = try row.decode(Identifier.self, Identifier.self)
            hosts[guest] = host
            uninvited.remove(guest)
        }
        return (hosts, uninvited)
    }
}
