import Contract
package import Database
package import HTTPServer
import Postgres
import Reactor

/// A POST request on its way to its effect, with its idempotency key, if the client gave one.
///
/// With a key the effect, the key and the answer are stored in one transaction, and a request that comes
/// again gets that answer. A request that meets another one with its key waits for it, and holds no
/// connection meanwhile.
package struct KeyedRequest: Sendable {
    /// The error that ends a handler whose request has had its effect before.
    struct Replayed: Error {
        let response: HTTPResponse
    }

    /// The pauses between two looks at such a request.
    private static let pauses = (first: Duration.milliseconds(10), longest: Duration.milliseconds(100))

    package let request: HTTPRequest
    package let key: IdempotencyKey?
    /// The language of the answer.
    let language: Language
    let application: Application

    private var database: PostgresPool { application.database(request.loop) }

    // The effect.

    /// Returns a new secret for the answer, which a replay can show again.
    func secret(_ kind: DerivedSecret.Kind) -> DerivedSecret {
        DerivedSecret(kind, key: application.tickets.secretKey)
    }

    /// Runs the transaction of the effect, in which the answer that the body returns is kept. `secret` is
    /// what the answer shows once, and `user` the account that the transaction makes or recovers: the key
    /// goes with it.
    func transaction(
        in pool: PostgresPool, showing secret: DerivedSecret? = nil, for user: Identifier? = nil,
        _ body: (PostgresConnection) async throws -> HTTPResponse
    ) async throws -> HTTPResponse {
        try await whileUnderWay {
            try await once(in: pool, showing: secret, for: user, body)
        }
    }

    /// Runs the transaction as above, with a place for a caller that may wait for a lock.
    func transaction(
        in locks: LockPlaces, of lock: LockKey, showing secret: DerivedSecret? = nil,
        for user: Identifier? = nil,
        _ body: (PostgresConnection) async throws -> HTTPResponse
    ) async throws -> HTTPResponse {
        try await whileUnderWay {
            try await locks.with(lock) { pool in
                try await once(in: pool, showing: secret, for: user, body)
            }
        }
    }

    private func once(
        in pool: PostgresPool, showing secret: DerivedSecret?, for user: Identifier?,
        _ body: (PostgresConnection) async throws -> HTTPResponse
    ) async throws -> HTTPResponse {
        try await pool.transaction(attempts: 3) { connection in
            guard let key else { return try await body(connection) }
            try await IdempotencyKeys.claim(key, on: connection)
            let response = try await body(connection)
            let answer = response.kept(showing: secret, id: request.id)
            try await IdempotencyKeys.keep(answer, of: key, user: user, on: connection)
            return response
        }
    }

    /// Runs a transaction that has the effect before the answer is known; the key is stored in it.
    func beginning<Value>(
        in pool: PostgresPool, _ body: (PostgresConnection) async throws -> Value
    ) async throws -> Value {
        guard let key else { return try await pool.transaction(attempts: 3, body) }
        return try await whileUnderWay {
            try await pool.transaction(attempts: 3) { connection in
                try await IdempotencyKeys.claim(key, on: connection)
                let value = try await body(connection)
                try await IdempotencyKeys.keep(nil, of: key, on: connection)
                return value
            }
        }
    }

    /// Stores the answer of an effect that has begun so.
    func end(with response: HTTPResponse) async throws {
        guard let key else { return }
        try await IdempotencyKeys.complete(key, with: response.kept(id: request.id), in: database)
    }

    /// Runs the body again while it meets another request with this key, until that one has its answer.
    func whileUnderWay<Value>(_ body: () async throws -> Value) async throws -> Value {
        let end = ContinuousClock.now + application.keyPatience
        var pause = Self.pauses.first
        while true {
            do { return try await body() } catch is KeyUnderWay {}
            try await wait(&pause, until: end)
            while try await isUnderWay() { try await wait(&pause, until: end) }
        }
    }

    private func wait(_ pause: inout Duration, until end: ContinuousClock.Instant) async throws {
        guard ContinuousClock.now + pause < end else {
            throw APIError(
                .keyUnderWay, "The request with this key is under way. Send it again in a moment.",
                headers: ["Retry-After": "1"])
        }
        try await ContinuousClock().sleep(for: pause)
        pause = min(pause * 2, Self.pauses.longest)
    }

    // The answer that was given before.

    /// Throws the answer that is kept under the key, or the reason for which there is none any more. Returns
    /// whether the request has had its effect, and its answer is not known yet.
    private func isUnderWay() async throws -> Bool {
        guard let key else { return false }
        switch try await IdempotencyKeys.find(key, in: database) {
        case .unused: return false
        case .underWay: return true
        case .otherRequest:
            throw APIError(
                .keyReused,
                "This \(IdempotencyKeyField.name) was sent with another request. Make a new one for each.")
        case .kept(let answer): throw Replayed(response: try replay(answer))
        case .gone: throw Self.answerGone
        }
    }

    /// Returns the answer that the handler gives now, or that was given under the key before. What speaks of
    /// the state of things is an answer too, and is kept.
    func answer(_ handler: (KeyedRequest) async throws -> HTTPResponse) async throws -> HTTPResponse {
        if key == nil { return try await handler(self) }
        do {
            var pause = Self.pauses.first
            let end = ContinuousClock.now + application.keyPatience
            while try await isUnderWay() { try await wait(&pause, until: end) }
            do {
                return try await handler(self)
            } catch let error as APIError where error.speaksOfState {
                let response = Answer.refusal(for: error, id: request.id, in: language)
                return try await transaction(in: database) { _ in response }
            }
        } catch let replayed as Replayed {
            return replayed.response
        }
    }

    private func replay(_ answer: KeptAnswer) throws(APIError) -> HTTPResponse {
        var texts = [request.id]
        if let kept = answer.secret {
            let secret = DerivedSecret(kept.kind, salt: kept.salt, key: application.tickets.secretKey)
            // The key of the servers may be another one by now.
            guard kept.salt != nil, secret.hash == kept.hash else { throw Self.answerGone }
            texts = secret.texts
        }
        return HTTPResponse(answer, filling: texts)
    }

    private static let answerGone = APIError(
        .answerGone, "The request has had its effect, and its answer cannot be given again.")
}

extension APIError {
    /// Whether the error says something about the state of things that a request met, as against the request
    /// itself. A body that is wrong in itself is a `RequestError`.
    fileprivate var speaksOfState: Bool {
        switch problem.name {
        case .keyUnderWay, .keyReused, .answerGone: false
        case let name: name?.status == 409 || name?.status == 422
        }
    }
}
