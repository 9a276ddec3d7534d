import Codecs
package import Contract
package import Crypto
package import OutboundHTTP
package import Outbox

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

    package init(
        session: HTTPSession, addresses: AddressBook, vapid: VAPID, page: String? = nil,
        now: @escaping CurrentTime,
        uptime: @escaping @Sendable () -> Duration = { WallOutboxClock.uptime }
    ) {
        self.session = session
        self.addresses = addresses
        self.vapid = vapid
        self.page = page
        self.now = now
        self.uptime = uptime
    }

    /// Delivers a message to a browser. `expiresAt`: the instant at which it expires; nil: never.
    package func deliver(
        _ content: DeliveryMessage.Content, to text: String, publicKey: [UInt8], auth: [UInt8],
        expiresAt: Timestamp?, in language: Language
    ) async -> Outcome {
        guard let url = try? WebURL(text) else { return .refused("the endpoint has no URL") }
        let begun = uptime()
        let pin: OutboundRequest.Pin?
        do throws(AddressBook.Failure) {
            pin = try await addresses.pin(for: url)
        } catch {
            return Outcome.failed(Outcome.Failure(error.description, isHostFault: true)).sparingEndpoint
        }
        let sentAt = now()
        if let expiresAt, expiresAt <= sentAt {
            return .failed(.unsent("it came too late to be of use"))
        }
        let body: [UInt8]
        let authorization: String
        do {
            let payload = PushPayload(content, isForApple: false, at: sentAt, in: language, page: page)
            body = try PushEncryption(publicKey: publicKey, auth: auth).encrypt(try JSON.encode(payload))
            authorization = try vapid.authorization(audience: url.origin, at: sentAt.seconds)
        } catch {
            return .refused("\(error)")
        }
        let lifetime = expiresAt?.since(sentAt) ?? Self.usual
        let headers = [
            (name: "authorization", value: authorization),
            (name: "ttl", value: "\(max(0, lifetime.components.seconds))"),
            (name: "urgency", value: "high"), (name: "topic", value: Self.topic(content.subject)),
            (name: "content-encoding", value: "aes128gcm"),
            (name: "content-type", value: "application/octet-stream"),
        ]
        do throws(OutboundError) {
            var request = OutboundRequest(url: text, headers: headers, body: body, pin: pin)
            request.timeout = try WebhookSink.timeLeft(after: uptime() - begun)
            let response = try await session.perform(request)
            return Self.outcome(of: response, at: now())
        } catch {
            if error.isNoConnection { await addresses.distrust(url.host) }
            return WebhookSink.outcome(of: error).sparingEndpoint
        }
    }

    /// Returns a topic (RFC 8030 §5.4): at most 32 characters of base64url. A later push with the same topic
    /// replaces an earlier one.
    private static func topic(_ id: Identifier) -> String {
        Base64URL.encode((0..<16).map { UInt8(truncatingIfNeeded: id.value >> UInt128(120 - 8 * $0)) })
    }

    package static func outcome(of response: OutboundResponse, at now: Timestamp) -> Outcome {
        switch response.status {
        case 404, 410: .gone("\(response.status): the browser is gone")
        case 413: .refused("413: the message is too long for the push service")
        case 500...: WebhookSink.outcome(of: response, at: now).sparingEndpoint
        default: WebhookSink.outcome(of: response, at: now)
        }
    }
}
