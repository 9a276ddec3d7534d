import Codecs

/// Signatures of Standard Webhooks: HMAC-SHA256 over `id.timestamp.body`.
package enum WebhookSignature {
    private static let version = "v1,"
    /// The prefix of the id of a message.
    package static let idPrefix = "msg_"

    /// Returns the message id of a delivery, for `webhook-id`.
    package static func messageID(_ delivery: Int64) -> String { "\(idPrefix)\(delivery)" }

    /// The largest difference between a timestamp and the receiver's clock, in seconds.
    package static let tolerance: Int64 = 300
    /// The most signatures in one header that are checked.
    private static let maximumCount = 16

    /// The reason why a message cannot be verified.
    package enum VerificationError: Error, Equatable {
        case unreadableTimestamp
        case tooOld
        case fromTheFuture
        case noMatch
    }

    /// Returns the value of `webhook-signature`: one signature for each key, the newest first. `timestamp` is
    /// in seconds since 1970.
    package static func header(
        id: String, timestamp: Int64, body: [UInt8], secrets: [WebhookSecret]
    ) -> String {
        let content = content(id: id, timestamp: "\(timestamp)", body: body)
        return secrets.map { version + Base64.encode(Digest.hmacSHA256(content, key: $0.bytes)) }
            .joined(separator: " ")
    }

    /// Verifies a message. Throws if no signature in the header is right, or if the timestamp differs from
    /// `now` by more than `tolerance`. `now` is in seconds since 1970; nil accepts any time.
    package static func verify(
        _ header: String, id: String, timestamp: String, body: [UInt8], secret: WebhookSecret, at now: Int64?
    ) throws(VerificationError) {
        guard let sent = Int64(timestamp), sent >= 0 else { throw .unreadableTimestamp }
        if let now {
            let (age, isOverflow) = now.subtractingReportingOverflow(sent)
            if isOverflow || age < -tolerance { throw .fromTheFuture }
            if age > tolerance { throw .tooOld }
        }
        let expected = Digest.hmacSHA256(
            content(id: id, timestamp: timestamp, body: body), key: secret.bytes)
        let candidates = header.split(separator: " ", maxSplits: maximumCount).prefix(maximumCount)
        for candidate in candidates where candidate.hasPrefix(version) {
            guard let signature = Base64.decode(candidate.dropFirst(version.count)) else { continue }
            if Digest.areEqual(signature, expected) { return }
        }
        throw .noMatch
    }

    private static func content(id: String, timestamp: String, body: [UInt8]) -> [UInt8] {
        Array("\(id).\(timestamp).".utf8) + body
    }
}
