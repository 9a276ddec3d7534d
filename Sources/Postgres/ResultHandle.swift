import CPostgres

/// One result of libpq, freed with the last reference to it.
///
/// Unchecked: libpq does not change a result once it has handed it out, and says that threads may share it.
package final class ResultHandle: @unchecked Sendable {
    private let pointer: OpaquePointer
    let rowCount: Int
    package let columnCount: Int

    init(adopting pointer: OpaquePointer) {
        self.pointer = pointer
        rowCount = Int(PQntuples(pointer))
        columnCount = Int(PQnfields(pointer))
    }

    deinit { PQclear(pointer) }

    var status: ExecStatusType { PQresultStatus(pointer) }

    var affected: Int { Int(String(cString: PQcmdTuples(pointer))) ?? 0 }

    /// The server's tag for the command that was run: `COMMIT`, `INSERT 0 1`.
    var commandTag: String { String(cString: PQcmdStatus(pointer)) }

    /// Returns a field, whose bytes live as long as the handle. Row and column must be in range.
    package func field(row: Int, column: Int) -> PostgresField {
        let (row, column) = (CInt(row), CInt(column))
        let type = PQftype(pointer, column)
        if PQgetisnull(pointer, row, column) != 0 { return PostgresField(type: type, bytes: nil) }
        let start = UnsafeRawPointer(PQgetvalue(pointer, row, column))
        let count = Int(PQgetlength(pointer, row, column))
        return PostgresField(type: type, bytes: UnsafeRawBufferPointer(start: start, count: count))
    }

    package func name(of column: Int) -> String {
        PQfname(pointer, CInt(column)).map { String(cString: $0) } ?? ""
    }

    /// The error that the server reported; nil if libpq made it, because the connection broke.
    var serverError: ServerError? {
        guard let state = diagnostic("C") else { return nil }
        return ServerError(
            sqlState: SQLState(rawValue: state), message: diagnostic("M") ?? "", detail: diagnostic("D"),
            constraint: diagnostic("n"), table: diagnostic("t"))
    }

    var errorMessage: String { trimmedMessage(PQresultErrorMessage(pointer)) }

    /// Returns a field of an error, by the letter that the protocol has for it.
    private func diagnostic(_ message: Unicode.Scalar) -> String? {
        PQresultErrorField(pointer, CInt(message.value)).map { String(cString: $0) }
    }
}

/// Returns a message of libpq as one line; libpq ends messages with a line feed, and may write several lines.
func trimmedMessage(_ message: UnsafePointer<CChar>?) -> String {
    guard let message else { return "" }
    return String(cString: message).split(separator: "\n").joined(separator: " ")
}
