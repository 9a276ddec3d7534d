extension PostgresConnection {
    /// About this much is encoded before it is sent, and sent before more is encoded.
    private nonisolated static var pieceSize: Int { 64 * 1024 }

    /// Copies rows into a table and answers how many: `COPY t (a, b) FROM STDIN (FORMAT binary)`.
    ///
    /// The rows are taken from the sequence as the server takes them. The types must be those of the columns
    /// exactly. Where this throws, no row was added.
    @discardableResult
    package nonisolated func copyIn<Rows: Sequence>(
        _ sql: String, _ rows: Rows, _ encode: (inout CopyRow, Rows.Element) throws -> Void
    ) async throws -> Int {
        try await beginCopy(sql)
        do {
            var row = CopyRow()
            for element in rows {
                row.begin()
                try encode(&row, element)
                row.end()
                if row.bytes.count >= Self.pieceSize { try await pushCopy(row.take()) }
            }
            row.finish()
            try await pushCopy(row.take())
        } catch {
            await abandonCopy()
            throw error
        }
        return try await endCopy()
    }
}
