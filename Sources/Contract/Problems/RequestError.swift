/// The reason for which the body of a request is refused.
public enum RequestError: Error, Hashable, Sendable {
    /// The body is not JSON: 400.
    case unreadable(JSONError)
    /// A member is missing, unknown, of the wrong type or out of bounds: 422. The list is never empty.
    case invalid([FieldError])

    public var problem: ProblemName {
        switch self {
        case .unreadable: .unreadable
        case .invalid: .invalid
        }
    }

    public var detail: String {
        switch self {
        case .unreadable(let error): "The body is not JSON: \(error)."
        case .invalid(let errors) where errors.count == 1: errors[0].detail
        case .invalid(let errors): "The body has \(errors.count) faults; each is listed in errors."
        }
    }

    public var errors: [FieldError]? {
        switch self {
        case .unreadable: nil
        case .invalid(let errors): errors
        }
    }
}

/// The reason for which a value is refused, in a sentence that says what is valid.
public struct ValidationError: Error, Hashable, Sendable {
    public let detail: String

    public init(_ detail: String) {
        self.detail = detail
    }
}
