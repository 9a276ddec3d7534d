/// A message that a connection sends to the server in one piece, and whose answer it waits for.
struct Statement {
    enum Kind {
        /// One statement, which is prepared at its first use.
        case prepared(EncodedParameters)
        /// One or more statements without parameters. A shielded script runs even if its task is cancelled.
        case script(isShielded: Bool)
        /// A `COPY … FROM STDIN`, whose rows follow.
        case copy
        /// The end of the rows of a COPY. Its text is not sent.
        case endOfCopy
    }

    var text: String
    let kind: Kind

    static let endOfCopy = Statement(text: "END OF COPY", kind: .endOfCopy)
}
