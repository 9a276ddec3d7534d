import Contract
import HTTP1

extension APIClient {
    /// Returns the same client with that policy for transient failures of calls that may be repeated: GET,
    /// DELETE, and POST, which has one idempotency key for all its attempts. `Retry-After` is obeyed, with
    /// some jitter, and if the account's limit is used up a call waits until it is not refused. Streams and
    /// room connections reconnect by themselves.
    public func retrying(_ policy: RetryPolicy) -> APIClient {
        var client = self
        client.retries = policy
        return client
    }

    /// Returns the same client whose next POST is the same as another one that was sent with this idempotency
    /// key: it takes effect once, and both get the same answer. The key has 22 to 255 characters of ASCII,
    /// and is made at random; a server knows it for 24 hours. Without this, each POST has a new key.
    ///
    /// It is for a program that makes its call again after a restart: it stores the key before the first
    /// call.
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
