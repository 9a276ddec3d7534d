package import Contract
package import Postgres

/// The stored idempotency keys and their answers.
///
/// A request with a key holds its advisory lock to the end of the transaction of its effect, and never waits
/// for it: a request that waits for another one with the same key holds no connection meanwhile.
package enum IdempotencyKeys {
    package enum Finding: Equatable, Sendable {
        case unused
        /// The request has had its effect, and its answer is not known yet.
        case underWay
        /// The key was used for another request.
        case otherRequest
        case kept(KeptAnswer)
        /// The request has had its effect, and its answer cannot be given again.
        case gone
    }

    /// The time after which an answer that is not known yet never will be: its server has ended.
    static let longestWork = Duration.seconds(60)
    /// The number of keys that are removed in one transaction.
    static let batch: Int64 = 1_000

    /// A token can be shown again until it is used or replaced.
    private static let select = """
        SELECT fingerprint, made_at, status, fields, body, gaps, secret, secret_hash,
            CASE WHEN secret NOT IN ('token', 'account')
                OR EXISTS (SELECT FROM tokens WHERE hash = secret_hash AND made_under = name) THEN salt END
        FROM idempotency_keys
        WHERE name = $1 AND made_at > $2
        """

    private static let locks = """
        SELECT position, pg_try_advisory_xact_lock(one, two)
        FROM unnest($1::int4[], $2::int4[]) WITH ORDINALITY AS lock (one, two, position)
        """

    private static let known = """
        SELECT position
        FROM unnest($1::bytea[], $2::timestamptz[]) WITH ORDINALITY AS key (name, horizon, position)
        JOIN idempotency_keys USING (name)
        WHERE made_at > horizon
        """

    /// Stores keys and answers. A key that is older than a day counts as new.
    private static let insert = """
        INSERT INTO idempotency_keys (
            name, user_id, fingerprint, made_at, status, fields, body, gaps, secret, secret_hash, salt)
        SELECT name, user_id, fingerprint, made_at, status, fields, body, gaps::int4[], secret, secret_hash,
            salt
        FROM unnest($1::bytea[], $2::uuid[], $3::bytea[], $4::timestamptz[], $5::int4[], $6::text[],
            $7::bytea[], $8::text[], $9::text[], $10::bytea[], $11::bytea[])
            AS key (
                name, user_id, fingerprint, made_at, status, fields, body, gaps, secret, secret_hash, salt)
        ON CONFLICT (name) DO UPDATE
        SET user_id = excluded.user_id, fingerprint = excluded.fingerprint, made_at = excluded.made_at,
            status = excluded.status, fields = excluded.fields, body = excluded.body, gaps = excluded.gaps,
            secret = excluded.secret, secret_hash = excluded.secret_hash, salt = excluded.salt
        WHERE idempotency_keys.made_at <= excluded.made_at - interval '24 hours'
        """

    private static let complete = """
        UPDATE idempotency_keys SET status = $2, fields = $3, body = $4, gaps = $5::text::int4[]
        WHERE name = $1
        """

    private static let forget = """
        DELETE FROM idempotency_keys
        WHERE name IN (SELECT name FROM idempotency_keys WHERE made_at <= $1 ORDER BY made_at LIMIT $2)
        """

    /// Returns what is known of a key. It holds no lock, so that this may be past when it is told.
    package static func find(
        _ key: IdempotencyKey, in pool: PostgresPool
    ) async throws(PostgresError) -> Finding {
        let rows = try await pool.query(select, [key.name, key.horizon], retrying: true)
        guard let row = rows.first else { return .unused }
        guard try row.decode(0, [UInt8].self) == key.fingerprint else { return .otherRequest }
        guard let status = try row.decode(2, Int32?.self) else {
            let age = key.madeAt.since(try row.decode(1, Timestamp.self))
            return age < longestWork ? .underWay : .gone
        }
        var answer = KeptAnswer(
            status: Int(status), fieldText: try row.decode(3, String.self),
            body: try row.decode(4, [UInt8].self), gaps: try row.decode(5, [Int32].self).map { Int($0) })
        guard let kind = try row.decode(6, String?.self).flatMap(DerivedSecret.Kind.init) else {
            return .kept(answer)
        }
        guard let salt = try row.decode(8, [UInt8]?.self) else { return .gone }
        answer.secret = KeptAnswer.Secret(kind: kind, hash: try row.decode(7, [UInt8].self), salt: salt)
        return .kept(answer)
    }

    /// Takes the key for the transaction. Throws `KeyUnderWay` if another request has it or had it.
    package static func claim(_ key: IdempotencyKey, on connection: PostgresConnection) async throws {
        guard try await claim([key], on: connection).isEmpty else { throw KeyUnderWay() }
    }

    /// Takes the keys for the transaction. Returns those that another request has or had, by their index.
    static func claim(
        _ keys: [IdempotencyKey], on connection: PostgresConnection
    ) async throws(PostgresError) -> Set<Int> {
        if keys.isEmpty { return [] }
        var lost: Set<Int> = []
        for row in try await connection.query(locks, [keys.map(\.lock.0), keys.map(\.lock.1)]) {
            let (position, isTaken) = try row.decode(Int64.self, Bool.self)
            if !isTaken { lost.insert(Int(position) - 1) }
        }
        // A statement that begins under the lock sees what the request that had it before has stored.
        for row in try await connection.query(known, [keys.map(\.name), keys.map(\.horizon)]) {
            lost.insert(Int(try row.decode(0, Int64.self)) - 1)
        }
        return lost
    }

    /// Stores the key with its answer in the transaction that has claimed it; without an answer, that the
    /// request has had its effect. `user` is the account, if it was made under the key.
    package static func keep(
        _ answer: KeptAnswer?, of key: IdempotencyKey, user: Identifier? = nil,
        on connection: PostgresConnection
    ) async throws {
        do {
            guard try await keep([(key, user ?? key.user, answer)], on: connection) else {
                throw KeyUnderWay()
            }
        } catch let error as PostgresError where error.sqlState == .foreignKeyViolation {
            throw APIError.accountDeleted
        }
    }

    /// Stores keys with their answers, as above. Returns false if one of them was stored already.
    static func keep(
        _ rows: [(key: IdempotencyKey, user: Identifier?, answer: KeptAnswer?)],
        on connection: PostgresConnection
    ) async throws(PostgresError) -> Bool {
        if rows.isEmpty { return true }
        let answers = rows.map(\.answer)
        let count = try await connection.execute(
            insert,
            [
                rows.map(\.key.name), rows.map(\.user), rows.map(\.key.fingerprint), rows.map(\.key.madeAt),
                answers.map { $0.map { Int32(clamping: $0.status) } }, answers.map { $0?.fieldText },
                answers.map { $0?.body }, answers.map { $0?.gapText },
                answers.map { $0?.secret?.kind.rawValue }, answers.map { $0?.secret?.hash },
                answers.map { $0?.secret?.salt },
            ])
        return count == rows.count
    }

    /// Stores the answer of a request whose effect was stored before.
    package static func complete(
        _ key: IdempotencyKey, with answer: KeptAnswer, in pool: PostgresPool
    ) async throws(PostgresError) {
        try await pool.execute(
            complete,
            [
                key.name, Int32(clamping: answer.status), answer.fieldText, answer.body,
                answer.gapText,
            ])
    }

    /// Removes the keys that are older than a day, and returns their number.
    @discardableResult
    package static func tidy(at now: Timestamp, in pool: PostgresPool) async throws -> Int {
        try await pool.executeAll(forget, [now.adding(.zero - IdempotencyKey.lifetime)], batch: batch)
    }
}
