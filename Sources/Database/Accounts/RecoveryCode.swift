import Crypto

/// A code that brings a person back into an account whose tokens are lost: 125 random bits, shown once and
/// stored hashed.
package struct RecoveryCode: Sendable {
    private static let length = 25

    private let written: WrittenDigits

    /// Makes the code of a derived secret.
    package init(derived secret: DerivedSecret) {
        written = WrittenDigits(secret.codeBytes, count: Self.length)
    }

    /// Makes a random code.
    package static func make() -> RecoveryCode { RecoveryCode(written: WrittenDigits(count: length)) }

    private init(written: WrittenDigits) { self.written = written }

    /// Reads a code as people write it; nil for a text that cannot be one.
    package init?(_ text: String) {
        guard let written = WrittenDigits(text, count: Self.length) else { return nil }
        self.written = written
    }

    /// The code in groups of five, as it is shown.
    package var text: String { written.text(groupsOf: 5) }

    /// The hash that is stored. The code is random in every bit, so a plain hash cannot be searched; what
    /// stands before it keeps it apart from tokens.
    package var hash: [UInt8] { Digest.sha256(Array("recovery code ".utf8) + written.digits) }
}
