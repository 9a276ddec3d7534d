import Contract
import Crypto
import Reactor

enum VerifyWebhookCommand {
    static let secretVariable = "LETSSWITCH_WEBHOOK_SECRET"

    @Sendable static func run(_ invocation: Invocation) async throws {
        let (arguments, console) = (invocation.arguments, invocation.console)
        let secret = try secret(arguments)
        let webhook = try await read(arguments, on: invocation.loop)
        let sentAt = try check(
            webhook, secret, at: WallClock.now, ofAnyAge: arguments.has("any-age"))
        let type = (try? JSONValue.parse(webhook.body))?["type"]?.string
        console.json(
            .present([
                "id": .string(webhook.id), "sentAt": .time(sentAt), "type": type.map { .string($0) },
                "verified": true,
            ]))
        let what = SafeText.escape([type, webhook.id].compactMap(\.self).joined(separator: ", "))
        console.line(local("The signature is right: \(what), sent \(LocalClock.dateAndTime(sentAt))."))
    }

    /// Returns the instant at which the webhook was sent. Throws the reason why it is not to be trusted.
    static func check(
        _ webhook: ReceivedWebhook, _ secret: WebhookSecret, at now: Timestamp, ofAnyAge: Bool
    ) throws(Failure) -> Timestamp {
        let sentAt = Timestamp(seconds: Int64(webhook.timestamp) ?? 0)
        do throws(WebhookSignature.VerificationError) {
            // The signature is checked first: without it, the time means nothing.
            for instant in ofAnyAge ? [nil] : [nil, now.seconds] {
                try WebhookSignature.verify(
                    webhook.signature, id: webhook.id, timestamp: webhook.timestamp, body: webhook.body,
                    secret: secret, at: instant)
            }
            return sentAt
        } catch {
            let sent = LocalClock.dateAndTime(sentAt)
            switch error {
            case .noMatch:
                throw Failure(.other, "The signature is wrong", mismatch(webhook, secret))
            case .unreadableTimestamp:
                throw Failure(.other, "The time is wrong", "webhook-timestamp is no number of seconds.")
            case .tooOld:
                throw Failure(
                    .other, "It is too old",
                    "The signature is right, but it was sent \(sent), more than five minutes ago: it can "
                        + "be a replay. --any-age looks at the signature alone.")
            case .fromTheFuture:
                throw Failure(
                    .other, "It is from the future",
                    "The signature is right, but it was sent \(sent), which is more than five minutes ahead "
                        + "of this machine's clock. --any-age looks at the signature alone.")
            }
        }
    }

    private static func mismatch(_ webhook: ReceivedWebhook, _ secret: WebhookSecret) -> Text {
        // Editors and shells often end a file with a line break.
        var body = webhook.body
        if body.last == UInt8(ascii: "\n") { body.removeLast() }
        if body.last == UInt8(ascii: "\r") { body.removeLast() }
        let isRight: Void? = try? WebhookSignature.verify(
            webhook.signature, id: webhook.id, timestamp: webhook.timestamp, body: body, secret: secret,
            at: nil)
        if isRight != nil {
            return "The signature is wrong, and right without the line break at the end: something has added "
                + "that to the body."
        }
        return
            "The signature is wrong. Either the body, the id or the time is not what was sent, to the byte, "
            + "or the secret is another one."
    }

    private static func read(
        _ arguments: ParsedArguments, on loop: EventLoop
    ) async throws(Failure) -> ReceivedWebhook {
        let names = ["id", "timestamp", "signature"]
        let missing = names.filter { arguments.value($0) == nil }
        guard missing.isEmpty || missing.count == names.count else {
            throw .usage("--\(missing[0]) is missing: --id, --timestamp and --signature go together.")
        }
        let input = await StandardInput.readAll(on: loop, limit: ReceivedWebhook.limit + 1)
        guard input.count <= ReceivedWebhook.limit else {
            throw .usage("There is more than 1 MiB on standard input, which no delivery is.")
        }
        guard missing.isEmpty else { return try ReceivedWebhook(request: input) }
        return ReceivedWebhook(
            id: arguments.value("id") ?? "", timestamp: arguments.value("timestamp") ?? "",
            signature: arguments.value("signature") ?? "", body: input)
    }

    private static func secret(_ arguments: ParsedArguments) throws(Failure) -> WebhookSecret {
        let text: String
        if let file = arguments.value("secret-file") {
            text = try SecretFile.webhookSecret.read(file)
        } else if let variable = Environment[secretVariable], !variable.isEmpty {
            text = variable
        } else {
            throw .usage("The secret is missing: --secret-file F, or \(secretVariable) in the environment.")
        }
        do {
            return try WebhookSecret(text)
        } catch {
            throw .usage("The secret cannot be used: \(error). It begins with whsec_.")
        }
    }
}
