import Codecs
package import Contract
import Crypto
import OutboundHTTP
import Outbox

/// Asks the receiver of a webhook whether it wants notifications: it has to echo a signed challenge. Until
/// then nothing else is sent to it, so the service cannot be aimed at a third party.
package struct WebhookVerifier: Sendable {
    /// The longest duration of the challenge; the message that follows has the rest of the attempt's time.
    private static let longest = Duration.seconds(8)

    package let sink: WebhookSink
    /// Stores that the endpoint's receiver has echoed the challenge, or its push service accepted a push.
    let store: @Sendable (Identifier) async throws -> Void

    package init(sink: WebhookSink, store: @escaping @Sendable (Identifier) async throws -> Void) {
        self.sink = sink
        self.store = store
    }

    /// Sends a challenge. Returns nil if the receiver has echoed it, and that is stored; else the outcome of
    /// the attempt.
    func verify(_ endpoint: Identifier, at url: String, secrets: [WebhookSecret]) async -> Outcome? {
        var random = SystemRandomNumberGenerator()
        let challenge = Base64URL.encode((0..<24).map { _ in random.next() })
        let data = ["challenge": challenge, "endpointId": "\(endpoint)"]
        let message = WebhookBody(
            type: DeliveryMessage.challengeType, timestamp: sink.now(), data: data)
        guard let body = try? JSON.encode(message) else { return .refused(Text(.challengeNotWritable)) }
        // The challenge has an id of its own: a receiver that drops repeated ids would else drop the message
        // that follows.
        let id = "chl_\(Identifier.v4(using: &random))"
        do throws(AttemptFailure) {
            let response = try await sink.send(
                body, as: id, to: url, secrets: secrets, longest: Self.longest)
            let outcome = WebhookSink.outcome(of: response, at: sink.now())
            guard case .delivered(let status) = outcome else { return outcome }
            guard Self.isEcho(response.body, of: challenge) else {
                return .failed(Outcome.Failure(Text(.notEchoed, status), isHostFault: false))
            }
        } catch {
            return error.outcome
        }
        do {
            try await store(endpoint)
            return nil
        } catch {
            return .failed(.unsent(Text(.echoNotStored)))
        }
    }

    /// Whether the body is the challenge alone, or an object that has it as the member `challenge`.
    static func isEcho(_ body: [UInt8], of challenge: String) -> Bool {
        let text = String(decoding: body, as: UTF8.self)
        if text.split(whereSeparator: \.isWhitespace) == [challenge[...]] { return true }
        return (try? JSONValue.parse(body))?["challenge"]?.string == challenge
    }
}
