import COpenSSL

/// Bytes that OpenSSL writes to and reads from memory. A failed allocation leaves nothing, which reads as
/// empty.
struct MemoryBIO: ~Copyable {
    let raw: OpaquePointer?

    init() { raw = BIO_new(BIO_s_mem()) }

    init(_ bytes: [UInt8]) {
        self.init()
        // Sound: OpenSSL copies the bytes.
        _ = BIO_write(raw, bytes, CInt(clamping: bytes.count))
    }

    deinit { BIO_free(raw) }

    consuming func takeAll() -> [UInt8] { Self.takeAll(of: raw) }

    /// Everything that waits in a BIO.
    static func takeAll(of raw: OpaquePointer?) -> [UInt8] {
        guard let raw else { return [] }
        let count = BIO_ctrl_pending(raw)
        guard count > 0 else { return [] }
        return Array(unsafeUninitializedCapacity: count) { buffer, filled in
            // Sound: it writes at most as much as there is room for, and says how much that was.
            filled = max(0, Int(BIO_read(raw, buffer.baseAddress, CInt(clamping: count))))
        }
    }
}
