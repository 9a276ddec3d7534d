import HTTP1
import Testing

@testable import Client

@Suite("The pace of calls")
struct RequestPaceTests {
    private static func fields(_ limit: String, policy: String = "\"account\";q=60;w=3") -> HTTPHeaders {
        ["RateLimit": limit, "RateLimit-Policy": policy]
    }

    private static func wait(after fields: HTTPHeaders) -> Duration {
        let pace = RequestPace()
        pace.note(fields, now: 1_000)
        return pace.wait(now: 1_000)
    }

    @Test("is that of the limit, once nothing is left of it")
    func usedUp() {
        let pace = RequestPace()
        #expect(pace.wait(now: 0) == .zero)
        pace.note(Self.fields("\"account\";r=1;t=3"), now: 0)
        #expect(pace.wait(now: 0) == .zero)
        pace.note(Self.fields("\"account\";r=0;t=3"), now: 0)
        #expect(pace.wait(now: 0) == .milliseconds(50))
        #expect(pace.wait(now: 20_000_000) == .milliseconds(30))
        #expect(pace.wait(now: 50_000_000) == .zero)
        // An answer that overtakes another one does not shorten its wait.
        pace.note(Self.fields("\"account\";r=5;t=3"), now: 10_000_000)
        #expect(pace.wait(now: 20_000_000) == .milliseconds(30))
    }

    @Test(
        "does not come from fields that say nothing, or more than a second",
        arguments: [
            (["RateLimit": "\"account\";r=0;t=3"], .zero), ([:], .zero),
            (fields(""), .zero), (fields(",,"), .zero), (fields("\"account\";r=-1"), .zero),
            (fields("\"account\";r=0", policy: "\"account\";q=0;w=3"), .zero),
            (fields("\"account\";r=0", policy: "\"account\";q=1;w=9223372036854775807"), .seconds(1)),
            (
                fields("\"account\"; r=0; t=3", policy: "\"account\"; q=10; w=1, \"x\";q=1;w=9"),
                .milliseconds(100)
            ),
        ] as [(HTTPHeaders, Duration)])
    func odd(fields: HTTPHeaders, expected: Duration) {
        #expect(Self.wait(after: fields) == expected)
    }
}
