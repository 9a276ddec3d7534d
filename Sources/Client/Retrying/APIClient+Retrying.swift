import Contract
import HTTP1

extension APIClient {
    /// Returns the same client with that policy for transient errors of calls that can be repeated: GET,
    /// DELETE, and POST, which has one idempotency key for all its attempts. It waits as long as
    /// `Retry-After`, plus jitter. If the rate limit of the account is used up, a call waits. Streams and
    /// room connections do not need a policy: they reconnect by themselves.
    public func retrying(_ policy: RetryPolicy) -> APIClient {
        var client = self
        client.retries = policy
        return client
    }

    /// Returns the same client with this idempotency key for its next POST. The server executes the requests
    /// of one key once within 24 hours, and gives each the same answer. The key is a random text of 22 to 255
    /// ASCII characters. Without this method each POST has a new key.
    ///
    /// It is for a program that repeats its call after a restart: it stores the key before the first call.
    public func repeating(_ key: String) -> APIClient {
        var client = self
        client.idempotencyKey = key
        return client
    }

    /// Returns a key for `repeating`.
    public static func makeIdempotencyKey() -> String {
        var random = SystemRandomNumberGenerator()
        return Identifier.v4(using: &random).description
    }

    /// Makes one call, tried as often as the policy says with each token. A POST has one key in all of them.
    func exchange(
        _ method: HTTPMethod, _ target: String, headers: HTTPHeaders, body: [UInt8]?
    ) async throws(ClientError) -> HTTPAnswer {
        var fields = headers
        if method == .post {
            let key = idempotencyKey ?? Self.makeIdempotencyKey()
            let text = key.flatMap { $0 == "\"" || $0 == "\\" ? ["\\", $0] : [$0] }
            fields.append("Idempotency-Key", "\"\(String(text))\"")
        }
        let common = fields
        return try await signedIn { token throws(ClientError) in
            try await attempts(method, target, headers: common.authorized(by: token), body: body)
        }
    }

    private func attempts(
        _ method: HTTPMethod, _ target: String, headers: HTTPHeaders, body: [UInt8]?
    ) async throws(ClientError) -> HTTPAnswer {
        let (http, pace) = (http, pace)
        return try await retries.attempt(isIdempotent: Self.isRepeatable(method)) {
            () async throws(AttemptFailure) in
            let wait = pace.wait()
            if wait > .zero {
                do { try await ContinuousClock().sleep(for: wait) } catch { throw AttemptFailure(.cancelled) }
            }
            let answer: HTTPAnswer
            do throws(ClientError) {
                answer = try await http.send(method, target, headers: headers, body: body)
            } catch {
                throw AttemptFailure(error)
            }
            pace.note(answer.head.headers)
            // A 304 answers a call that has an If-None-Match: the caller has the resource already.
            guard answer.isSuccess || answer.head.status == 304 else { throw AttemptFailure(answer) }
            return answer
        }
    }

    /// Whether the method is idempotent (RFC 9110 §9.2.2), or its key makes it so. PATCH is not (RFC 5789).
    private static func isRepeatable(_ method: HTTPMethod) -> Bool {
        [.get, .head, .put, .delete, .options, .post].contains(method)
    }
}
