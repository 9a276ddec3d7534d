package import Contract
package import Outbox
package import Settings
package import Tracing

/// Sends each message by the channel of its endpoint, and counts the outcomes.
package struct ChannelSink: Sink {
    package let webhooks: WebhookSink
    /// The verifier of webhooks and push services; nil if they need not be verified.
    package let verifier: WebhookVerifier?
    /// The push services that count as verified, whenever and by whichever release an endpoint was stored.
    package let pushServices: PushServices
    /// The sink for Apple's devices; nil if the operator has given no key.
    package let apns: APNsSink?
    package let webPush: WebPushSink
    package let metrics: EndpointMetrics
    /// The tracer of deliveries; nil if nothing is traced.
    package let tracer: Tracer?
    package let now: CurrentTime

    package init(
        webhooks: WebhookSink, verifier: WebhookVerifier?, pushServices: PushServices, apns: APNsSink?,
        webPush: WebPushSink, metrics: EndpointMetrics, tracer: Tracer? = nil, now: @escaping CurrentTime
    ) {
        self.webhooks = webhooks
        self.verifier = verifier
        self.pushServices = pushServices
        self.apns = apns
        self.webPush = webPush
        self.metrics = metrics
        self.tracer = tracer
        self.now = now
    }

    package func deliver(_ delivery: Delivery<DeliveryMessage>) async -> Outcome {
        let attributes: Span.Attributes = [
            (name: "letsswitch.channel", value: .text(delivery.message.kind.rawValue)),
            (name: "server.address", value: .text(delivery.host)),
            (name: "letsswitch.attempt", value: .number(Int64(delivery.attempts))),
        ]
        guard let span = tracer?.beginHere("delivery", .client, attributes) else {
            return await attempt(delivery)
        }
        let outcome = await Span.$current.withValue(span) { await attempt(delivery) }
        if case .delivered = outcome {
            span.end()
        } else {
            span.end(fault: EndpointMetrics.name(of: outcome))
        }
        return outcome
    }

    private func attempt(_ delivery: Delivery<DeliveryMessage>) async -> Outcome {
        let message = delivery.message
        let begun = webhooks.uptime()
        let outcome: Outcome =
            switch message.target {
            case .webhook(let url, let secrets, let isVerified):
                if !isVerified, let verifier,
                    let refusal = await verifier.verify(delivery.endpoint, at: url, secrets: secrets)
                {
                    refusal
                } else {
                    // The duration of a challenge counts towards the time of the message that follows.
                    await webhooks.deliver(
                        message.content, id: delivery.id, to: url, secrets: secrets,
                        longest: WebhookSink.longest - (webhooks.uptime() - begun))
                }
            case .apns(let device, let environment):
                await apns?.deliver(
                    message.content, to: device, environment, expiresAt: delivery.expiresAt,
                    registeredAt: delivery.registeredAt, in: message.language)
                    ?? .refused(Text(.apnsOff))
            case .webpush(let url, let publicKey, let auth, let isVerified):
                if !isVerified, let verifier, !pushServices.contain(url) {
                    await probe(url, for: delivery, verifier)
                } else {
                    await webPush.deliver(
                        message.content, to: url, publicKey: publicKey, auth: auth,
                        expiresAt: delivery.expiresAt, in: message.language)
                }
            case .disabled(let reason): .gone(reason)
            }
        metrics.count(message.kind, outcome, lateness: now().since(message.content.writtenAt))
        return outcome
    }

    /// Sends a push without a payload to a push service that has not accepted one yet: for the test that was
    /// written with the endpoint, and for tests that its owner asks for. Notifications are refused, and are
    /// not sent later: the list of notifications has them.
    private func probe(
        _ url: String, for delivery: Delivery<DeliveryMessage>, _ verifier: WebhookVerifier
    ) async -> Outcome {
        guard case .test = delivery.message.content else {
            return .refused(Text(.pushUnproven))
        }
        let outcome = await webPush.probe(url)
        guard case .delivered = outcome else { return outcome }
        do {
            try await verifier.store(delivery.endpoint)
            return outcome
        } catch {
            return .failed(.unsent(Text(.pushNotStored)))
        }
    }
}
