/// The parts of a chunked body.
package enum Chunk {
    /// The last chunk, which ends the body.
    package static let last = Array("0\r\n\r\n".utf8)

    /// Appends one chunk. Empty data appends nothing, since an empty chunk would end the body.
    package static func encode(_ data: [UInt8], into bytes: inout [UInt8]) {
        guard !data.isEmpty else { return }
        bytes.append(contentsOf: "\(String(data.count, radix: 16))\r\n".utf8)
        bytes.append(contentsOf: data)
        bytes.append(contentsOf: "\r\n".utf8)
    }
}
