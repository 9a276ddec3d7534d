package import Contract
package import OutboundHTTP
package import Outbox

/// An answer of Apple's push service, and the reason that it gives.
package struct APNsAnswer: Sendable {
    /// A part of this server's configuration that refusals point to. The raw value is the warning.
    enum Fault: String, CaseIterable {
        case key = "Apple's push service refuses the key"
        case topic = "Apple's push service refuses the topic; check APNS_TOPIC"
        /// The service refuses a device and has accepted no other: the topic may be another app's, or the
        /// devices of another environment.
        case devices = "Apple's push service refuses a device and accepted none today; check APNS_TOPIC"
    }

    private let status: Int
    private let reason: String
    private let retryAfter: Duration?
    /// The last instant at which the service knew that the device was gone (`timestamp` of a 410).
    private let goneAt: Timestamp?

    package init(_ response: OutboundResponse, at now: Timestamp) {
        status = response.status
        let body = try? JSONValue.parse(response.body)
        reason = body?["reason"]?.string ?? ""
        goneAt = body?["timestamp"]?.int.flatMap { Self.instant($0) }
        retryAfter = RetryAfterField.read(response.header("retry-after"), at: now)
    }

    /// Returns the instant of a time in milliseconds since 1970; nil for one that no clock shows.
    private static func instant(_ milliseconds: Int64) -> Timestamp? {
        let (microseconds, overflows) = milliseconds.multipliedReportingOverflow(by: 1_000)
        return overflows ? nil : Timestamp(microseconds: microseconds)
    }

    var isExpiredToken: Bool { reason == "ExpiredProviderToken" }

    /// The status and the reason, for people.
    var detail: Text { reason.isEmpty ? "\(status)" : "\(status): \(reason)" }

    /// Whether the service says that it does not know the device, or not for the topic.
    private var refusesDevice: Bool {
        status == 400 && (reason == "BadDeviceToken" || reason == "DeviceTokenNotForTopic")
    }

    private func isBefore(_ registeredAt: Timestamp?) -> Bool {
        guard let goneAt, let registeredAt else { return false }
        return goneAt < registeredAt
    }

    /// The outcome if the fault is this server's token, key or topic, or the service's, and not the device's.
    private var spared: Outcome {
        Outcome.failed(Outcome.Failure(detail, retryAfter: retryAfter, isHostFault: false)).sparingEndpoint
    }

    private var refusesTopic: Bool {
        status == 400 && ["BadTopic", "MissingTopic", "TopicDisallowed"].contains(reason)
    }

    /// Returns the fault of the configuration that the answer shows. `hasAccepted`: whether the service has
    /// accepted a push to some device lately.
    func fault(hasAccepted: Bool) -> Fault? {
        if status == 403 { return .key }
        if refusesTopic { return .topic }
        return refusesDevice && !hasAccepted ? .devices : nil
    }

    /// Returns the outcome of the attempt. As long as the configuration may be at fault, deliveries are kept
    /// and no device is disabled. `registeredAt`: the instant at which the device was registered for the last
    /// time; an end before it is over.
    package func outcome(hasAccepted: Bool, registeredAt: Timestamp? = nil) -> Outcome {
        switch (status, reason) {
        case (200, _): return .delivered(detail)
        case (410, _) where isBefore(registeredAt):
            return .failed(Outcome.Failure(detail, isHostFault: false))
        case (410, _): return .gone(detail)
        case _ where refusesDevice && hasAccepted: return .gone(detail)
        case _ where refusesDevice || refusesTopic: return spared
        case (403, _), (429, "TooManyProviderTokenUpdates"), (500..., _): return spared
        case (429, _): return .failed(Outcome.Failure(detail, retryAfter: retryAfter, isHostFault: false))
        // Apple's push service gives a reason with each refusal. Other answers come from something between.
        case (400..<500, let reason) where !reason.isEmpty: return .refused(detail)
        default: return spared
        }
    }
}
