/// A problem document, `application/problem+json` (RFC 9457).
public struct Problem: Error, Codable, Hashable, Sendable {
    public static let mediaType = "application/problem+json"

    /// The path of a page that explains the problem: `/problems/<name>`.
    public var type: String
    /// The title: English until `said(in:)` has chosen a language.
    public var title: String { titleText.description }
    /// The HTTP status code.
    public var status: Int
    /// The sentence that explains this problem and its remedy, in the same language.
    public var detail: String { detailText.description }
    /// The id of the request.
    public var instance: String
    /// The faults of a body, each with its place.
    public var errors: [FieldError]?
    /// The limits that the request exceeds, by the names of `RateLimit-Policy`; only with `quotaExceeded`.
    public var violatedPolicies: [String]?
    /// The reason of the suspension; only with `suspended`.
    public var reason: String?
    /// The end of the suspension or of the restriction, if it is known; only with `suspended` and
    /// `recentlyRecovered`.
    public var until: Timestamp?
    /// The title, translatable until `said(in:)` has chosen a language.
    package private(set) var titleText: Text
    /// The detail, translatable until `said(in:)` has chosen a language.
    package private(set) var detailText: Text

    private enum CodingKeys: String, CodingKey {
        case type, status, instance, errors, reason, until
        case titleText = "title"
        case detailText = "detail"
        case violatedPolicies = "violated-policies"
    }

    package init(_ name: ProblemName, detail: Text, instance: String = "", errors: [FieldError]? = nil) {
        type = name.path
        titleText = name.title
        status = name.status
        detailText = detail
        self.instance = instance
        self.errors = errors
    }

    /// Makes the problem that answers a body with faults.
    public init(_ error: RequestError, instance: String = "") {
        self.init(error.problem, detail: error.text, instance: instance, errors: error.errors)
    }

    /// Returns the problem with its texts in that language.
    package func said(in language: Language) -> Problem {
        var problem = self
        problem.titleText = Text(verbatim: titleText.said(in: language))
        problem.detailText = Text(verbatim: detailText.said(in: language))
        problem.errors = errors?.map {
            FieldError(pointer: $0.pointer, detail: Text(verbatim: $0.text.said(in: language)))
        }
        return problem
    }

    /// The name; nil for a problem that this version does not know.
    public var name: ProblemName? {
        ProblemName(rawValue: String(type.split(separator: "/").last ?? ""))
    }
}

/// A fault in one member of a request's body, with its remedy.
public struct FieldError: Codable, Hashable, Sendable {
    /// The JSON pointer of the member (RFC 6901), such as `/slots/0`. Empty for the whole body.
    public let pointer: String
    package let text: Text

    /// The sentence that explains the fault, in the language of the problem.
    public var detail: String { text.description }

    private enum CodingKeys: String, CodingKey {
        case pointer
        case text = "detail"
    }

    package init(pointer: String, detail: Text) {
        self.pointer = pointer
        text = detail
    }
}
