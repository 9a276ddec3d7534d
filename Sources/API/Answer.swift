package import Contract
import Database
package import HTTP1
package import HTTPServer
import Logging
import Postgres

/// The responses of the service: JSON and problem documents.
package enum Answer {
    /// Returns a JSON response, which must not be cached since it is about one person.
    /// `language` is that of the texts in it; nil if it has none.
    static func json(
        _ value: some Encodable, status: Int = 200, in language: Language? = nil,
        headers: HTTPHeaders = [:]
    ) throws -> HTTPResponse {
        var headers = headers
        if let language { headers.append(textIn: language) }
        headers.append("Content-Type", "application/json")
        headers.append("Cache-Control", "no-store")
        return HTTPResponse(status: status, headers: headers, body: try JSON.encode(value))
    }

    /// Returns a problem document in that language, with the header fields that its status requires.
    package static func problem(
        _ problem: Problem, id: String, in language: Language, headers: HTTPHeaders = [:]
    ) -> HTTPResponse {
        var problem = problem.said(in: language)
        problem.instance = id
        var headers = headers
        headers.append("Content-Type", Problem.mediaType)
        headers.append(textIn: language)
        headers.append("Cache-Control", "no-store")
        if problem.status == 503 {
            let seconds = headers.first("retry-after").flatMap { Int($0) } ?? 1
            headers.set("Retry-After", spread(seconds))
        }
        // A problem holds only texts and a number, so that encoding cannot fail.
        let body = (try? JSON.encode(problem)) ?? []
        return HTTPResponse(status: problem.status, headers: headers, body: body)
    }

    /// Returns the response for an error that a handler threw. An internal error is logged, and the client
    /// gets only its id.
    package static func refusal(
        for error: any Error, id: String, in language: Language
    ) -> HTTPResponse {
        switch error {
        case let refused as APIError:
            var headers = HTTPHeaders()
            for (name, value) in refused.headers { headers.append(name, value) }
            return problem(refused.problem, id: id, in: language, headers: headers)
        case let error as Problem:
            return problem(error, id: id, in: language)
        case let error as RequestError:
            return problem(Problem(error), id: id, in: language)
        case let error as PostgresError where error.meansUnavailable || error.isRetryable:
            Log.warning("no answer from the database", ["request": id, "error": error])
            return problem(unavailable, id: id, in: language)
        case PostgresError.cancelled, is CancellationError:
            // The client hung up, or its time was over. The HTTP server counts both.
            return problem(unavailable, id: id, in: language)
        default:
            Log.error("a request failed", ["request": id, "error": String(describing: error)])
            return problem(
                Problem(.internalError, detail: "The fault is ours, and it is logged. Try again later."),
                id: id, in: language)
        }
    }

    /// Returns the response for a request that the HTTP server refused before a handler saw it. `head` is nil
    /// if none was read. For a stream of events that is refused for load it is an empty stream.
    package static func refusal(
        for fault: HTTPServerError, to head: RequestHead?, id: String
    ) -> HTTPResponse {
        var response = refusal(for: error(for: fault), id: id, in: head?.language() ?? .english)
        if response.status == 503, EventEndpoints.isAsked(head) { EventEndpoints.postpone(&response) }
        return response
    }

    private static func error(for fault: HTTPServerError) -> APIError {
        switch fault {
        case .unreadable(let error):
            return APIError(ProblemName(status: error.status), Text(nesting: error.sentences))
        case .badTarget(let detail):
            return APIError(.unreadable, "The address cannot be read: \(Text(english: detail)).")
        case .notFound:
            return APIError(.notFound, "There is no such address; /openapi.json lists them.")
        case .methodNotAllowed(let allowed):
            return APIError(
                .methodNotAllowed, "This address takes \(allowed).", headers: ["Allow": allowed])
        case .timedOut:
            return APIError(.requestTimeout, "The request did not arrive whole in time. Send it again.")
        case .tooManyConnections:
            return APIError(
                .unavailable, "There are too many connections. Try again soon.",
                headers: ["Retry-After": spread(5)])
        case .outOfMemory:
            return APIError(
                .unavailable,
                "The server holds as many bytes of requests as it may. Try again in a moment.",
                headers: ["Retry-After": spread(5)])
        case .tooManyConnectionsFromAddress:
            return APIError(
                .tooManyConnections,
                "Your address has as many connections as it may have. Close one, or use it again.",
                headers: ["Retry-After": spread(5)])
        case .tooManyRequests(let seconds):
            // Many people may share the address.
            let wait = spread(seconds)
            var refused = APIError(
                .quotaExceeded, "Wait \(wait) s, then go on more slowly.", headers: ["Retry-After": wait])
            refused.problem.violatedPolicies = [QuotaPolicy.address.rawValue]
            return refused
        }
    }

    /// Returns the response to a request for a file of the page that another server may have, while that
    /// server does not answer.
    package static func unanswered(_ head: RequestHead, id: String) -> HTTPResponse {
        problem(
            Problem(
                .unavailable,
                detail: "The server that may have this file does not answer. Try again in a moment."),
            id: id, in: head.language())
    }

    /// Returns seconds for `Retry-After`: a random number from the given one to `retrySpread` more, so that
    /// clients that were refused together do not come back together.
    static func spread(_ seconds: Int) -> String { String(seconds + Int.random(in: 0...retrySpread)) }

    /// The seconds over which clients that were refused for load come back.
    static let retrySpread = 3

    private static let unavailable = Problem(
        .unavailable, detail: "The database cannot be reached or is busy. Try again in a moment.")
}
