import COpenSSL

/// OpenSSL's session with one owner, and the two memories that it talks through, which it owns.
///
/// Every pointer is valid for as long as the handle is; all of it is for one thread at a time.
struct SessionHandle: ~Copyable {
    let raw: OpaquePointer
    /// What came from the socket, and OpenSSL has not read yet.
    let incoming: OpaquePointer
    /// What is to go to the socket.
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
