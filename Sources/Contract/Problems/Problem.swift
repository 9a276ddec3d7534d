/// A problem document, `application/problem+json` (RFC 9457).
public struct Problem: Error, Codable, Hashable, Sendable {
    public static let mediaType = "application/problem+json"

    /// The path of a page that explains the problem: `/problems/<name>`.
    public var type: String
    public var title: String
    public var status: Int
    /// The remedy for this problem.
    public var detail: String
    /// The id of the request.
    public var instance: String
    /// The faults of a body, each with its place.
    public var errors: [FieldError]?
    /// The limits that the request exceeds, by the names of `RateLimit-Policy`; only with `quotaExceeded`.
    public var violatedPolicies: [String]?

    private enum CodingKeys: String, CodingKey {
        case type, title, status, detail, instance, errors
        case violatedPolicies = "violated-policies"
    }

    public init(_ name: ProblemName, detail: String, instance: String = "", errors: [FieldError]? = nil) {
        type = name.path
        title = name.title
        status = name.status
        self.detail = detail
        self.instance = instance
        self.errors = errors
    }

    public init(_ error: RequestError, instance: String = "") {
        self.init(error.problem, detail: error.detail, instance: instance, errors: error.errors)
    }

    /// The name; nil for a problem that this version does not know.
    public var name: ProblemName? {
        ProblemName(rawValue: String(type.split(separator: "/").last ?? ""))
    }
}

/// A fault in one member of a request's body, with its remedy.
public struct FieldError: Codable, Hashable, Sendable {
    /// The place, as in RFC 6901: `/slots/0`. Empty for the whole body.
    public let pointer: String
    public let detail: String

    public init(pointer: String, detail: String) {
        self.pointer = pointer
        self.detail = detail
    }
}
