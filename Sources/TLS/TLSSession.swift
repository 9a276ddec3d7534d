import COpenSSL
import Reactor

/// One side of a TLS connection without its socket: bytes of the socket in, plain bytes out, and back.
///
/// After every call there may be something in `takeOutput` for the socket.
package struct TLSSession: ~Copyable {
    package enum Phase: Hashable, Sendable {
        /// Both sides agree on keys, and a client finds out whom it talks to.
        case handshake
        /// Plain bytes go both ways.
        case open
        /// It is over; what waits in the output is for the peer to learn why.
        case failed(TLSError)
    }

    package private(set) var phase: Phase
    /// The peer has said that it sends no more.
    package private(set) var hasEnded: Bool

    let handle: SessionHandle
    private let context: TLSContext
    private let report: VerifyReport
    /// The host that the certificate has to be for; nil: this is the server.
    private let host: String?
    private var hasHeard: Bool
    /// What was written before the handshake was done.
    private var waiting: [UInt8]

    /// A client of that host, which is a name or a numeric address. The first message waits in the output.
    package init(connectingTo host: String, _ context: TLSContext) throws(TLSError) {
        var name = host.lowercased()
        if name.hasSuffix(".") { name.removeLast() }
        let handle = try SessionHandle(context)
        try Self.expect(name, handle.raw)
        self.init(handle, context, host: name)
        // Sound: the report lives as long as the session that points to it.
        SSL_set_ex_data(self.handle.raw, 0, Unmanaged.passUnretained(report).toOpaque())
        SSL_set_connect_state(self.handle.raw)
        shakeHands()
    }

    /// The server's side of a connection.
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

    /// What the peer is; nil: that is not known yet.
    package var peer: TLSPeer? {
        guard phase == .open else { return nil }
        let certificate = SSL_get1_peer_certificate(handle.raw)
        defer { X509_free(certificate) }
        var (chosen, length): (UnsafePointer<UInt8>?, UInt32) = (nil, 0)
        SSL_get0_alpn_selected(handle.raw, &chosen, &length)
        // Sound: OpenSSL lends that many bytes, which are copied at once.
        let applicationProtocol = chosen.map {
            String(decoding: UnsafeBufferPointer(start: $0, count: Int(length)), as: UTF8.self)
        }
        let serverName = SSL_get_servername(handle.raw, TLSEXT_NAMETYPE_host_name)
        return TLSPeer(
            version: String(cString: SSL_get_version(handle.raw)),
            certificate: certificate.map { Certificate(reading: $0) },
            applicationProtocol: applicationProtocol, serverName: serverName.map { String(cString: $0) })
    }

    /// Takes what came from the socket, and returns the plain bytes that it makes.
    package mutating func receive(_ bytes: RawSpan) -> [UInt8] {
        guard !hasEnded, isAlive, bytes.byteCount > 0, isTLS(bytes) else { return [] }
        // Sound: OpenSSL copies the bytes before the call returns.
        bytes.withUnsafeBytes { _ = BIO_write(handle.incoming, $0.baseAddress, CInt(clamping: $0.count)) }
        if phase == .handshake { shakeHands() }
        return phase == .open ? readAll() : []
    }

    /// The socket has ended. Without the peer's word before (`hasEnded`), what came may have been cut off.
    package mutating func receiveEnd() {
        if phase == .handshake { phase = .failed(.endedEarly) }
    }

    /// Plain bytes for the peer; before the handshake is done they wait for it.
    package mutating func write(_ bytes: RawSpan) {
        switch phase {
        case .handshake:
            bytes.withUnsafeBytes { waiting.append(contentsOf: $0) }
        case .open:
            guard bytes.byteCount > 0 else { return }
            OpenSSLError.clear()
            var count = 0
            // Sound: OpenSSL reads that many bytes and keeps none. Memory takes everything at once.
            let result = bytes.withUnsafeBytes {
                SSL_write_ex(handle.raw, $0.baseAddress, $0.count, &count)
            }
            if result != 1 { phase = .failed(.broken(reason: OpenSSLError.take().text)) }
        case .failed:
            break
        }
    }

    /// Says that no more will be written (RFC 8446 §6.1).
    package mutating func finishWriting() {
        guard phase == .open else { return }
        OpenSSLError.clear()
        _ = SSL_shutdown(handle.raw)
        OpenSSLError.clear()
    }

    /// What is to be sent to the peer, once.
    package mutating func takeOutput() -> [UInt8] { MemoryBIO.takeAll(of: handle.outgoing) }

    // Private steps.

    private var isAlive: Bool {
        switch phase {
        case .handshake, .open: true
        case .failed: false
        }
    }

    /// A name is sent to the server and looked for in its certificate; an address is looked for only
    /// (RFC 6066 §3, RFC 9525).
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

    /// The first byte from a server tells: a handshake, or an alert.
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
        // One record at a time, which is what fits.
        withUnsafeTemporaryAllocation(byteCount: Int(SSL3_RT_MAX_PLAIN_LENGTH), alignment: 16) { buffer in
            while true {
                OpenSSLError.clear()
                var count = 0
                // Sound: it writes at most as much as there is room for, and says how much that was.
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
