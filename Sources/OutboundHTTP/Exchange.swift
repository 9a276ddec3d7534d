import CCurl
import Glibc
import Reactor

/// One request under way. Used on the session's loop only.
final class Exchange {
    /// The easy handle of libcurl; it is freed with this exchange.
    let handle: UnsafeMutableRawPointer
    private let continuation: CheckedContinuation<Result<OutboundResponse, OutboundError>, Never>
    private let configuration: HTTPSessionConfiguration
    /// The lists of the request, and its body. libcurl reads them until the handle is freed.
    private var lists: [UnsafeMutablePointer<curl_slist>?] = []
    private let body: UnsafeMutableBufferPointer<UInt8>

    private var received: [UInt8] = []
    private var headers: [(name: String, value: String)] = []
    private var headerBytes = 0
    private var isHeaderTooLarge = false
    /// Whether the body is too long, so that its rest is not read.
    private var isCut = false
    /// Whether a connection had no socket, since the process has no descriptor left.
    private var lacksDescriptor = false
    /// Whether the request is of no use any more.
    let isStale: @Sendable () -> Bool
    private var admits: ((FirstAnswerGate<UInt>.Connection) -> Bool)?
    /// The connection that did not admit the request; nothing of the request was written to it.
    private(set) var shutConnection: FirstAnswerGate<UInt>.Connection?

    /// Creates an exchange; nil if libcurl does not accept the request.
    init?(
        _ request: OutboundRequest, _ configuration: HTTPSessionConfiguration,
        _ continuation: CheckedContinuation<Result<OutboundResponse, OutboundError>, Never>
    ) {
        guard let handle = curl_easy_init() else { return nil }
        self.handle = handle
        self.continuation = continuation
        self.configuration = configuration
        isStale = request.isStale
        body = .allocate(capacity: max(1, request.body.count))
        _ = body.update(fromContentsOf: request.body)
        guard set(request) else { return nil }
        receive()
    }

    deinit {
        curl_easy_cleanup(handle)
        for list in lists { curl_slist_free_all(list) }
        body.deallocate()
    }

    /// The name of the exchange on its line.
    var key: UInt { UInt(bitPattern: handle) }

    /// Has `admits` asked each time before the request is written to a connection, and `line` told of each
    /// connection that is closed.
    func watchConnections(
        _ line: HTTPLine, admits: @escaping (FirstAnswerGate<UInt>.Connection) -> Bool
    ) {
        self.admits = admits
        curl_set_pointer(handle, CURLOPT_PREREQDATA, Unmanaged.passUnretained(self).toOpaque())
        curl_set_request_function(handle) { context, peer, _, _, localPort in
            guard let context, let peer else { return CURL_PREREQFUNC_OK }
            let exchange = Unmanaged<Exchange>.fromOpaque(context).takeUnretainedValue()
            let connection = FirstAnswerGate<UInt>.Connection(
                localPort: UInt16(truncatingIfNeeded: localPort), peer: String(cString: peer))
            return exchange.mayUse(connection) ? CURL_PREREQFUNC_OK : CURL_PREREQFUNC_ABORT
        }
        // The line outlives the connections.
        curl_set_pointer(handle, CURLOPT_CLOSESOCKETDATA, Unmanaged.passUnretained(line).toOpaque())
        curl_set_close_function(handle) { context, socket in
            if let context { Unmanaged<HTTPLine>.fromOpaque(context).takeUnretainedValue().closes(socket) }
            return close(socket)
        }
    }

    private func mayUse(_ connection: FirstAnswerGate<UInt>.Connection) -> Bool {
        let isAdmitted = admits?(connection) ?? true
        shutConnection = isAdmitted ? nil : connection
        return isAdmitted
    }

    func finish(_ result: Result<OutboundResponse, OutboundError>) { continuation.resume(returning: result) }

    func result(_ code: CURLcode) -> Result<OutboundResponse, OutboundError> {
        if isHeaderTooLarge { return .failure(.tooLarge) }
        if isCut { return .success(response) }
        switch code {
        case CURLE_OK: return .success(response)
        case CURLE_COULDNT_CONNECT where lacksDescriptor: return .failure(.outOfDescriptors)
        case CURLE_OPERATION_TIMEDOUT: return .failure(.timedOut)
        case CURLE_PEER_FAILED_VERIFICATION: return .failure(.untrusted(certificateError ?? text(code)))
        case CURLE_SSL_CONNECT_ERROR, CURLE_SSL_CACERT_BADFILE,
            CURLE_SSL_CERTPROBLEM, CURLE_SSL_CIPHER:
            return .failure(.untrusted(text(code)))
        // These codes mean that a line of the header is longer than libcurl keeps; newer versions have a code
        // of its own, CURLE_TOO_LARGE.
        case CURLE_OUT_OF_MEMORY, CURLcode(rawValue: 100): return .failure(.tooLarge)
        case CURLE_WEIRD_SERVER_REPLY, CURLE_BAD_CONTENT_ENCODING: return .failure(.garbled)
        // libcurl uses these codes for the URL of a request, and for the version and the fields of an answer.
        case CURLE_URL_MALFORMAT, CURLE_UNSUPPORTED_PROTOCOL:
            return .failure(wasSent ? .garbled : .senseless(text(code)))
        default: return .failure(.unreachable(proxyRefusal ?? text(code)))
        }
    }

    /// Whether a byte of the request was written.
    private var wasSent: Bool {
        var bytes = 0
        curl_get_long(handle, CURLINFO_REQUEST_SIZE, &bytes)
        return bytes > 0
    }

    private var certificateError: String? {
        var code = 0
        curl_get_long(handle, CURLINFO_SSL_VERIFYRESULT, &code)
        return CertificateError(verifyResult: code)?.rawValue
    }

    private var response: OutboundResponse {
        var status = 0
        curl_get_long(handle, CURLINFO_RESPONSE_CODE, &status)
        return OutboundResponse(status: status, headers: headers, body: received)
    }

    private func text(_ code: CURLcode) -> String { String(cString: curl_easy_strerror(code)) }

    private func set(_ request: OutboundRequest) -> Bool {
        let isHTTP2 = configuration.version == .http2
        var isSet = curl_set_string(handle, CURLOPT_URL, request.url) == CURLE_OK
        isSet = isSet && curl_set_string(handle, CURLOPT_PROTOCOLS_STR, "http,https") == CURLE_OK
        isSet = isSet && set(request.pin?.proxy)
        isSet = isSet && curl_set_string(handle, CURLOPT_USERAGENT, configuration.userAgent) == CURLE_OK
        // With a folder of authorities libcurl reads all of them anew for each connection; with a file it
        // does so once.
        isSet = isSet && curl_set_string(handle, CURLOPT_CAPATH, nil) == CURLE_OK
        if let authorities = configuration.authorities {
            isSet = isSet && curl_set_string(handle, CURLOPT_CAINFO, authorities) == CURLE_OK
        }
        let version = isHTTP2 ? Int(CURL_HTTP_VERSION_2TLS) : Int(CURL_HTTP_VERSION_1_1)
        let numbers: [(CURLoption, Int)] = [
            (CURLOPT_NOSIGNAL, 1), (CURLOPT_FOLLOWLOCATION, 0), (CURLOPT_HTTP_VERSION, version),
            // A request waits for the first connection instead of opening a second one.
            (CURLOPT_PIPEWAIT, isHTTP2 ? 1 : 0),
            (CURLOPT_TIMEOUT_MS, milliseconds(request.timeout)),
            (CURLOPT_CONNECTTIMEOUT_MS, milliseconds(request.connectTimeout)),
        ]
        for (option, value) in numbers { isSet = isSet && curl_set_long(handle, option, value) == CURLE_OK }
        // A handle gets unless it is told to post.
        if request.method == .post {
            isSet = isSet && curl_set_long(handle, CURLOPT_POST, 1) == CURLE_OK
            isSet = isSet && curl_set_long(handle, CURLOPT_POSTFIELDSIZE, request.body.count) == CURLE_OK
            isSet = isSet && curl_set_pointer(handle, CURLOPT_POSTFIELDS, body.baseAddress) == CURLE_OK
        }
        // An empty Expect: the receiver is not asked first whether it wants the body.
        let lines = request.headers.map { "\($0.name): \($0.value)" } + ["Expect:"]
        isSet = isSet && curl_set_list(handle, CURLOPT_HTTPHEADER, list(lines)) == CURLE_OK
        if let pin = request.pin, !pin.addresses.isEmpty {
            let addresses = pin.addresses.map { $0.contains(":") ? "[\($0)]" : $0 }.joined(separator: ",")
            // With the plus sign the entry expires after a minute; without it, it would stay for all later
            // requests.
            let entry = list(["+\(pin.host):\(pin.port):\(addresses)"])
            isSet = isSet && curl_set_list(handle, CURLOPT_RESOLVE, entry) == CURLE_OK
        }
        return isSet
    }

    /// Sets the proxy. The proxies that the environment names are ignored.
    private func set(_ proxy: OutboundRequest.Proxy?) -> Bool {
        var texts = [(CURLOPT_PROXY, proxy?.url ?? ""), (CURLOPT_NOPROXY, "")]
        if let credentials = proxy?.credentials {
            texts.append((CURLOPT_PROXYUSERNAME, credentials.user))
            texts.append((CURLOPT_PROXYPASSWORD, credentials.password))
        }
        if proxy != nil, let authorities = configuration.authorities {
            texts.append((CURLOPT_PROXY_CAINFO, authorities))
        }
        return texts.allSatisfy { curl_set_string(handle, $0, $1) == CURLE_OK }
            && curl_set_string(handle, CURLOPT_PROXY_CAPATH, nil) == CURLE_OK
            // The header of the answer to CONNECT is not one of the receiver's.
            && curl_set_long(handle, CURLOPT_SUPPRESS_CONNECT_HEADERS, 1) == CURLE_OK
    }

    /// The reason why the proxy opened no tunnel; nil if it did, or was not asked.
    private var proxyRefusal: String? {
        var status = 0
        curl_get_long(handle, CURLINFO_HTTP_CONNECTCODE, &status)
        return status == 0 || (200..<300).contains(status) ? nil : "the proxy answers \(status)"
    }

    private func list(_ lines: [String]) -> UnsafeMutablePointer<curl_slist>? {
        var list: UnsafeMutablePointer<curl_slist>?
        for line in lines {
            guard let longer = curl_slist_append(list, line) else { break }
            list = longer
        }
        lists.append(list)
        return list
    }

    private func milliseconds(_ duration: Duration) -> Int {
        let (seconds, attoseconds) = duration.components
        return Int(clamping: min(max(seconds, 0), 86_400) * 1_000 + attoseconds / 1_000_000_000_000_000)
    }

    // The handle, and with it the callbacks, is freed before this object.

    private func receive() {
        let this = Unmanaged.passUnretained(self).toOpaque()
        curl_set_pointer(handle, CURLOPT_WRITEDATA, this)
        curl_set_pointer(handle, CURLOPT_HEADERDATA, this)
        curl_set_pointer(handle, CURLOPT_OPENSOCKETDATA, this)
        curl_set_open_socket_function(handle) { context, _, address in
            guard let context, let address else { return CURL_SOCKET_BAD }
            return Unmanaged<Exchange>.fromOpaque(context).takeUnretainedValue().openSocket(address.pointee)
        }
        curl_set_function(handle, CURLOPT_WRITEFUNCTION) { bytes, size, count, context in
            guard let bytes, let context else { return 0 }
            let exchange = Unmanaged<Exchange>.fromOpaque(context).takeUnretainedValue()
            let buffer = UnsafeRawBufferPointer(start: bytes, count: size * count)
            return exchange.append(buffer) ? size * count : Int(CURL_WRITEFUNC_ERROR)
        }
        curl_set_function(handle, CURLOPT_HEADERFUNCTION) { bytes, size, count, context in
            guard let bytes, let context else { return 0 }
            let exchange = Unmanaged<Exchange>.fromOpaque(context).takeUnretainedValue()
            let buffer = UnsafeRawBufferPointer(start: bytes, count: size * count)
            return exchange.appendHeader(buffer) ? size * count : Int(CURL_WRITEFUNC_ERROR)
        }
    }

    /// Opens a socket for libcurl, which does not report the lack of descriptors.
    private func openSocket(_ address: curl_sockaddr) -> curl_socket_t {
        do throws(SystemError) {
            let raw = try system("socket") {
                socket(address.family, address.socktype | CInt(SOCK_CLOEXEC.rawValue), address.protocol)
            }
            DescriptorBudget.process.opened(raw)
            return raw
        } catch {
            lacksDescriptor = lacksDescriptor || error.isOutOfDescriptors
            return CURL_SOCKET_BAD
        }
    }

    private func append(_ bytes: UnsafeRawBufferPointer) -> Bool {
        isCut = received.count + bytes.count > configuration.maximumBody
        received.append(contentsOf: bytes.prefix(configuration.maximumBody - received.count))
        return !isCut
    }

    private func appendHeader(_ bytes: UnsafeRawBufferPointer) -> Bool {
        headerBytes += bytes.count
        isHeaderTooLarge = headerBytes > configuration.maximumHeader
        let line = String(decoding: bytes, as: UTF8.self)
        // A status line begins a new header: what an interim answer said does not count.
        if line.hasPrefix("HTTP/") { headers = [] }
        if let colon = line.firstIndex(of: ":") {
            let value = line[line.index(after: colon)...].drop { $0.isWhitespace }
            let end = value.lastIndex { !$0.isWhitespace }.map { value.index(after: $0) } ?? value.startIndex
            headers.append((name: line[..<colon].lowercased(), value: String(value[..<end])))
        }
        return !isHeaderTooLarge
    }
}
