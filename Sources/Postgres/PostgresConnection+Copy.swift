extension PostgresConnection {
    /// The approximate number of bytes that are encoded before they are sent; the next piece is encoded after
    /// that.
    private nonisolated static var pieceSize: Int { 64 * 1024 }

    /// Copies rows into a table and returns their number: `COPY t (a, b) FROM STDIN (FORMAT binary)`.
    ///
    /// The rows are taken from the sequence as the server takes them. The types must be exactly those of the
    /// columns. If the call throws, no row was added.
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
            return try await endCopy()
        } catch {
            await abandonCopy()
            throw error
        }
    }
}
