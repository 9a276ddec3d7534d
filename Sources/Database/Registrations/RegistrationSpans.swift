package import Contract
package import Postgres
package import Settings

/// The rule that the sessions of one user do not overlap, where slots have several lengths. There is no rule
/// if the setting is off: slots of one length cannot overlap.
///
/// A constraint of the table `registration_spans` enforces it between requests at the same instant, on any
/// server. Registrations that were made before the setting was turned on are found by a query.
package struct RegistrationSpans: Sendable {
    /// The sessions that the slots of a request would overlap, by the index of the slot.
    package typealias Overlaps = [Int: SlotSpan]

    package init?(_ configuration: ServerConfiguration) {
        if configuration.slotLengths.isEmpty { return nil }
    }

    /// Selects live registrations that overlap requested slots: up to two that start before each slot or with
    /// it, and up to two that start in it, since one may be the slot itself. No slot is longer than a day.
    /// Rows are compared, and limited, for the reason that `RegistrationWriter.takenSlots` has.
    static let overlapping = """
        SELECT request.position, near.starts_at, near.ends_at
        FROM unnest($1::uuid[], $2::timestamptz[], $3::timestamptz[]) WITH ORDINALITY
            AS request (user_id, starts_at, ends_at, position)
        CROSS JOIN LATERAL (
            (SELECT other.starts_at, slots.ends_at
            FROM registrations AS other JOIN slots ON slots.starts_at = other.starts_at
            WHERE (other.user_id, other.starts_at)
                    >= (request.user_id, request.starts_at - interval '1 day')
                AND (other.user_id, other.starts_at) <= (request.user_id, request.starts_at)
                AND cancelled_at IS NULL AND slots.ends_at > request.starts_at
            ORDER BY other.user_id DESC, other.starts_at DESC
            LIMIT 2)
            UNION ALL
            (SELECT other.starts_at, slots.ends_at
            FROM registrations AS other JOIN slots ON slots.starts_at = other.starts_at
            WHERE (other.user_id, other.starts_at) > (request.user_id, request.starts_at)
                AND (other.user_id, other.starts_at) < (request.user_id, request.ends_at)
                AND cancelled_at IS NULL AND slots.ends_at > request.starts_at
            ORDER BY other.user_id, other.starts_at
            LIMIT 2)
        ) AS near
        ORDER BY near.starts_at DESC
        """

    /// Inserts spans in the order of the users and their starts, so that two writers never wait for each
    /// other.
    private static let insert = """
        INSERT INTO registration_spans (registration_id, user_id, span)
        SELECT id, user_id, tstzrange(starts_at, ends_at)
        FROM unnest($1::uuid[], $2::uuid[], $3::timestamptz[], $4::timestamptz[])
            AS new (id, user_id, starts_at, ends_at)
        ORDER BY user_id, starts_at
        ON CONFLICT DO NOTHING
        RETURNING registration_id
        """

    /// Returns the overlaps of the requests with what is stored, by the index of the request.
    func overlaps(
        of requests: [RegistrationRequest], on connection: PostgresConnection
    ) async throws(PostgresError) -> [Int: Overlaps] {
        let places = requests.indices.flatMap { index in requests[index].slots.indices.map { (index, $0) } }
        let slots = places.map { requests[$0.0].slots[$0.1] }
        let rows = try await connection.query(
            Self.overlapping,
            [
                places.map { requests[$0.0].user }, slots.map { SlotKey($0.startsAt).startsAt },
                slots.map(\.endsAt),
            ])
        var overlaps: [Int: Overlaps] = [:]
        for row in rows {
            let (position, key, endsAt) = try row.decode(Int64.self, Timestamp.self, Timestamp.self)
            guard places.indices.contains(Int(position) - 1) else { continue }
            let (request, slot) = places[Int(position) - 1]
            // The slot itself is no overlap: it is taken.
            if key == requests[request].slots[slot].startsAt { continue }
            overlaps[request, default: [:]][slot] = SlotSpan(key: key, endsAt: endsAt)
        }
        return overlaps
    }

    /// Stores the times of registrations that were inserted. Returns those that overlap others of their
    /// users.
    func store(
        _ requests: [RegistrationRequest], inserted: Set<Identifier>, on connection: PostgresConnection
    ) async throws(PostgresError) -> Set<Identifier> {
        let rows = requests.flatMap { request in request.slots.map { (request.user, $0) } }
            .filter { inserted.contains($0.1.id) }
        var overlapping = Set(rows.map(\.1.id))
        let stored = try await connection.query(
            Self.insert,
            [
                rows.map(\.1.id), rows.map(\.0), rows.map { SlotKey($0.1.startsAt).startsAt },
                rows.map(\.1.endsAt),
            ])
        for row in stored { overlapping.remove(try row.decode(0, Identifier.self)) }
        return overlapping
    }
}

/// The reason why the database cannot keep the sessions of a user apart, in one line for the operator.
package struct SpansUnavailable: Error, CustomStringConvertible {
    package let cause: PostgresError

    package var description: String {
        "SLOT_LENGTHS needs PostgreSQL's extension btree_gist, which this server cannot make (\(cause)). "
            + "As a superuser of the database, run: CREATE EXTENSION btree_gist;"
    }
}

extension RegistrationSpans {
    /// The lock of servers that start at the same time.
    private static let lock = "SELECT pg_advisory_xact_lock(x'7370616e'::int)"

    private static let isPrepared = """
        SELECT FROM pg_constraint
        WHERE conname = 'registration_spans_apart' AND conrelid = 'registration_spans'::regclass
        """

    private static let keepApart = """
        ALTER TABLE registration_spans ADD CONSTRAINT registration_spans_apart
            EXCLUDE USING gist (user_id WITH =, span WITH &&)
        """

    /// Makes the constraint, with the extension that it needs, unless it exists. This is no migration: a
    /// server without `SLOT_LENGTHS` needs no extension. Throws `SpansUnavailable`, which no repetition
    /// helps, or `PostgresError`.
    package static func prepare(on connection: PostgresConnection) async throws {
        if try await !connection.query(isPrepared).isEmpty { return }
        try await connection.transaction { connection in
            try await connection.query(lock)
            if try await !connection.query(isPrepared).isEmpty { return }
            do throws(PostgresError) {
                try await connection.query("CREATE EXTENSION IF NOT EXISTS btree_gist")
            } catch {
                if error.meansUnavailable || error.isRetryable { throw error }
                throw SpansUnavailable(cause: error)
            }
            try await connection.query(keepApart)
        }
    }
}
