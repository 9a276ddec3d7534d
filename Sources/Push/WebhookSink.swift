package import Contract
package import Crypto
package import OutboundHTTP
package import Outbox
import Tracing

/// Delivers to programs by webhooks, as Standard Webhooks specifies.
package struct WebhookSink: Sendable {
    /// The longest duration of an attempt: the look-up of the name, the challenge if there is one, and the
    /// exchange.
    package static let longest = Duration.seconds(15)

    package let session: HTTPSession
    package let addresses: AddressBook
    package let now: CurrentTime
    var uptime: @Sendable () -> Duration = { WallOutboxClock.uptime }

    package init(
        session: HTTPSession, addresses: AddressBook, now: @escaping CurrentTime,
        uptime: @escaping @Sendable () -> Duration = { WallOutboxClock.uptime }
    ) {
        self.session = session
        self.addresses = addresses
        self.now = now
        self.uptime = uptime
    }

    /// Delivers a message. `id` is the delivery's, the same for all attempts.
    package func deliver(
        _ content: DeliveryMessage.Content, id: Int64, to text: String, secrets: [WebhookSecret],
        longest: Duration = longest
    ) async -> Outcome {
        guard let body = try? Self.body(of: content) else { return .refused(Text(.messageNotWritable)) }
        do throws(AttemptFailure) {
            let response = try await send(
                body, as: WebhookSignature.messageID(id), to: text, secrets: secrets, longest: longest)
            return Self.outcome(of: response, at: now())
        } catch {
            return error.outcome
        }
    }

    private static func body(of content: DeliveryMessage.Content) throws -> [UInt8] {
        func body(_ data: some Encodable) throws -> [UInt8] {
            try JSON.encode(WebhookBody(type: content.type, timestamp: content.writtenAt, data: data))
        }
        return switch content {
        case .notification(let notification): try body(notification.data)
        case .test(let endpoint, _), .farewell(let endpoint, _): try body(["endpointId": endpoint])
        }
    }

    /// Sends a signed message once.
    func send(
        _ body: [UInt8], as message: String, to text: String, secrets: [WebhookSecret],
        longest: Duration = longest
    ) async throws(AttemptFailure) -> OutboundResponse {
        guard let url = try? WebURL(text) else {
            throw AttemptFailure(outcome: .refused(Text(.messageNotWritable)))
        }
        let begun = uptime()
        do {
            let pin = try await addresses.pin(for: url)
            let sentAt = now()
            var headers = [
                (name: "content-type", value: "application/json"), (name: "webhook-id", value: message),
                (name: "webhook-timestamp", value: "\(sentAt.seconds)"),
                (
                    name: "webhook-signature",
                    value: WebhookSignature.header(
                        id: message, timestamp: sentAt.seconds, body: body, secrets: secrets)
                ),
            ]
            if let trace = Span.traceparent { headers.append((name: TraceContext.field, value: trace)) }
            var request = OutboundRequest(url: text, headers: headers, body: body, pin: pin)
            request.timeout = try Self.timeLeft(after: uptime() - begun, of: longest)
            return try await session.perform(request)
        } catch {
            throw await addresses.failure(error, at: url.host)
        }
    }

    static func timeLeft(
        after passed: Duration, of longest: Duration = longest
    ) throws(OutboundError) -> Duration {
        let left = longest - passed
        // The timeout is in whole milliseconds, and zero would mean none.
        guard left >= .milliseconds(1) else { throw .timedOut }
        return left
    }

    package static func outcome(of response: OutboundResponse, at now: Timestamp) -> Outcome {
        let retryAfter = RetryAfterField.read(response.header("retry-after"), at: now)
        switch response.status {
        case 200..<300: return .delivered("\(response.status)")
        case 300..<400:
            return .failed(
                Outcome.Failure(
                    Text(.redirected, "\(response.status)"), retryAfter: retryAfter,
                    isHostFault: false))
        case 410: return .gone(Text(.receiverGone))
        default:
            return .failed(
                Outcome.Failure("\(response.status)", retryAfter: retryAfter, isHostFault: false))
        }
    }

    package static func outcome(of error: OutboundError) -> Outcome {
        func failed(_ detail: Text, isHostFault: Bool = true) -> Outcome {
            .failed(Outcome.Failure(detail, isHostFault: isHostFault))
        }
        return switch error {
        case .unreachable(let reason): failed(Text(.notReached, Text(english: reason)))
        case .outOfDescriptors:
            .failed(.outOfDescriptors(Text(.notSent, "the server has no descriptor left")))
        case .timedOut: failed(Text(.noAnswer))
        case .untrusted(let reason): failed(Text(.tls, Text(english: reason)))
        case .tooLarge: failed(Text(.answerTooLarge), isHostFault: false)
        case .garbled: failed("the answer is not valid HTTP", isHostFault: false)
        case .senseless(let reason): .refused(Text(.notSent, Text(english: reason)))
        case .unproven: failed("the service has not answered the request before this one")
        case .cancelled: failed(Text(.givenUp))
        }
    }
}
