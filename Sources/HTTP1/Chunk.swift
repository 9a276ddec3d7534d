/// The parts of a chunked body.
package enum Chunk {
    /// What ends the body.
    package static let last = Array("0\r\n\r\n".utf8)

    /// One chunk. No data is no chunk, since an empty one would end the body.
    package static func encode(_ data: [UInt8], into bytes: inout [UInt8]) {
        guard !data.isEmpty else { return }
        bytes.append(contentsOf: "\(String(data.count, radix: 16))\r\n".utf8)
        bytes.append(contentsOf: data)
        bytes.append(contentsOf: "\r\n".utf8)
    }
}
