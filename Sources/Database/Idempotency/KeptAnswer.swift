/// An answer as it is kept under an idempotency key: without the secret that it may show.
package struct KeptAnswer: Equatable, Sendable {
    package var status: Int
    /// The header fields, as lines `Name: value`.
    package var fieldText: String
    /// The body without the text of the gap.
    package var body: [UInt8]
    /// The position in the body of the secret or, if there is none, of the id of the request.
    package var gap: Int?
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

    package init(
        status: Int, fieldText: String, body: [UInt8], gap: Int? = nil, secret: Secret? = nil
    ) {
        self.status = status
        self.fieldText = fieldText
        self.body = body
        self.gap = gap
        self.secret = secret
    }
}
