import COpenSSL
import Reactor

/// One side of a TLS connection without its socket, which converts bytes of the socket to plain bytes and
/// back.
///
/// After every call there may be bytes for the socket in `takeOutput`.
package struct TLSSession: ~Copyable {
    package enum Phase: Hashable, Sendable {
        /// Both sides agree on keys, and a client checks the identity of the server.
        case handshake
        /// The handshake is done, and bytes can be sent both ways.
        case open
        /// The session has failed; the output may hold an alert that tells the peer why.
        case failed(TLSError)
    }

    package private(set) var phase: Phase
    /// Whether the peer has announced that it sends no more.
    package private(set) var hasEnded: Bool

    let handle: SessionHandle
    private let context: TLSContext
    private let report: VerifyReport
    /// The host that the certificate has to be for; nil in a server.
    private let host: String?
    private var hasHeard: Bool
    /// The bytes that were written before the handshake was done.
    private var waiting: [UInt8]

    /// Creates a client's session with a host, which is a name or a numeric address. The first message is in
    /// the output.
    package init(connectingTo host: String, _ context: TLSContext) throws(TLSError) {
        var name = host.lowercased()
        if name.hasSuffix(".") { name.removeLast() }
        let handle = try SessionHandle(context)
        try Self.expect(name, handle.raw)
        self.init(handle, context, host: name)
        // This is safe: the report lives as long as the session that points to it.
        SSL_set_ex_data(self.handle.raw, 0, Unmanaged.passUnretained(report).toOpaque())
        SSL_set_connect_state(self.handle.raw)
        shakeHands()
    }

    /// Creates a server's session.
    package init(accepting context: TLSContext) throws(TLSError) {
        let handle = try SessionHandle(context)
        self.init(handle, context, host: nil)
        SSL_set_accept_state(self.handle.raw)
    }

    private init(_ handle: consuming SessionHandle, _ context: TLSContext, host: String?) {
        self.handle = handle
        self.context = context
        self.host = host
        report = VerifyReport()
        phase = .handshake
        (hasEnded, hasHeard) = (false, false)
        waiting = []
    }

    /// The properties of the peer; nil before the handshake is done.
    package var peer: TLSPeer? {
        guard phase == .open else { return nil }
        let certificate = SSL_get1_peer_certificate(handle.raw)
        defer { X509_free(certificate) }
        var (chosen, length): (UnsafePointer<UInt8>?, UInt32) = (nil, 0)
        SSL_get0_alpn_selected(handle.raw, &chosen, &length)
        // This is safe: OpenSSL lends that many bytes, which are copied at once.
        let applicationProtocol = chosen.map {
            String(decoding: UnsafeBufferPointer(start: $0, count: Int(length)), as: UTF8.self)
        }
        let serverName = SSL_get_servername(handle.raw, TLSEXT_NAMETYPE_host_name)
        return TLSPeer(
            version: String(cString: SSL_get_version(handle.raw)),
            certificate: certificate.map { Certificate(reading: $0) },
            applicationProtocol: applicationProtocol, serverName: serverName.map { String(cString: $0) })
    }

    /// Takes bytes from the socket, and returns the decrypted ones.
    package mutating func receive(_ bytes: RawSpan) -> [UInt8] {
        guard !hasEnded, isAlive, bytes.byteCount > 0, isTLS(bytes) else { return [] }
        // This is safe: OpenSSL copies the bytes before the call returns.
        bytes.withUnsafeBytes { _ = BIO_write(handle.incoming, $0.baseAddress, CInt(clamping: $0.count)) }
        if phase == .handshake { shakeHands() }
        return phase == .open ? readAll() : []
    }

    /// Notes that the socket has ended. Unless the peer announced it (`hasEnded`), the data may be truncated.
    package mutating func receiveEnd() {
        if phase == .handshake { phase = .failed(.endedEarly) }
    }

    /// Encrypts bytes for the peer; before the handshake is done they are kept.
    package mutating func write(_ bytes: RawSpan) {
        switch phase {
        case .handshake:
            bytes.withUnsafeBytes { waiting.append(contentsOf: $0) }
        case .open:
            guard bytes.byteCount > 0 else { return }
            OpenSSLError.clear()
            var count = 0
            // This is safe: OpenSSL reads that many bytes and keeps none. The memory buffer takes all of them
            // at once.
            let result = bytes.withUnsafeBytes {
                SSL_write_ex(handle.raw, $0.baseAddress, $0.count, &count)
            }
            if result != 1 { phase = .failed(.broken(reason: OpenSSLError.take().text)) }
        case .failed:
            break
        }
    }

    /// Announces that no more will be written (RFC 8446 §6.1).
    package mutating func finishWriting() {
        guard phase == .open else { return }
        OpenSSLError.clear()
        _ = SSL_shutdown(handle.raw)
        OpenSSLError.clear()
    }

    /// Removes and returns the bytes that are to be sent to the peer.
    package mutating func takeOutput() -> [UInt8] { MemoryBIO.takeAll(of: handle.outgoing) }

    // Private steps.

    private var isAlive: Bool {
        switch phase {
        case .handshake, .open: true
        case .failed: false
        }
    }

    /// Sets the expected host. A name is sent to the server and checked in its certificate; an address is
    /// only checked (RFC 6066 §3, RFC 9525).
    private static func expect(_ host: String, _ raw: OpaquePointer) throws(TLSError) {
        OpenSSLError.clear()
        let parameters = SSL_get0_param(raw)
        X509_VERIFY_PARAM_set_hostflags(
            parameters, UInt32(X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS | X509_CHECK_FLAG_NEVER_CHECK_SUBJECT))
        let isAddress = SocketAddress(numeric: host, port: 0) != nil
        let isSet =
            isAddress
            ? X509_VERIFY_PARAM_set1_ip_asc(parameters, host) == 1
            : !host.isEmpty && X509_VERIFY_PARAM_set1_host(parameters, host, host.utf8.count) == 1
                && tls_set_server_name(raw, host) == 1
        let offer = ApplicationProtocol.offer
        guard isSet, SSL_set_alpn_protos(raw, offer, UInt32(offer.count)) == 0 else {
            throw .unavailable(reason: "\(host) cannot be asked for: \(OpenSSLError.take().text)")
        }
    }

    /// Whether the first byte from the peer is of a handshake or an alert; otherwise the session fails.
    private mutating func isTLS(_ bytes: RawSpan) -> Bool {
        if hasHeard { return true }
        hasHeard = true
        let first = bytes.withUnsafeBytes { $0.first.map { CInt($0) } }
        if first == SSL3_RT_HANDSHAKE || first == SSL3_RT_ALERT { return true }
        phase = .failed(.notTLS)
        return false
    }

    private mutating func shakeHands() {
        OpenSSLError.clear()
        let result = SSL_do_handshake(handle.raw)
        if result == 1 { return established() }
        if SSL_get_error(handle.raw, result) == SSL_ERROR_WANT_READ { return }
        phase = .failed(handshakeError(OpenSSLError.take()))
    }

    private mutating func established() {
        phase = .open
        if let host, !context.pins.isEmpty {
            guard let pin = peer?.certificate?.pin, context.pins.contains(pin) else {
                let found = peer?.certificate?.pin ?? TLSPin(subjectPublicKeyInfo: [])
                finishWriting()
                phase = .failed(.pinMismatch(host: host, found: found))
                return
            }
        }
        let bytes = waiting
        waiting = []
        write(bytes.span.bytes)
    }

    private func handshakeError(_ fault: OpenSSLError) -> TLSError {
        switch fault.reason {
        case SSL_R_CERTIFICATE_VERIFY_FAILED: report.error(host: host ?? "")
        case SSL_R_WRONG_VERSION_NUMBER, SSL_R_HTTP_REQUEST, SSL_R_HTTPS_PROXY_REQUEST: .notTLS
        case SSL_R_UNSUPPORTED_PROTOCOL, SSL_R_WRONG_SSL_VERSION, SSL_R_VERSION_TOO_LOW,
            SSL_R_TLSV1_ALERT_PROTOCOL_VERSION:
            .protocolVersion
        default: .handshake(reason: fault.text)
        }
    }

    private mutating func readAll() -> [UInt8] {
        var plain: [UInt8] = []
        // The buffer holds one record at a time.
        withUnsafeTemporaryAllocation(byteCount: Int(SSL3_RT_MAX_PLAIN_LENGTH), alignment: 16) { buffer in
            while true {
                OpenSSLError.clear()
                var count = 0
                // This is safe: OpenSSL writes at most the given number of bytes, and returns their number.
                let result = SSL_read_ex(handle.raw, buffer.baseAddress, buffer.count, &count)
                guard result == 1 else { return stopped(result) }
                plain.append(contentsOf: buffer[..<count])
            }
        }
        return plain
    }

    private mutating func stopped(_ result: CInt) {
        switch SSL_get_error(handle.raw, result) {
        case SSL_ERROR_WANT_READ: break
        case SSL_ERROR_ZERO_RETURN: hasEnded = true
        default: phase = .failed(.broken(reason: OpenSSLError.take().text))
        }
    }
}
