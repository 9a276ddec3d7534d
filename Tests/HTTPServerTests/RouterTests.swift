import Codecs
import HTTP1
import Testing

@testable import HTTPServer

@Suite("Routes")
struct RouterTests {
    private static let router: Router = {
        var router = Router()
        for (method, path) in [
            (HTTPMethod.get, "/"), (.get, "/a"), (.post, "/a"), (.get, "/a/{id}"), (.delete, "/a/{id}"),
            (.get, "/a/{id}/b/{name}"), (.options, "/own"),
        ] {
            router.on(method, path, .immediate { _ in HTTPResponse(status: 200) })
        }
        return router
    }()

    private func words(_ method: HTTPMethod, _ path: String) throws -> String {
        switch try Self.router.match(method, path) {
        case .found(_, _, let parameters, _): (["found"] + parameters).joined(separator: " ")
        case .notFound: "not found"
        case .methodNotAllowed(let allowed, _): allowed
        }
    }

    @Test(
        "a path is found with what its variable segments matched, decoded",
        arguments: [
            ("/", "found"), ("/a", "found"), ("/a/7", "found 7"), ("/a/7/b/c%20d", "found 7 c d"),
            ("/a/x%2Fy", "found x/y"), ("/%61/7", "found 7"), ("/a/", "not found"), ("//a", "not found"),
            ("/a//b/c", "not found"), ("/a/7/b", "not found"), ("/A", "not found"), ("", "not found"),
        ])
    func paths(path: String, expected: String) throws { #expect(try words(.get, path) == expected) }

    @Test("methods are told apart, and HEAD and OPTIONS come by themselves")
    func methods() throws {
        #expect(try words(.head, "/a") == "found")
        #expect(try words(.options, "/a") == "found")
        #expect(try words(.options, "/own") == "found")
        #expect(try words(.put, "/a") == "GET, POST, HEAD, OPTIONS")
        #expect(try words(.post, "/a/7") == "GET, DELETE, HEAD, OPTIONS")
        #expect(try words(.get, "/nothing") == "not found")
        #expect(Self.router.routes.count == 7)
    }

    @Test("what is not UTF-8 in a path is an error")
    func notText() { #expect(throws: PercentCoding.Failure.self) { try words(.get, "/a/%ff") } }

    @Test(
        "a date is written as RFC 9110 has it",
        arguments: [
            (0, "Thu, 01 Jan 1970 00:00:00 GMT"), (784_111_777, "Sun, 06 Nov 1994 08:49:37 GMT"),
            (951_782_400, "Tue, 29 Feb 2000 00:00:00 GMT"), (4_107_542_399, "Sun, 28 Feb 2100 23:59:59 GMT"),
            (4_107_542_400, "Mon, 01 Mar 2100 00:00:00 GMT"), (-5, "Thu, 01 Jan 1970 00:00:00 GMT"),
        ])
    func dates(seconds: Int, text: String) { #expect(HTTPDate.format(seconds) == text) }
}
