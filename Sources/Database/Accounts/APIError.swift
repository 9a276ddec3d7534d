package import Contract

/// A refusal, with fields that belong to it.
package struct APIError: Error {
    package var problem: Problem
    package var headers: [String: String] = [:]

    package init(
        _ name: ProblemName, _ detail: String, errors: [FieldError]? = nil, headers: [String: String] = [:]
    ) {
        problem = Problem(name, detail: detail, errors: errors)
        self.headers = headers
    }

    /// How to sign in (RFC 6750 §3), for a request without a token.
    package static let challenge = "Bearer realm=\"letsswitch\""
    /// The same for a token that came and is no good.
    package static let refusedChallenge = challenge + ", error=\"invalid_token\""

    /// The caller's account went away while they were asking.
    package static let accountDeleted = APIError(
        .unauthenticated, "This account was deleted.",
        headers: ["WWW-Authenticate": refusedChallenge])

    /// Nothing of the caller's with that id.
    package static let notFound = APIError(.notFound, "Nothing of yours has that id.")
}
