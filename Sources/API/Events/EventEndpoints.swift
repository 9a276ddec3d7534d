import Contract
package import Database
import HTTP1
package import HTTPServer
import Postgres

/// `GET /v1/events`: notifications as server-sent events (WHATWG HTML, section 9.2).
package struct EventEndpoints: EndpointGroup {
    private static let page = 200

    package let rest: REST
    private let feed: NotificationFeed
    private let reader: NotificationReader

    package init(_ rest: REST, _ feed: NotificationFeed, _ reader: NotificationReader) {
        self.rest = rest
        self.feed = feed
        self.reader = reader
    }

    package func add(to router: inout Router) {
        router.on(
            .get, Routes.events,
            rest.signedIn(sensitive: true, readsAgain: true) { user, request in
                let after = try position(request)
                let options = try Options(QueryReader(request.query))
                let place = try application.limits.stream(of: user.id)
                let waiting = WaitingEvents()
                let (since, events) = try await feed.subscribe(
                    user.id, tokenVersion: user.tokenVersion, waiting: waiting)
                place?.whenReplaced { waiting.end() }
                let database = application.database(request.loop)
                // A token that was replaced before the subscription has not ended the stream, so it is
                // checked again.
                _ = try await rest.signIn.read(request, sensitive: true, from: database)
                let start = try await StreamStart(asked: after, since: since) {
                    try await NotificationWriter.newest(in: database)
                }
                place?.begin()
                var response = HTTPResponse(status: 200, headers: Self.headers) { stream in
                    await send(
                        to: stream, user, options, from: start, since: since, (events, waiting), database)
                    // The place is held until here, however the stream ends.
                    if place?.isReplaced == true { try? await stream.write(Self.replaced) }
                }
                response.queuedBytes = { waiting.bytes }
                response.heartbeat = options.heartbeat
                return response
            }
            .changing { response in
                if response.status == 503 { Self.postpone(&response) }
            })
    }

    /// Adds the endpoint of a server that is starting: clients come back when it is ready.
    package static func addPostponing(to router: inout Router) {
        router.immediate(.get, Routes.events) { _ in
            var response = HTTPResponse(status: 503)
            postpone(&response)
            return response
        }
    }

    /// Makes an empty stream of the refusal of a busy server: an EventSource never reconnects after another
    /// status than 200. The stream has no complete block, so clients do not take it for one that has begun.
    static func postpone(_ refusal: inout HTTPResponse) {
        let account = refusal.account
        refusal = HTTPResponse(
            status: 200, headers: headers, body: Array(": busy\n\(StreamRetry.whenBusy.field)".utf8))
        refusal.account = account
    }

    /// Whether a request asks for a stream of events.
    static func isAsked(_ head: RequestHead?) -> Bool { head?.path == Routes.events && head?.method == .get }

    /// The last event of a stream that has given its place to a newer one.
    private static let replaced = Array("event: \(StreamReplacement.event)\ndata: {}\n\n".utf8)

    private static let headers: HTTPHeaders = [
        "Content-Type": "text/event-stream", "Cache-Control": "no-store, no-transform",
        "X-Accel-Buffering": "no",
    ]

    /// Returns the id after which to resume; nil for new notifications only. The header takes precedence over
    /// the query, since a client that reconnects sends it.
    private func position(_ request: HTTPRequest) throws -> Int64? {
        if let text = request.head.headers.first("last-event-id"), !text.isEmpty {
            guard let id = Int64(text), id >= 0 else {
                throw APIError(.unreadable, "Last-Event-ID has to be the id of a notification.")
            }
            return id
        }
        guard request.query.first("after") != nil else { return nil }
        return try QueryReader(request.query).after()
    }

    /// The parts of the stream that a client asks for.
    private struct Options {
        /// The types of notifications; nil for all.
        let types: [NotificationType]?
        /// The bytes that a silent stream gets after the comment: an event, if the client asked for it.
        let heartbeat: [UInt8]

        init(_ query: QueryReader) throws {
            types = try query.types()
            heartbeat =
                try query.asksForHeartbeat()
                ? Array("event: \(StreamHeartbeat.event)\ndata: {}\n\n".utf8) : []
        }

        /// Returns a block without data, which sets the last event id and is no event: a client that asked
        /// for some types does not come back to what it was spared. It delays the next heartbeat, so that one
        /// comes with it.
        func position(_ id: Int64) -> [UInt8] { Array("id: \(id)\n\n".utf8) + heartbeat }
    }

    /// Sends the stored notifications and then new ones, each once, in the order of their ids; of some types,
    /// or of all if `types` is nil.
    private func send(
        to stream: ResponseStream, _ user: SignedInUser, _ options: Options, from start: StreamStart,
        since: Int64, _ feed: (events: NotificationFeed.Events, waiting: WaitingEvents),
        _ database: PostgresPool
    ) async {
        do {
            try await stream.write(Array(start.greeting.utf8))
            let types = options.types
            var last = start.after
            while last < since {
                let stored = try await reader.read(
                    for: user.id, under: user.tokenVersion, after: last, types: types, limit: Self.page,
                    from: database)
                for notification in stored {
                    try await stream.write(try NotificationFeed.Event(notification).bytes)
                    last = notification.id
                }
                if stored.count == Self.page { continue }
                if types != nil, last < since { try await stream.write(options.position(since)) }
                last = max(last, since)
            }
            for await event in feed.events {
                feed.waiting.take(event)
                guard event.id > last else { continue }
                last = event.id
                let isAskedFor = types.map { types in event.type.map(types.contains) ?? false } ?? true
                try await stream.write(isAskedFor ? event.bytes : options.position(event.id))
            }
        } catch {
            // The client or the database is gone: the client comes back with the id of the last notification
            // it got.
        }
    }
}
