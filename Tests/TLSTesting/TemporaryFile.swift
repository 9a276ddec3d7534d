import Glibc

/// A file that is removed with this value.
package final class TemporaryFile: Sendable {
    package let path: String

    package init(_ bytes: [UInt8]) {
        var template = Array("/tmp/letsswitch-tls.XXXXXX".utf8CString)
        let file = template.withUnsafeMutableBufferPointer { buffer in
            buffer.baseAddress.map { mkstemp($0) } ?? -1
        }
        precondition(file >= 0 && write(file, bytes, bytes.count) == bytes.count, "there is no room in /tmp")
        close(file)
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    deinit { unlink(path) }
}
