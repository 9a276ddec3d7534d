import Testing

@testable import Crypto

@Suite struct WebhookSignatureTests {
    private let secret = try? WebhookSecret("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw")
    private let body = Array(#"{"test": 2432232314}"#.utf8)
    private let id = "msg_p5jXN8AQM9LWM0D4loKWxJek"
    private let sent: Int64 = 1_614_265_330

    @Test("the example of the specification comes out to the letter")
    func example() throws {
        let secret = try #require(secret)
        let header = WebhookSignature.header(id: id, timestamp: sent, body: body, secrets: [secret])
        #expect(header == "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=")
    }

    @Test("while a secret is being rotated, each of the two verifies")
    func rotation() throws {
        let secrets = [WebhookSecret.make(), WebhookSecret.make()]
        let header = WebhookSignature.header(id: id, timestamp: sent, body: body, secrets: secrets)
        for secret in secrets {
            try WebhookSignature.verify(
                header, id: id, timestamp: "\(sent)", body: body, secret: secret, at: sent)
        }
        #expect(throws: WebhookSignature.VerificationError.noMatch) {
            try WebhookSignature.verify(
                header, id: id, timestamp: "\(sent)", body: body, secret: .make(), at: sent)
        }
    }

    @Test("what was changed on the way does not verify")
    func changed() throws {
        let secret = try #require(secret)
        let header = WebhookSignature.header(id: id, timestamp: sent, body: body, secrets: [secret])
        #expect(throws: WebhookSignature.VerificationError.noMatch) {
            try WebhookSignature.verify(
                header, id: id, timestamp: "\(sent)", body: body + [32], secret: secret, at: sent)
        }
        #expect(throws: WebhookSignature.VerificationError.noMatch) {
            try WebhookSignature.verify(
                header, id: id, timestamp: "\(sent + 1)", body: body, secret: secret, at: sent)
        }
        #expect(throws: WebhookSignature.VerificationError.noMatch) {
            try WebhookSignature.verify(
                header, id: "msg_other", timestamp: "\(sent)", body: body, secret: secret, at: sent)
        }
    }

    @Test(
        "only messages of these five minutes count",
        arguments: [(300, nil), (301, .tooOld), (-300, nil), (-301, .fromTheFuture)]
            as [(Int64, WebhookSignature.VerificationError?)])
    func age(seconds: Int64, refusal: WebhookSignature.VerificationError?) throws {
        let secret = try #require(secret)
        let header = WebhookSignature.header(id: id, timestamp: sent, body: body, secrets: [secret])
        var thrown: WebhookSignature.VerificationError?
        do throws(WebhookSignature.VerificationError) {
            try WebhookSignature.verify(
                header, id: id, timestamp: "\(sent)", body: body, secret: secret, at: sent + seconds)
        } catch {
            thrown = error
        }
        #expect(thrown == refusal)
        try WebhookSignature.verify(
            header, id: id, timestamp: "\(sent)", body: body, secret: secret, at: nil)
    }

    @Test(
        "a header or a time that makes no sense is refused",
        arguments: ["", "v1,", "v2,AAAA", "v1,***", String(repeating: "v1,AAAA ", count: 1000)])
    func senseless(header: String) throws {
        let secret = try #require(secret)
        #expect(throws: WebhookSignature.VerificationError.noMatch) {
            try WebhookSignature.verify(
                header, id: id, timestamp: "\(sent)", body: body, secret: secret, at: sent)
        }
        for timestamp in ["", "soon", "-1", "99999999999999999999"] {
            #expect(throws: WebhookSignature.VerificationError.unreadableTimestamp) {
                try WebhookSignature.verify(
                    header, id: id, timestamp: timestamp, body: body, secret: secret, at: sent)
            }
        }
        #expect(throws: WebhookSignature.VerificationError.fromTheFuture) {
            try WebhookSignature.verify(
                header, id: id, timestamp: "\(Int64.max)", body: body, secret: secret, at: -2)
        }
    }

    @Test("a secret survives being written and read, with and without its prefix")
    func secretText() throws {
        let secret = WebhookSecret.make()
        #expect(try WebhookSecret(secret.text) == secret)
        #expect(try WebhookSecret(String(secret.text.dropFirst(6))) == secret)
        #expect(throws: CryptoError.notBase64("a webhook's secret")) { try WebhookSecret("whsec_???") }
        #expect(throws: CryptoError.self) { try WebhookSecret("whsec_AAAA") }
    }
}
