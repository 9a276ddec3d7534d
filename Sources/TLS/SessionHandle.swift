import COpenSSL

/// OpenSSL's session with one owner, and its two memory buffers, which the session owns.
///
/// Every pointer is valid for as long as the handle is; only one thread at a time may use it.
struct SessionHandle: ~Copyable {
    let raw: OpaquePointer
    /// The bytes from the socket that OpenSSL has not read yet.
    let incoming: OpaquePointer
    /// The bytes that are to be sent to the socket.
    let outgoing: OpaquePointer

    init(_ context: TLSContext) throws(TLSError) {
        OpenSSLError.clear()
        guard let raw = SSL_new(context.raw) else { throw .unavailable(reason: OpenSSLError.take().text) }
        guard let incoming = BIO_new(BIO_s_mem()), let outgoing = BIO_new(BIO_s_mem()) else {
            SSL_free(raw)
            throw .unavailable(reason: "there is no memory left")
        }
        SSL_set_bio(raw, incoming, outgoing)
        (self.raw, self.incoming, self.outgoing) = (raw, incoming, outgoing)
    }

    deinit { SSL_free(raw) }
}
