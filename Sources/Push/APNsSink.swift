package import Contract
package import Crypto
import Logging
package import OutboundHTTP
package import Outbox
import Reactor
package import Settings

/// Delivers to apps on Apple's devices, by the provider API: HTTP/2, one connection, a token that is renewed.
package struct APNsSink: Sendable {
    /// The maximum size of a payload, in bytes, as Apple's push service accepts it.
    private static let longestPayload = 4_096
    /// The time for which Apple's push service keeps a message that never expires.
    private static let usual = Duration.seconds(24 * 3600)

    private let session: HTTPSession
    private let addresses: AddressBook
    private let tokens: ProviderTokens
    private let topic: String
    private let url: String?
    private let now: CurrentTime
    /// Called with a warning and the service's answer if this server's configuration may be at fault; once a
    /// minute at most for each fault.
    private let warn: @Sendable (String, String) -> Void
    private let history = APNsHistory()

    package init(
        _ configuration: APNsConfiguration, session: HTTPSession, addresses: AddressBook,
        now: @escaping CurrentTime,
        warn: @escaping @Sendable (String, String) -> Void = { warning, answer in
            Log.warning(warning, ["answer": answer])
        }
    ) throws(CryptoError) {
        self.session = session
        self.addresses = addresses
        tokens = try ProviderTokens(configuration)
        topic = configuration.topic
        url = configuration.url
        self.now = now
        self.warn = warn
    }

    /// Delivers a message to a device. `expiresAt`: the instant at which it expires; nil: never.
    /// `registeredAt`: the instant at which the device was registered for the last time.
    package func deliver(
        _ content: DeliveryMessage.Content, to device: String, _ environment: PushEnvironment,
        expiresAt: Timestamp?, registeredAt: Timestamp? = nil, in language: Language
    ) async -> Outcome {
        let body = PushPayload.json(
            of: content, isForApple: true, limit: Self.longestPayload, at: now(), in: language)
        if body.count > Self.longestPayload { return .refused(Text(.tooLongForApple)) }
        // A second attempt follows if only the token was too old.
        for isLast in [false, true] {
            if Self.isOver(expiresAt, at: now()) { return Self.isTooLate }
            let token: String
            do {
                token = try tokens.token(at: now())
            } catch {
                return .refused("\(error)")
            }
            let headers = headers(content, token: token, expiresAt: expiresAt)
            do throws(AttemptFailure) {
                let response = try await send(body, headers, to: device, environment, expiresAt: expiresAt)
                let answer = APNsAnswer(response, at: now())
                if answer.isExpiredToken, !isLast, tokens.expire(token, at: now()) { continue }
                return judge(answer, of: environment, registeredAt: registeredAt)
            } catch {
                return error.outcome.sparingEndpoint
            }
        }
        return .refused(Text(.tokenRefused))
    }

    /// The outcome of a message that is too late: it is settled as expired, without another attempt.
    private static let isTooLate = Outcome.failed(.unsent(Text(.tooLate)))

    private static func isOver(_ expiresAt: Timestamp?, at now: Timestamp) -> Bool {
        expiresAt.map { $0 <= now } ?? false
    }

    private func send(
        _ body: [UInt8], _ headers: [(name: String, value: String)], to device: String,
        _ environment: PushEnvironment, expiresAt: Timestamp?
    ) async throws(AttemptFailure) -> OutboundResponse {
        let base = url ?? Self.address(of: environment)
        guard let parsed = try? WebURL(base) else {
            throw AttemptFailure(outcome: .refused(Text(.noURL)))
        }
        do {
            var request = OutboundRequest(
                url: "\(base)/3/device/\(device)", headers: headers, body: body,
                pin: try await addresses.pin(for: parsed))
            // The wait for the first answer on a connection may be long.
            request.isStale = { [now] in Self.isOver(expiresAt, at: now()) }
            return try await session.perform(request)
        } catch OutboundError.cancelled {
            throw AttemptFailure(outcome: Self.isTooLate)
        } catch {
            throw await addresses.failure(error, at: parsed.host)
        }
    }

    private func headers(
        _ content: DeliveryMessage.Content, token: String, expiresAt: Timestamp?
    ) -> [(name: String, value: String)] {
        let expiration = expiresAt ?? now().adding(Self.usual)
        return [
            (name: "authorization", value: "bearer \(token)"), (name: "apns-topic", value: topic),
            (name: "apns-push-type", value: "alert"), (name: "apns-priority", value: "10"),
            (name: "apns-expiration", value: "\(expiration.seconds)"),
            (name: "apns-collapse-id", value: content.subject.description),
            (name: "content-type", value: "application/json"),
        ]
    }

    private func judge(
        _ answer: APNsAnswer, of environment: PushEnvironment, registeredAt: Timestamp?
    ) -> Outcome {
        let instant = now()
        let hasAccepted = history.hasAccepted(environment, at: instant)
        let outcome = answer.outcome(hasAccepted: hasAccepted, registeredAt: registeredAt)
        if case .delivered = outcome { history.accept(environment, at: instant) }
        if let fault = answer.fault(hasAccepted: hasAccepted), history.isDue(fault, at: instant) {
            warn(fault.rawValue, answer.detail.description)
        }
        return outcome
    }

    private static func address(of environment: PushEnvironment) -> String {
        switch environment {
        case .production: "https://api.push.apple.com"
        case .sandbox: "https://api.sandbox.push.apple.com"
        }
    }
}
