import CCurl
import Reactor

/// Requests and the connections that are kept for them: libcurl's multi interface on one loop.
///
/// Unchecked: everything but `loop` and `configuration` is touched on the loop's thread alone.
final class HTTPLine: @unchecked Sendable {
    private let loop: EventLoop
    private let configuration: HTTPSessionConfiguration
    /// The multi handle of libcurl; it is freed with this object.
    private let multi: UnsafeMutableRawPointer
    private var exchanges: [UInt: Exchange] = [:]
    private var gate = FirstAnswerGate<UInt>()
    private var watches: [curl_socket_t: SocketWatch] = [:]
    private var timer: EventLoop.Timer?
    private var isClosed = false

    /// Creates a line; nil if there is no memory. `close` has to be called at the end.
    init?(_ configuration: HTTPSessionConfiguration, on loop: EventLoop) {
        // The first line initializes the library, once in the life of the process.
        _ = Self.isLibraryReady
        guard let multi = curl_multi_init() else { return nil }
        self.multi = multi
        self.loop = loop
        self.configuration = configuration
        curl_multi_set_long(multi, CURLMOPT_MAX_HOST_CONNECTIONS, configuration.connectionsPerHost)
        curl_multi_set_long(multi, CURLMOPT_MAXCONNECTS, configuration.idleConnections)
        curl_multi_set_long(multi, CURLMOPT_MAX_CONCURRENT_STREAMS, configuration.streamsPerConnection)
        curl_multi_set_long(multi, CURLMOPT_PIPELINING, Int(CURLPIPE_MULTIPLEX))
        // `close` ends the callbacks before this object is freed.
        let this = Unmanaged.passUnretained(self).toOpaque()
        curl_multi_set_pointer(multi, CURLMOPT_SOCKETDATA, this)
        curl_multi_set_pointer(multi, CURLMOPT_TIMERDATA, this)
        curl_multi_set_socket_function(multi) { _, socket, what, context, _ in
            guard let context else { return 0 }
            Unmanaged<HTTPLine>.fromOpaque(context).takeUnretainedValue().watch(socket, what)
            return 0
        }
        curl_multi_set_timer_function(multi) { _, milliseconds, context in
            guard let context else { return 0 }
            Unmanaged<HTTPLine>.fromOpaque(context).takeUnretainedValue().setTimer(milliseconds)
            return 0
        }
    }

    private static let isLibraryReady = curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK

    deinit { curl_multi_cleanup(multi) }

    /// Ends every request with `cancelled`, and all connections. Nothing can be sent afterwards.
    func close() async {
        await loop.submit { [self] in
            isClosed = true
            for exchange in exchanges.values { end(exchange, .failure(.cancelled)) }
            if let timer { loop.cancel(timer) }
            timer = nil
            for socket in watches.keys { loop.unregister(socket) }
            watches = [:]
            curl_multi_set_socket_function(multi, nil)
            curl_multi_set_timer_function(multi, nil)
        }
    }

    /// Returns the answer, whatever its status.
    func perform(_ request: OutboundRequest) async throws(OutboundError) -> OutboundResponse {
        let ticket = Ticket()
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                loop.execute { self.begin(request, ticket, continuation) }
            }
        } onCancel: {
            loop.execute {
                ticket.isCancelled = true
                if let exchange = ticket.exchange { self.end(exchange, .failure(.cancelled)) }
            }
        }
        return try result.get()
    }

    /// The exchange of a request, for its cancellation. Unchecked: touched on the loop's thread alone.
    private final class Ticket: @unchecked Sendable {
        var isCancelled = false
        weak var exchange: Exchange?
    }

    private func begin(
        _ request: OutboundRequest, _ ticket: Ticket,
        _ continuation: CheckedContinuation<Result<OutboundResponse, OutboundError>, Never>
    ) {
        if isClosed || ticket.isCancelled { return continuation.resume(returning: .failure(.cancelled)) }
        guard let exchange = Exchange(request, configuration, continuation) else {
            return continuation.resume(returning: .failure(.senseless("libcurl refuses the request")))
        }
        exchanges[exchange.key] = exchange
        ticket.exchange = exchange
        if configuration.version == .http2 {
            exchange.watchConnections(self) { [weak self, key = exchange.key] connection in
                self?.gate.admits(key, to: connection) ?? true
            }
        }
        add(exchange)
    }

    private func add(_ exchange: Exchange) {
        let code = curl_multi_add_handle(multi, exchange.handle)
        if code != CURLM_OK {
            end(exchange, .failure(.unreachable(String(cString: curl_multi_strerror(code)))))
        }
    }

    private func end(_ exchange: Exchange, _ result: Result<OutboundResponse, OutboundError>) {
        guard exchanges.removeValue(forKey: exchange.key) != nil else { return }
        curl_multi_remove_handle(multi, exchange.handle)
        exchange.finish(result)
        let ending: FirstAnswerGate<UInt>.Ending =
            switch result {
            case .success: .answered
            case .failure(.cancelled): .unused
            case .failure: .unanswered
            }
        let released = gate.ended(exchange.key, ending)
        for key in released.failed {
            if let exchange = exchanges[key] { end(exchange, .failure(.unproven)) }
        }
        send(released.sent)
    }

    /// Keeps a request that its connection did not admit until the first answer on it.
    private func hold(_ exchange: Exchange, for connection: FirstAnswerGate<UInt>.Connection) {
        curl_multi_remove_handle(multi, exchange.handle)
        if !gate.wait(exchange.key, for: connection) { send([exchange.key]) }
    }

    /// Sends requests that have waited.
    private func send(_ keys: [UInt]) {
        if isClosed { return }
        for key in keys {
            guard let exchange = exchanges[key] else { continue }
            if exchange.isStale() { end(exchange, .failure(.cancelled)) } else { add(exchange) }
        }
    }

    /// Called by libcurl before it closes a connection.
    func closes(_ socket: curl_socket_t) {
        guard !isClosed, let port = SocketAddress.local(of: socket)?.port else { return }
        let released = gate.closed(port)
        // libcurl must not be called from its own callbacks.
        if !released.isEmpty { loop.execute { self.send(released) } }
    }

    // The callbacks of libcurl, and the events it is told of.

    private func watch(_ socket: curl_socket_t, _ what: CInt) {
        let events: EventSet
        switch what {
        case CURL_POLL_IN: events = .readable
        case CURL_POLL_OUT: events = .writable
        case CURL_POLL_INOUT: events = [.readable, .writable]
        default:
            if watches.removeValue(forKey: socket) != nil { loop.unregister(socket) }
            return
        }
        do {
            if watches[socket] != nil {
                try loop.modify(socket, events)
            } else {
                let watch = SocketWatch(socket: socket, line: self)
                try loop.register(socket, events, handler: watch)
                watches[socket] = watch
            }
        } catch {
            // The exchange ends by its timeout.
            watches[socket] = nil
        }
    }

    private func setTimer(_ milliseconds: Int) {
        if let timer { loop.cancel(timer) }
        timer = nil
        guard milliseconds >= 0 else { return }
        // A timer of zero is scheduled, too: libcurl must not be called from its own callbacks.
        timer = loop.schedule(after: .milliseconds(milliseconds)) { [weak self] in
            self?.timer = nil
            self?.act(CURL_SOCKET_TIMEOUT, 0)
        }
    }

    fileprivate func act(_ socket: curl_socket_t, _ events: CInt) {
        if isClosed { return }
        var running: CInt = 0
        curl_multi_socket_action(multi, socket, events, &running)
        collect()
    }

    private func collect() {
        var rest: CInt = 0
        while let message = curl_multi_info_read(multi, &rest) {
            guard message.pointee.msg == CURLMSG_DONE, let handle = message.pointee.easy_handle,
                let exchange = exchanges[UInt(bitPattern: handle)]
            else { continue }
            let code = curl_message_result(message)
            if code == CURLE_ABORTED_BY_CALLBACK, let connection = exchange.shutConnection {
                hold(exchange, for: connection)
                continue
            }
            end(exchange, exchange.result(code))
        }
    }
}

/// One of libcurl's sockets on the loop.
private final class SocketWatch: EventHandler {
    private let socket: curl_socket_t
    private weak var line: HTTPLine?

    init(socket: curl_socket_t, line: HTTPLine) {
        self.socket = socket
        self.line = line
    }

    func ready(_ events: EventSet) {
        var selected: CInt = 0
        if !events.isDisjoint(with: [.readable, .hangUp]) { selected |= CURL_CSELECT_IN }
        if events.contains(.writable) { selected |= CURL_CSELECT_OUT }
        if events.contains(.error) { selected |= CURL_CSELECT_ERR }
        line?.act(socket, selected)
    }
}
