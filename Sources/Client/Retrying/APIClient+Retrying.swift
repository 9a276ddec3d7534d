import HTTP1

extension APIClient {
    /// Returns the same client with that policy for transient failures of calls that may be repeated (GET,
    /// DELETE, and asking for another token). `Retry-After` is obeyed, and where the account's limit is used
    /// up a call waits until it is not refused. Streams and room connections reconnect by themselves.
    public func retrying(_ policy: RetryPolicy) -> APIClient {
        var client = self
        client.retries = policy
        return client
    }

    /// Makes one call, tried as often as the policy says. `isRepeatable`: the call is idempotent, whatever
    /// its method.
    func exchange(
        _ method: HTTPMethod, _ target: String, headers: HTTPHeaders, body: [UInt8]?,
        isRepeatable: Bool = false
    ) async throws(ClientError) -> HTTPAnswer {
        let (http, pace) = (http, pace)
        return try await retries.attempt(isIdempotent: isRepeatable || Self.isIdempotent(method)) {
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
            guard answer.isSuccess else { throw AttemptFailure(answer) }
            return answer
        }
    }

    /// Whether the method is idempotent (RFC 9110 §9.2.2). PATCH is not (RFC 5789).
    private static func isIdempotent(_ method: HTTPMethod) -> Bool {
        [.get, .head, .put, .delete, .options].contains(method)
    }
}
