import Contract
import Outbox
import Testing

@testable import OutboundHTTP
@testable import Push

/// Tests of the field Retry-After: RFC 9110 §10.2.3.
@Suite struct RetryAfterFieldTests {
    /// The instant Sun, 06 Nov 1994 08:49:37 GMT.
    private static let now = Timestamp(seconds: 784_111_777)

    @Test(
        "seconds, or an instant",
        arguments: [
            ("0", 0), ("120", 120), ("Sun, 06 Nov 1994 08:50:37 GMT", 60),
            ("Sun, 06 Nov 1994 08:49:37 GMT", 0), ("Sun, 06 Nov 1994 07:00:00 GMT", 0),
            ("Sunday, 06-Nov-94 08:50:37 GMT", 60), ("Sun Nov  6 08:50:37 1994", 60),
            ("Sun Nov 06 08:50:37 1994", 60), ("Thursday, 06-Nov-80 08:50:37 GMT", 0),
            ("Friday, 06-Nov-43 08:49:37 GMT", 1_546_300_800), ("Saturday, 06-Nov-45 08:49:37 GMT", 0),
            ("99999999999999999999", 86_400 * 365),
        ] as [(String, Int64)])
    func understood(text: String, seconds: Int64) {
        #expect(RetryAfterField.read(text, at: Self.now) == .seconds(seconds))
    }

    @Test(
        "what makes no sense is no wait",
        arguments: [
            nil, "", "-1", "1.5", "soon", "Sun, 31 Feb 1994 08:49:37 GMT", "٣", "6 Nov 1994",
            "Sunday, 06-Nov-1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 CET", "Sun Now  6 08:49:37 1994",
        ])
    func nonsense(text: String?) {
        #expect(RetryAfterField.read(text, at: Self.now) == nil)
    }

    @Test("a webhook that asks for patience by an instant gets it", arguments: [429, 502, 503, 504])
    func webhook(status: Int) {
        let response = OutboundResponse(
            status: status, headers: [("retry-after", "Sun, 06 Nov 1994 09:49:37 GMT")], body: [])
        let failure = Outcome.Failure("\(status)", retryAfter: .seconds(3_600), isHostFault: false)
        #expect(WebhookSink.outcome(of: response, at: Self.now) == .failed(failure))
    }
}
