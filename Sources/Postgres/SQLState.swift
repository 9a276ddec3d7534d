/// The five-character code by which PostgreSQL classifies an error.
package struct SQLState: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    package let rawValue: String
    package init(rawValue: String) { self.rawValue = rawValue }

    package static let featureNotSupported = SQLState(rawValue: "0A000")
    package static let foreignKeyViolation = SQLState(rawValue: "23503")
    package static let uniqueViolation = SQLState(rawValue: "23505")
    package static let checkViolation = SQLState(rawValue: "23514")
    package static let exclusionViolation = SQLState(rawValue: "23P01")
    package static let readOnlyTransaction = SQLState(rawValue: "25006")
    package static let invalidStatementName = SQLState(rawValue: "26000")
    package static let serializationFailure = SQLState(rawValue: "40001")
    package static let deadlockDetected = SQLState(rawValue: "40P01")
    package static let invalidSchemaName = SQLState(rawValue: "3F000")
    package static let insufficientPrivilege = SQLState(rawValue: "42501")
    package static let diskFull = SQLState(rawValue: "53100")
    package static let lockNotAvailable = SQLState(rawValue: "55P03")
    package static let queryCanceled = SQLState(rawValue: "57014")
    package static let adminShutdown = SQLState(rawValue: "57P01")
    package static let crashShutdown = SQLState(rawValue: "57P02")
    package static let cannotConnectNow = SQLState(rawValue: "57P03")

    /// The first two characters, which the standard calls the class.
    package var classCode: Substring { rawValue.prefix(2) }

    package var description: String { rawValue }
}
