/// The reason for which the body of a request is refused.
public enum RequestError: Error, Hashable, Sendable {
    /// The body is not JSON: 400.
    case unreadable(JSONError)
    /// A member is missing, unknown, of the wrong type or out of bounds: 422. The list is never empty.
    case invalid([FieldError])

    /// Returns the error that one member of the body, the one at that pointer, is not valid.
    package static func invalid(at pointer: String, _ detail: Text) -> RequestError {
        .invalid([FieldError(pointer: pointer, detail: detail)])
    }

    /// The name of the problem that answers the request.
    public var problem: ProblemName {
        switch self {
        case .unreadable: .unreadable
        case .invalid: .invalid
        }
    }

    /// The sentence that explains the fault, in English.
    public var detail: String { text.description }

    package var text: Text {
        switch self {
        case .unreadable(let error):
            "The body is not JSON: \(error.text) (at byte \(error.offset))."
        case .invalid(let errors) where errors.count == 1: errors[0].text
        case .invalid(let errors): "The body has \(errors.count) faults; each is listed in errors."
        }
    }

    /// The faults of the members; nil if the body is not JSON.
    public var errors: [FieldError]? {
        switch self {
        case .unreadable: nil
        case .invalid(let errors): errors
        }
    }
}

/// The reason for which a value is refused: a sentence that names the valid values.
public struct ValidationError: Error, Hashable, Sendable {
    package let text: Text

    /// The sentence in English.
    public var detail: String { text.description }

    package init(_ text: Text) {
        self.text = text
    }
}

extension Optional {
    /// Returns the value; throws the error if there is none.
    package func orThrow<Failure: Error>(_ error: @autoclosure () -> Failure) throws(Failure) -> Wrapped {
        guard let self else { throw error() }
        return self
    }
}
