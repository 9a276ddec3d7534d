import Crypto

/// A code of an operator: 80 random bits, shown once and stored hashed.
package struct AccessCode: Sendable {
    package enum Purpose: String, Sendable {
        /// It lets people make accounts.
        case signUp = "sign-up code"
        /// It lets the person sign in for the first time whose account an operator has made.
        case signIn = "sign-in code"
    }

    private static let length = 16

    private let purpose: Purpose
    private let written: WrittenDigits

    /// Makes a random code.
    package init(for purpose: Purpose) {
        self.purpose = purpose
        written = WrittenDigits(count: Self.length)
    }

    /// Reads a code as people write it; nil for a text that cannot be one.
    package init?(_ text: String, for purpose: Purpose) {
        guard let written = WrittenDigits(text, count: Self.length) else { return nil }
        self.purpose = purpose
        self.written = written
    }

    /// The code in groups of four, as it is shown.
    package var text: String { written.text(groupsOf: 4) }

    /// The hash that is stored. The code is random in every bit, so a plain hash cannot be searched; what
    /// stands before it keeps it apart from codes for another purpose.
    package var hash: [UInt8] { Digest.sha256(Array("\(purpose.rawValue) ".utf8) + written.digits) }
}
