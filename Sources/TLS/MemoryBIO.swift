import COpenSSL

/// A memory buffer that OpenSSL reads and writes. After a failed allocation it reads as empty.
struct MemoryBIO: ~Copyable {
    let raw: OpaquePointer?

    init() { raw = BIO_new(BIO_s_mem()) }

    init(_ bytes: [UInt8]) {
        self.init()
        // This is safe: OpenSSL copies the bytes.
        _ = BIO_write(raw, bytes, CInt(clamping: bytes.count))
    }

    deinit { BIO_free(raw) }

    consuming func takeAll() -> [UInt8] { Self.takeAll(of: raw) }

    /// Removes and returns all pending bytes of a BIO.
    static func takeAll(of raw: OpaquePointer?) -> [UInt8] {
        guard let raw else { return [] }
        let count = BIO_ctrl_pending(raw)
        guard count > 0 else { return [] }
        return Array(unsafeUninitializedCapacity: count) { buffer, filled in
            // This is safe: OpenSSL writes at most the given number of bytes, and returns their number.
            filled = max(0, Int(BIO_read(raw, buffer.baseAddress, CInt(clamping: count))))
        }
    }
}
