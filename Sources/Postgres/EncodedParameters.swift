import CPostgres

/// The parameters of one statement in binary form, in one buffer.
struct EncodedParameters: Sendable {
    /// The largest number of parameters that the protocol allows.
    static let limit = 65_535

    private(set) var types: [UInt32] = []
    private var bytes: [UInt8] = []
    private var fields: [Field] = []

    private enum Field {
        case null
        case value(offset: Int, length: CInt)
    }

    init(_ parameters: [any PostgresEncodable]) throws(PostgresError) {
        guard parameters.count <= Self.limit else { throw .invalid("more than \(Self.limit) parameters") }
        types.reserveCapacity(parameters.count)
        fields.reserveCapacity(parameters.count)
        for parameter in parameters { append(parameter) }
        // So that the buffer has an address, which tells an empty value from NULL.
        bytes.append(0)
    }

    private mutating func append(_ parameter: some PostgresEncodable) {
        types.append(type(of: parameter).postgresType.oid)
        if parameter.isPostgresNull {
            fields.append(.null)
        } else {
            let offset = bytes.count
            parameter.encodePostgres(into: &bytes)
            fields.append(.value(offset: offset, length: CInt(clamping: bytes.count - offset)))
        }
    }

    /// Calls the body with the count, the values, their lengths and their formats, as libpq takes them.
    func withPointers<Result>(
        _ body: (CInt, [UnsafePointer<CChar>?], [CInt], [CInt]) -> Result
    ) -> Result {
        bytes.withUnsafeBufferPointer { buffer in
            buffer.withMemoryRebound(to: CChar.self) { buffer in
                var values: [UnsafePointer<CChar>?] = []
                var lengths: [CInt] = []
                for field in fields {
                    switch field {
                    case .null:
                        values.append(nil)
                        lengths.append(0)
                    case .value(let offset, let length):
                        values.append(buffer.baseAddress.map { $0 + offset })
                        lengths.append(length)
                    }
                }
                return body(
                    CInt(fields.count), values, lengths, [CInt](repeating: 1, count: fields.count))
            }
        }
    }
}
