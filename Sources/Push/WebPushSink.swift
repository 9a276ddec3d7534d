import Codecs
package import Contract
package import Crypto
import Logging
package import OutboundHTTP
package import Outbox
import Reactor

/// Delivers to browsers through their push services: RFC 8030, encrypted by RFC 8291, signed by RFC 8292.
package struct WebPushSink: Sendable {
    /// The time for which a push service keeps a message that never expires.
    private static let usual = Duration.seconds(24 * 3600)

    package let session: HTTPSession
    package let addresses: AddressBook
    package let vapid: VAPID
    package let now: CurrentTime
    /// The URL of the page for browsers, without a slash at the end; nil if there is none.
    private let page: String?
    var uptime: @Sendable () -> Duration = { WallOutboxClock.uptime }
    /// Called with the host of a push service that refuses pushes without an operator; once a minute at most.
    private let warn: @Sendable (String) -> Void
    private let warnings = Lock(RateMeter())

    package init(
        session: HTTPSession, addresses: AddressBook, vapid: VAPID, page: String? = nil,
        now: @escaping CurrentTime,
        uptime: @escaping @Sendable () -> Duration = { WallOutboxClock.uptime },
        warn: @escaping @Sendable (String) -> Void = { host in
            Log.warning("a push service refuses pushes; set VAPID_SUBJECT", ["host": host])
        }
    ) {
        self.session = session
        self.addresses = addresses
        self.vapid = vapid
        self.page = page
        self.now = now
        self.uptime = uptime
        self.warn = warn
    }

    /// Delivers a message to a browser. `expiresAt`: the instant at which it expires; nil: never.
    package func deliver(
        _ content: DeliveryMessage.Content, to text: String, publicKey: [UInt8], auth: [UInt8],
        expiresAt: Timestamp?, in language: Language
    ) async -> Outcome {
        do throws(AttemptFailure) {
            let response = try await send(to: text) { sentAt in
                if let expiresAt, expiresAt <= sentAt {
                    throw AttemptFailure(outcome: .failed(.unsent(Text(.tooLate))))
                }
                let payload = PushPayload.json(
                    of: content, isForApple: false, limit: PushEncryption.maximumLength, at: sentAt,
                    in: language, page: page)
                let lifetime = expiresAt?.since(sentAt) ?? Self.usual
                let headers = [
                    (name: "ttl", value: "\(max(0, lifetime.components.seconds))"),
                    (name: "urgency", value: "high"), (name: "topic", value: Self.topic(content.subject)),
                    (name: "content-encoding", value: "aes128gcm"),
                    (name: "content-type", value: "application/octet-stream"),
                ]
                return (headers, try PushEncryption(publicKey: publicKey, auth: auth).encrypt(payload))
            }
            return outcome(of: response, from: text)
        } catch {
            return error.outcome
        }
    }

    /// Returns the outcome. A 403 to a push that names no operator is the fault of this server's settings,
    /// and does not count against the endpoint.
    private func outcome(of response: OutboundResponse, from url: String) -> Outcome {
        guard response.status == 403, !vapid.namesOperator else {
            return Self.outcome(of: response, at: now())
        }
        let instant = now().nanoseconds
        if warnings.withLock({ $0.take(of: .onceAMinute, at: instant) }) {
            warn((try? WebURL(url))?.host ?? "")
        }
        return .failed(
            Outcome.Failure(Text(.vapidSubjectMissing), isHostFault: false)
        ).sparingEndpoint
    }

    /// Sends a push without a payload, which no browser has to show. Only 201, the answer of a push service
    /// (RFC 8030 §5), counts as delivered.
    package func probe(_ text: String) async -> Outcome {
        // Without a value, libcurl sends no field of that name.
        let headers = [(name: "ttl", value: "0"), (name: "content-type", value: "")]
        do throws(AttemptFailure) {
            let response = try await send(to: text) { _ in (headers, []) }
            let outcome = outcome(of: response, from: text)
            guard case .delivered(let status) = outcome, response.status != 201 else { return outcome }
            return .failed(Outcome.Failure(Text(.noPushService, status), isHostFault: false))
        } catch {
            return error.outcome
        }
    }

    private typealias Headers = [(name: String, value: String)]

    /// Sends the push that `make` returns for the instant after the look-up of the name.
    private func send(
        to text: String, _ make: (Timestamp) throws -> (Headers, [UInt8])
    ) async throws(AttemptFailure) -> OutboundResponse {
        guard let url = try? WebURL(text) else {
            throw AttemptFailure(outcome: .refused(Text(.withoutURL)))
        }
        let begun = uptime()
        do {
            let pin = try await addresses.pin(for: url)
            let sentAt = now()
            let (headers, body) = try make(sentAt)
            let authorization = try vapid.authorization(audience: url.origin, at: sentAt.seconds)
            var request = OutboundRequest(
                url: text, headers: [(name: "authorization", value: authorization)] + headers, body: body,
                pin: pin)
            request.timeout = try WebhookSink.timeLeft(after: uptime() - begun)
            return try await session.perform(request)
        } catch {
            let failure = await addresses.failure(error, at: url.host)
            throw AttemptFailure(outcome: failure.outcome.sparingEndpoint)
        }
    }

    /// Returns a topic (RFC 8030 §5.4): at most 32 characters of base64url. A later push with the same topic
    /// replaces an earlier one.
    private static func topic(_ id: Identifier) -> String {
        Base64URL.encode((0..<16).map { UInt8(truncatingIfNeeded: id.value >> UInt128(120 - 8 * $0)) })
    }

    package static func outcome(of response: OutboundResponse, at now: Timestamp) -> Outcome {
        switch response.status {
        case 404, 410: .gone(Text(.browserGone, "\(response.status)"))
        case 413: .refused(Text(.tooLongForPushService))
        case 500...: WebhookSink.outcome(of: response, at: now).sparingEndpoint
        default: WebhookSink.outcome(of: response, at: now)
        }
    }
}
