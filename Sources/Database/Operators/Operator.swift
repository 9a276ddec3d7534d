package import Contract
package import Crypto

/// The role of an operator. Each role may do what those before it may.
package enum OperatorRole: String, CaseIterable, Comparable, Sendable {
    /// Reads, but for private words.
    case viewer
    /// Helps people, and stops those who abuse the service.
    case support
    /// Acts on the whole service, and reads the log of operators' actions.
    case admin

    package static func < (left: OperatorRole, right: OperatorRole) -> Bool { left.rank < right.rank }

    private var rank: Int { Self.allCases.prefix { $0 != self }.count }
}

/// An operator who has signed in, with the role that counts: a token may have a lesser one.
package struct Operator: Equatable, Sendable {
    package var id: Int64
    package var name: String
    package var role: OperatorRole

    package init(id: Int64, name: String, role: OperatorRole) {
        self.id = id
        self.name = name
        self.role = role
    }

    /// The rule of names: they are in the audit log, in addresses and on command lines.
    package static func isName(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        let marks = Array(".-_".utf8)
        guard (1...32).contains(bytes.count), !marks.contains(bytes[0]) else { return false }
        let allowed = marks + "abcdefghijklmnopqrstuvwxyz0123456789".utf8
        return bytes.allSatisfy { allowed.contains($0) }
    }

    /// The lengths of passwords, in characters.
    package static let passwordLengths = 12...256
}

/// An operator as the sign-in reads one.
package struct StoredOperator: Sendable {
    package var account: Operator
    package var password: PasswordHash
    package var code: OneTimeCode?
    /// The step of the one-time code that was taken last.
    package var codeStep: Int64
    package var isDisabled: Bool
    /// Whether the operator has signed in from the address before.
    package var knowsAddress: Bool
}

/// A session or a token by which an operator has signed in.
package struct OperatorSession: Sendable {
    package var account: Operator
    package var expiresAt: Timestamp
    /// The id of the token; nil for a cookie.
    package var token: Int64?

    package var isToken: Bool { token != nil }

    package init(account: Operator, expiresAt: Timestamp, token: Int64?) {
        self.account = account
        self.expiresAt = expiresAt
        self.token = token
    }
}
