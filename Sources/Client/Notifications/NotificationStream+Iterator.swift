import Contract
import HTTP1

extension NotificationStream {
    /// The iterator of the stream, which reads only during a call of `next`.
    public struct Iterator: AsyncIteratorProtocol {
        /// The longest silence of a live server, which writes a comment every 15 seconds.
        private static let longestSilence = Duration.seconds(40)

        private enum Phase {
            case waiting(Duration)
            case reading(ResponseReader)
            /// A newer stream of the account has the place of this one.
            case replaced
            case ended
        }

        private let api: APIClient
        private var after: Int64?
        private let types: [NotificationType]?
        private var phase = Phase.waiting(.zero)
        private var parser = EventStreamParser()
        private var events: [Event] = []
        private var policy = ReconnectPolicy()
        private var generator = SystemRandomNumberGenerator()
        private let clock = ClientClock(ContinuousClock())
        let alarm = StreamAlarm()
        private var hasConnected = false
        /// The wait that the latest refusal asked for in `Retry-After`.
        private var asked: Duration?

        init(api: APIClient, after: Int64?, types: [NotificationType]?) {
            self.api = api
            self.after = after
            self.types = types
        }

        /// Returns the next event, after a wait if there is none.
        public mutating func next() async throws -> Event? {
            try await next(isolation: #isolation)
        }

        /// Returns the next event without leaving the caller's actor.
        public mutating func next(
            isolation actor: isolated (any Actor)?
        ) async throws(ClientError) -> Event? {
            while true {
                if !events.isEmpty { return events.removeFirst() }
                switch phase {
                case .waiting(let wait):
                    try await pause(wait)
                    try await attempt { iterator throws(ClientError) in try await iterator.connect() }
                case .reading:
                    try await attempt { iterator throws(ClientError) in try await iterator.read() }
                case .replaced:
                    phase = .ended
                    throw .streamReplaced
                case .ended:
                    return nil
                }
            }
        }

        private mutating func attempt(
            _ step: (inout Iterator) async throws(ClientError) -> Void
        ) async throws(ClientError) {
            do throws(ClientError) {
                try await step(&self)
            } catch {
                switch error {
                // The stream reconnects at once and without an event: the connection may well have been
                // alive.
                case .cancelled where alarm.wasWoken() && !Task.isCancelled: phase = .waiting(.zero)
                case .network where hasConnected, .timedOut where hasConnected: interrupted(error.text)
                // A busy server says when it is worth another attempt, also the first time.
                case .problem(let problem)
                where (hasConnected && problem.status >= 500)
                    || (ClientError.isTransient(status: problem.status) && (hasConnected || asked != nil)):
                    interrupted(error.text)
                // The account's other streams end, and those of devices that are gone end soon.
                case .problem(let problem) where problem.name == .tooManyStreams: interrupted(error.text)
                // The answer may be a hotel's sign-in page: the address was right before.
                case .untrusted where hasConnected, .unexpected where hasConnected && !isReading:
                    interrupted(error.text)
                case .network, .untrusted, .timedOut, .problem, .badAddress, .unexpected, .cancelled,
                    .queueFull,
                    .badMessage, .storage:
                    phase = .ended
                    throw error
                }
            }
        }

        private var isReading: Bool {
            if case .reading = phase { true } else { false }
        }

        private mutating func interrupted(_ reason: Text) {
            policy.disconnected(at: clock.now())
            let retry = parser.retryMilliseconds.map { Duration.milliseconds(Swift.min($0, 60_000)) }
            let hint = asked ?? retry
            let wait = policy.wait(.reconnect, hint: hint, using: &generator) ?? ReconnectPolicy.longest
            asked = nil
            events.append(.interrupted(reason: reason, wait: wait))
            phase = .waiting(wait)
        }

        private mutating func connect() async throws(ClientError) {
            var headers = api.headers
            headers.set("Accept", "text/event-stream, \(Problem.mediaType)")
            if let after { headers.append("Last-Event-ID", String(after)) }
            let path = Routes.query(
                Routes.events, [("types", types.map { $0.map(\.rawValue).joined(separator: ",") })])
            let (http, common) = (api.http, headers)
            var refusal: HTTPAnswer?
            let reader: ResponseReader
            do throws(ClientError) {
                reader = try await api.signedIn { token throws(ClientError) in
                    try await Self.open(path, http, common.authorized(by: token), &refusal)
                }
            } catch {
                asked = refusal?.retryAfter
                throw error
            }
            await reader.transport.setDeadline(Self.longestSilence)
            parser = EventStreamParser()
            hasConnected = true
            policy.connected(at: clock.now())
            phase = .reading(reader)
            alarm.reads(reader.transport)
        }

        /// Opens the stream; `refusal` is the answer if the server refuses it.
        private static func open(
            _ path: String, _ http: HTTPClient, _ headers: HTTPHeaders, _ refusal: inout HTTPAnswer?
        ) async throws(ClientError) -> ResponseReader {
            var reader = try await http.open(.get, path, headers: headers, isEndless: true)
            let head = try await reader.head()
            guard head.status == 200 else {
                let answer = HTTPAnswer(head: head, body: try await reader.body())
                refusal = answer
                throw answer.refusal
            }
            return reader
        }

        private mutating func read() async throws(ClientError) {
            guard case .reading(var reader) = phase else { return }
            let event = try await reader.next()
            phase = .reading(reader)
            switch event {
            case .body(let bytes):
                await reader.transport.setDeadline(Self.longestSilence)
                try take(bytes)
            case .head: break
            case .end, nil: throw .network("The server ended the stream.")
            }
        }

        private mutating func take(_ bytes: [UInt8]) throws(ClientError) {
            let hadBegun = parser.hasBegun
            do {
                let received = try parser.receive(bytes)
                // The first block announces the position of the stream.
                if !hadBegun && parser.hasBegun {
                    // It may be below the id that was sent, if the database was restored from a backup.
                    if let id = parser.firstID.flatMap({ Int64($0) }) { after = id }
                    events.append(.connected)
                }
                for event in received {
                    if event.event == StreamReplacement.event {
                        phase = .replaced
                        return
                    }
                    let notification = try JSON.decode(UserNotification.self, from: Array(event.data.utf8))
                    // A stream that was cut in two may repeat a notification.
                    if let after, notification.id <= after { continue }
                    after = notification.id
                    policy.heard()
                    // A server of an earlier release sends all types.
                    if let types, !types.contains(where: { $0.rawValue == notification.type }) { continue }
                    events.append(.notification(notification))
                }
                // An id may also come alone, to announce the position of the stream.
                if let id = parser.lastID.flatMap({ Int64($0) }) { after = Swift.max(after ?? id, id) }
            } catch {
                throw .unexpected("The server's stream of events cannot be read.")
            }
        }

        private func pause(_ wait: Duration) async throws(ClientError) {
            guard wait > .zero else { return }
            await alarm.pause(wait)
            if Task.isCancelled { throw .cancelled }
        }
    }
}
