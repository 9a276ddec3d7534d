import Contract
import HTTP1

/// A refusal, with fields that belong to it.
struct Refused: Error {
    var problem: Problem
    var headers: HTTPHeaders = [:]

    init(
        _ name: ProblemName, _ detail: String, errors: [FieldError]? = nil, headers: HTTPHeaders = [:]
    ) {
        problem = Problem(name, detail: detail, errors: errors)
        self.headers = headers
    }

    /// The caller's account went away while they were asking.
    static let accountDeleted = Refused(
        .unauthenticated, "This account was deleted.",
        headers: ["WWW-Authenticate": SignIn.refusedChallenge])

    /// Nothing of the caller's with that id.
    static let notFound = Refused(.notFound, "Nothing of yours has that id.")
}
