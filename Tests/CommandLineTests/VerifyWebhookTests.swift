import ClientTesting
import Contract
import Crypto
import Glibc
import Reactor
import Testing

@testable import letsswitch

@Suite("webhook verify")
struct VerifyWebhookTests {
    private static let body = #"{"type":"room.opened","data":{}}"#
    private static let secret = try? WebhookSecret("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw")
    private static let variable = "LETSSWITCH_WEBHOOK_SECRET=whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"

    private static func signature(_ sent: Int64) throws -> String {
        let secret = try #require(secret)
        return WebhookSignature.header(
            id: "msg_1", timestamp: sent, body: Array(body.utf8), secrets: [.make(), secret])
    }

    private static func request(_ sent: Int64) throws -> String {
        """
        POST /hook?x=http://y HTTP/1.1\r\nHost: example.org\r\nWebhook-Id: msg_1\r
        webhook-timestamp:\(sent)\r\nwebhook-signature: \(try signature(sent)) \r\n\r\n\(body)
        """
    }

    private static func run(
        _ arguments: [String], _ input: String, environment: [String] = [variable]
    ) async throws -> CommandProcess.Outcome {
        let process = CommandProcess()
        return try await process.run(
            ["webhook", "verify"] + arguments, server: "http://127.0.0.1:1", input: input,
            environment: environment)
    }

    @Test("believes a whole request, and a body with what its header said")
    func right() async throws {
        let now = WallClock.now.seconds
        let whole = try await Self.run([], try Self.request(now))
        #expect(whole.status == 0, "\(whole.errors)")
        #expect(whole.output.hasPrefix("The signature is right: room.opened, msg_1, sent "))
        let options = [
            "--id", "msg_1", "--timestamp", "\(now)", "--signature", try Self.signature(now), "--json",
        ]
        let body = try await Self.run(options, Self.body)
        let sentAt = Timestamp(seconds: now)
        #expect(
            body.output
                == #"{"id":"msg_1","sentAt":"\#(sentAt)","type":"room.opened","verified":true}"# + "\n")
    }

    @Test("does not believe what was changed by a byte, and says so")
    func changed() async throws {
        let request = try Self.request(WallClock.now.seconds)
        let outcome = try await Self.run([], String(request.dropLast()) + "]")
        #expect((outcome.status, outcome.output) == (1, ""))
        #expect(outcome.errors.hasPrefix("letsswitch: The signature is wrong. "))
        let padded = try await Self.run([], request + "\n")
        #expect(padded.status == 1)
        #expect(padded.errors.contains("without the line break"))
    }

    @Test(
        "believes five minutes and no more, unless any age will do",
        arguments: [(300, nil), (301, "any-age"), (-300, nil), (-301, "clock")] as [(Int64, String?)])
    func age(seconds: Int64, reason: String?) throws {
        let secret = try #require(Self.secret)
        let webhook = ReceivedWebhook(
            id: "msg_1", timestamp: "\(Sample.start.seconds)",
            signature: try Self.signature(Sample.start.seconds), body: Array(Self.body.utf8))
        let now = Sample.start.adding(.seconds(seconds))
        let sentAt = try VerifyWebhookCommand.check(webhook, secret, at: now, ofAnyAge: true)
        #expect(sentAt == Sample.start)
        var detail: String?
        do throws(Failure) {
            _ = try VerifyWebhookCommand.check(webhook, secret, at: now, ofAnyAge: false)
        } catch {
            #expect(error.code == .other)
            detail = error.detail
        }
        #expect((detail == nil) == (reason == nil))
        #expect(detail?.contains(reason ?? "") ?? true, "\(detail ?? "")")
    }

    @Test("reads the secret from a file that others cannot read")
    func file() async throws {
        let process = try CommandProcess.signedIn()
        let file = open(process.tokenPath, O_WRONLY | O_TRUNC)
        let text = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw\n"
        #expect(write(file, text, text.utf8.count) == text.utf8.count)
        close(file)
        let arguments = ["webhook", "verify", "--secret-file", process.tokenPath]
        let request = try Self.request(WallClock.now.seconds)
        let right = try await process.run(arguments, server: "http://127.0.0.1:1", input: request)
        #expect(right.status == 0, "\(right.errors)")
        chmod(process.tokenPath, 0o644)
        let open = try await process.run(arguments, server: "http://127.0.0.1:1", input: request)
        #expect(open.status == 2)
        #expect(open.errors.contains("chmod 600"))
    }

    @Test(
        "says what is missing, and tells nothing of a secret",
        arguments: [
            ([], "GET / HTTP/1.1\r\n\r\n", variable, "no webhook-id"), ([], "", variable, "no empty line"),
            ([], "webhook-id: 1\nWEBHOOK-ID: 2\n\n", variable, "more than one webhook-id"),
            (["--id", "1"], "", variable, "--timestamp is missing"),
            ([], "", "TZ=UTC", "--secret-file"),
            ([], "", "LETSSWITCH_WEBHOOK_SECRET=hunter2", "base64"),
            (["--secret-file", "/nonexistent"], "", variable, "cannot be read"),
        ] as [([String], String, String, String)])
    func senseless(arguments: [String], input: String, variable: String, hint: String) async throws {
        let outcome = try await Self.run(arguments, input, environment: [variable])
        #expect(outcome.status == 2)
        #expect(outcome.errors.contains(hint), "\(outcome.errors)")
        #expect(!outcome.errors.contains("hunter2"))
    }

    @Test("takes lines that end in LF alone, and any bytes without a trap")
    func reading() throws {
        let text = "webhook-id: a\nwebhook-timestamp: 1\nwebhook-signature: v1,x\n\n\r\n{}\n"
        let read = try ReceivedWebhook(request: Array(text.utf8))
        #expect(
            read
                == ReceivedWebhook(
                    id: "a", timestamp: "1", signature: "v1,x", body: Array("\r\n{}\n".utf8)))
        for end in 0..<text.utf8.count - 5 {
            #expect(throws: Failure.self) { try ReceivedWebhook(request: Array(text.utf8.prefix(end))) }
        }
        let odd: [UInt8] = [0xFF, 0x3A, 0x0A, 0x3A, 0x0D, 0x0A, 0x0A]
        #expect(throws: Failure.self) { try ReceivedWebhook(request: odd) }
    }
}
