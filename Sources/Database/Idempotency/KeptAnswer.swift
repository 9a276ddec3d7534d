/// An answer as it is kept under an idempotency key: without the secret that it may show.
package struct KeptAnswer: Equatable, Sendable {
    package var status: Int
    /// The header fields, as lines `Name: value`.
    package var fieldText: String
    /// The body without the text of the gaps.
    package var body: [UInt8]
    /// The positions in the rest of the body at which there was the secret or, if there is none, the id of
    /// the request.
    package var gaps: [Int]
    package var secret: Secret?

    /// The part of a secret that is stored.
    package struct Secret: Equatable, Sendable {
        package var kind: DerivedSecret.Kind
        package var hash: [UInt8]
        /// Nil if the secret was used, so that it cannot be shown again.
        package var salt: [UInt8]?

        package init(kind: DerivedSecret.Kind, hash: [UInt8], salt: [UInt8]?) {
            self.kind = kind
            self.hash = hash
            self.salt = salt
        }
    }

    /// The gaps as an array of PostgreSQL.
    var gapText: String { "{\(gaps.map { String($0) }.joined(separator: ","))}" }

    package init(
        status: Int, fieldText: String, body: [UInt8], gaps: [Int] = [], secret: Secret? = nil
    ) {
        self.status = status
        self.fieldText = fieldText
        self.body = body
        self.gaps = gaps
        self.secret = secret
    }
}
