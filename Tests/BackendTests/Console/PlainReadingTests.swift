import HTTP1
import HTTPServer
import Testing

@testable import Console

@Suite("The answers of the admin API as HTML")
struct PlainReadingTests {
    private static let json = #"""
        {"people":[{"id":"0190b6f0-7e1a-7cc3-98c4-dc0c0c07398f","name":"<img src=x onerror=\"ran=1\">",
        "isSuspended":false,"until":null}],"nextCursor":"a&b\"c"}
        """#

    private static func with(
        _ status: Int = 200, _ json: String = json, _ body: (PageServer) async throws -> Void
    ) async throws {
        var router = Router()
        router.on(
            .get, "/admin/v1/people",
            PlainReading.offered(.task { _ in DeskCall.json(json, status: status) }))
        try await PageServer.with(router, isUncounted: { _ in false }, body)
    }

    private static func text(_ answer: RawHTTP.Response) -> String {
        String(decoding: answer.body, as: UTF8.self)
    }

    @Test("are JSON for programs, whatever they take")
    func programs() async throws {
        try await Self.with { server in
            for fields in [[], ["Accept: */*"], ["Accept: application/json"]] {
                let answer = try await server.send("GET", "/admin/v1/people", fields)
                #expect(Self.text(answer) == Self.json)
                #expect(answer.headers["content-type"] == "application/json")
            }
        }
    }

    @Test("have tables, links onward, and no markup of others")
    func html() async throws {
        try await Self.with { server in
            let answer = try await server.send("GET", "/admin/v1/people?query=a%26b", PageServer.html)
            let text = Self.text(answer)
            #expect(answer.status == 200 && answer.headers["content-type"] == "text/html; charset=utf-8")
            #expect(answer.headers["content-security-policy"]?.hasPrefix("default-src 'none'") == true)
            #expect(answer.headers["cache-control"] == "no-store")
            #expect(text.contains("&lt;img src=x onerror=&quot;ran=1&quot;&gt;") && !text.contains("<img"))
            #expect(text.contains(#"href="/admin/v1/people/0190b6f0-7e1a-7cc3-98c4-dc0c0c07398f""#))
            #expect(text.contains(#"href="/admin/v1/people?query=a%26b&amp;cursor=a%26b%22c""#))
            #expect(text.contains(">no<") && text.contains(">–<"))
        }
    }

    @Test("are a form where nobody is signed in, which leads back")
    func form() async throws {
        let problem = #"{"type":"/problems/unauthenticated","status":401,"detail":"Sign in."}"#
        try await Self.with(401, problem) { server in
            let answer = try await server.send("GET", "/admin/v1/people?query=%22%3E", PageServer.html)
            let text = Self.text(answer)
            #expect(answer.status == 401)
            #expect(text.contains(#"<form method="post" action="/desk/sign-in">"#))
            #expect(text.contains(#"name="next" value="/admin/v1/people?query=%22%3E""#))
        }
    }

    @Test("escape a character that has a mark on it, too")
    func marks() {
        #expect(PlainReading.escaped("\"\u{301}<\u{301}&\u{20dd}") == "&quot;\u{301}&lt;\u{301}&amp;\u{20dd}")
    }

    @Test(
        "go on after a sign-in at an address of the API, and nowhere else",
        arguments: [
            ("/admin/v1/slots?cursor=1", "/admin/v1/slots?cursor=1"), ("//example.org/", nil),
            ("https://example.org/admin/v1/now", nil), ("/admin/v1", nil), ("", nil), (nil, nil),
            ("/admin/v1/now\r\nSet-Cookie: a=b", nil),
        ] as [(String?, String?)])
    func next(address: String?, expected: String?) {
        #expect(PlainReading.next(address) == expected ?? "/admin/v1/now")
    }
}
