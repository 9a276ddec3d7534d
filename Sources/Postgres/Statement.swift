import Tracing

/// A message that a connection sends to the server in one piece, and whose answer it waits for.
struct Statement {
    enum Kind {
        /// One statement, which a connection may keep prepared.
        case prepared(EncodedParameters)
        /// Several statements, each as of `prepared`.
        case pipeline([(sql: String, parameters: EncodedParameters)])
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

    /// The first word, such as `SELECT`, which names the span of the statement. A pipeline is a `BATCH`, as
    /// OpenTelemetry has it.
    var operation: String { String(text.prefix { $0.isLetter }).uppercased() }

    /// The attributes of the span of the statement. The text of a prepared statement has no values; that of a
    /// script may have some, and is left out.
    var attributes: Span.Attributes {
        let system = (name: "db.system.name", value: Span.Value.text("postgresql"))
        switch kind {
        case .prepared: return [system, (name: "db.query.text", value: .text(text))]
        case .pipeline(let parts):
            return [system, (name: "db.operation.batch.size", value: .number(Int64(parts.count)))]
        case .script, .copy, .endOfCopy: return [system]
        }
    }
}

extension Statement {
    init(pipeline parts: [(sql: String, parameters: EncodedParameters)]) {
        self.init(text: "BATCH", kind: .pipeline(parts))
    }
}
