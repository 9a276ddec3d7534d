package import Contract

/// An error that a client gets, with the fields that belong to it.
package struct APIError: Error {
    package var problem: Problem
    package var headers: [String: String] = [:]

    package init(
        _ name: ProblemName, _ detail: Text, errors: [FieldError]? = nil, headers: [String: String] = [:]
    ) {
        problem = Problem(name, detail: detail, errors: errors)
        self.headers = headers
    }

    /// The `WWW-Authenticate` challenge (RFC 6750 §3) for a request without a token.
    package static let challenge = "Bearer realm=\"letsswitch\""
    /// The challenge for a request whose token is not valid.
    package static let refusedChallenge = challenge + ", error=\"invalid_token\""

    /// The error that the token of a request is not valid.
    package static let tokenNotValid = APIError(
        .unauthenticated, "This token is not valid, or no longer. Sign in with the latest one.",
        headers: ["WWW-Authenticate": refusedChallenge])

    /// The error that the caller's account was deleted during the request.
    package static let accountDeleted = APIError(
        .unauthenticated, "This account was deleted.",
        headers: ["WWW-Authenticate": refusedChallenge])

    /// The error that PostgreSQL has no rules for the zone of an account or a routine any more.
    package static func unknownTimeZone(_ name: String) -> APIError {
        APIError(
            .timeZoneUnknown,
            "The server has no rules for the time zone \(name). Choose another one, from GET "
                + "\(Routes.timeZones).")
    }

    /// The error that the caller has nothing with that id.
    package static let notFound = APIError(.notFound, "Nothing of yours has that id.")
}

extension Optional {
    /// Returns the value; throws the error if there is none.
    package func orThrow(_ error: @autoclosure () -> APIError) throws(APIError) -> Wrapped {
        guard let self else { throw error() }
        return self
    }
}
