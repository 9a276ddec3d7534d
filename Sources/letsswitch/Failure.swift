import Client
import Contract

/// A reason why a command did not do what it was told to.
struct Failure: Error, Sendable {
    let code: ExitCode
    let title: String
    /// A sentence that says what to do.
    let detail: String
    /// The problem document of the service, if the failure came from there.
    var problem: Problem?
    /// The single faults, a line each, for people.
    var particulars: [String] = []

    /// Makes a failure that says its texts in the language of the process.
    init(_ code: ExitCode, _ title: Text, _ detail: Text) {
        self.code = code
        self.title = title.local
        self.detail = detail.local
    }

    static func usage(_ detail: Text) -> Failure { Failure(.usage, "Invalid usage", detail) }

    init(_ problem: Problem) {
        let code: ExitCode =
            switch problem.status {
            case 401, 403: .signIn
            case 404, 410: .notFound
            case 409: .conflict
            case 429: .rateLimited
            case 400, 422: .usage
            default: .other
            }
        self.init(code, problem.titleText, problem.detailText)
        self.problem = problem
        particulars = (problem.errors ?? []).filter { $0.detail != problem.detail }
            .map { "\($0.pointer): \($0.text.local)" }
    }

    init(describing error: any Error) {
        switch error {
        case let failure as Failure: self = failure
        case let error as ClientError: self.init(error)
        default: self.init(.other, "Something went wrong", "\(error)")
        }
    }

    /// Makes a failure of an error of the client library.
    init(_ error: ClientError) {
        let detail = error.text
        switch error {
        case .problem(let problem): self.init(problem)
        case .badAddress: self.init(.usage, "The address cannot be used", detail)
        case .network: self.init(.network, "The server cannot be reached", detail)
        case .untrusted: self.init(.network, "The server cannot be trusted", detail)
        case .timedOut: self.init(.network, "The server does not answer", detail)
        case .unexpected: self.init(.other, "The answer cannot be used", detail)
        case .cancelled: self.init(.other, "Cancelled", detail)
        case .queueFull: self.init(.other, "The queue is full", detail)
        case .badMessage: self.init(.usage, "The message cannot be sent", detail)
        case .storage: self.init(.other, "A file cannot be used", detail)
        }
    }

    /// The failure for `--json`: the problem document of the service, or one in its form (RFC 9457).
    var document: [UInt8] {
        if let problem { return (try? JSON.encode(problem)) ?? [] }
        let local: JSONValue = [
            "detail": .string(detail), "title": .string(title), "type": "about:blank",
        ]
        return local.bytes
    }
}
