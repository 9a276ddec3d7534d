import Codecs
import Crypto
import HTTP1
import PageFiles
import Reactor
import Testing

@testable import BackendTesting
@testable import Web

@Suite("The page for browsers")
struct WebPageTests {
    private static let policy =
        "default-src 'none'; script-src 'self' '\(script)'; style-src 'self'; connect-src 'self'; "
        + "img-src 'self' data:; "
        + "manifest-src 'self'; worker-src 'self'; form-action 'self'; base-uri 'none'; "
        + "frame-ancestors 'none'"

    /// The digest of the script inside the shell, as a browser computes it.
    private static let script: String = {
        let shell = PageFile.all.first { $0.name == "index.html" }.map(\.bytes) ?? []
        let parts = String(decoding: shell, as: UTF8.self).split(separator: /<\/?script>/)
        return "sha256-\(Base64.encode(Digest.sha256(Array(parts[1].utf8))))"
    }()

    private static let id = "0190b6f0-7e1a-7cc3-98c4-dc0c0c07398f"
    private static let screens = [
        "/", "/welcome", "/day", "/day/2027-03-01", "/registration/\(id)", "/room/\(id)", "/me",
        "/invites/abc",
    ]
    private static let files = PageFile.all.map(\.name)
        .filter { !["index.html", "worker.js", "manifest.webmanifest"].contains($0) }

    private static func names(_ response: RawHTTP.Response) -> Set<String> { Set(response.headers.keys) }

    @Test("is the same shell at each of its addresses, asked for again each time", arguments: screens)
    func shell(path: String) async throws {
        try await PageServer.with { server in
            let answer = try await server.send("GET", path, PageServer.html)
            let file = try #require(PageFile.all.first { $0.name == "index.html" })
            let isWhole = answer.status == 200 && answer.body == file.bytes
            #expect(isWhole)
            #expect(answer.headers["content-type"] == "text/html; charset=utf-8")
            #expect(answer.headers["content-security-policy"] == Self.policy)
            #expect(answer.headers["x-content-type-options"] == "nosniff")
            #expect(answer.headers["referrer-policy"] == "same-origin")
            #expect(answer.headers["permissions-policy"]?.contains("camera=()") == true)
            #expect(answer.headers["cache-control"] == "no-cache")
            let isShared = ["/", "/invites/abc"].contains(path)
            #expect(answer.headers["vary"] == (isShared ? "Accept, Accept-Encoding" : "Accept-Encoding"))
            let expected: Set = [
                "content-type", "content-length", "content-security-policy", "x-content-type-options",
                "referrer-policy", "permissions-policy", "cache-control", "vary", "etag", "date",
                "x-request-id", "connection",
            ]
            #expect(Self.names(answer) == expected)
            let tag = try #require(answer.headers["etag"])
            let again = try await server.send("GET", path, PageServer.html, "If-None-Match: \(tag)")
            #expect(again.status == 304 && again.body.isEmpty && again.headers["etag"] == tag)
            #expect(again.headers["vary"] == answer.headers["vary"])
            #expect(again.headers["cache-control"] == "no-cache")
            #expect(again.headers["content-security-policy"] == Self.policy)
            for other in ["\"other\"", "\(tag.dropLast())x\"", tag.filter { $0 != "\"" }] {
                let whole = try await server.send("GET", path, PageServer.html, "If-None-Match: \(other)")
                #expect(whole.status == 200, "\(other)")
            }
        }
    }

    @Test("has all its links below the path of the service, and an entity tag of that path")
    func belowPath() async throws {
        let file = try #require(PageFile.all.first { $0.name == "index.html" })
        let top = String(decoding: file.bytes, as: UTF8.self)
        try await PageServer.with(requestsPerSecond: 1, below: "/switch") { server in
            for path in ["/switch", "/switch/", "/switch/day", "/day", "/"] {
                let answer = try await server.send("GET", path, PageServer.html, PageServer.gzip)
                guard answer.status != 429 else { continue }
                #expect(answer.status == 200 && answer.headers["content-security-policy"] == Self.policy)
                let links = answer.text.matches(of: /(?:src|href)="(\/[^"]*)"/).map { String($0.1) }
                #expect(links.count > 10 && links.allSatisfy { $0.hasPrefix("/switch/") })
                #expect(answer.text.replacing("=\"/switch/", with: "=\"/") == top)
                #expect(answer.headers["etag"] == "\"\(PageFile.hash)/switch\"")
            }
            // The files count for no limit, with the path as without it.
            for _ in 0..<20 {
                for base in ["", "/switch"] {
                    let path = "\(base)/page/\(PageFile.hash)/page.css"
                    #expect(try await server.send("GET", path).status == 200)
                }
            }
        }
    }

    @Test("is there for who asks for HTML by its name; all others get what is for programs")
    func negotiation() async throws {
        try await PageServer.with { server in
            func isPage(_ path: String, _ accept: String?) async throws -> Bool {
                let answer = try await server.send("GET", path, accept.map { ["Accept: \($0)"] } ?? [])
                #expect(answer.status == 200 && answer.headers["vary"]?.hasPrefix("Accept") == true)
                return answer.headers["etag"] != nil
            }
            for path in ["/", "/invites/abc"] {
                for accept in [
                    "text/html", "TEXT/HTML", "*/*, text/html;q=0.1", "text/html ; q=1", "text/html;level=1",
                    "text/plain, text/html",
                ] {
                    #expect(try await isPage(path, accept), "\(path) \(accept)")
                }
                for accept in [
                    nil, "*/*", "", "text/*", "text/plain", "application/json", "text/html;q=0",
                    "text/html; q=0.000", "text/htmlx", "xtext/html", "\"text/html\"",
                ] {
                    #expect(try await !isPage(path, accept), "\(path) \(accept ?? "nothing")")
                }
            }
            let program = try await server.send("GET", "/")
            try await PageServer.with(hasPage: false) { alone in
                let plain = try await alone.send("GET", "/")
                #expect(program.body == plain.body && plain.headers["vary"] == nil)
                #expect(try await alone.send("GET", "/", PageServer.html).body == plain.body)
                for path in WebPage.paths.map({
                    // An address with braces is refused as none at all.
                    $0.replacing("{id}", with: Self.id).replacing("{date}", with: "2027-03-01")
                        .replacing("{hash}", with: "00c0ffee00c0ffee").replacing("{file}", with: "old.js")
                }) {
                    #expect(try await alone.send("GET", path, PageServer.html).status == 404, "\(path)")
                }
            }
        }
    }

    @Test("has files that a browser may keep for ever, under the hash of them all", arguments: files)
    func file(name: String) async throws {
        let file = try #require(PageFile.all.first { $0.name == name })
        try await PageServer.with { server in
            let path = "/page/\(PageFile.hash)/\(name)"
            let answer = try await server.send("GET", path)
            let isWhole = answer.status == 200 && answer.body == file.bytes
            #expect(isWhole)
            #expect(answer.headers["cache-control"] == "public, max-age=31536000, immutable")
            #expect(answer.headers["content-type"] == file.mediaType && file.mediaType != nil)
            #expect(answer.headers["x-content-type-options"] == "nosniff")
            var expected: Set = [
                "content-type", "content-length", "x-content-type-options", "cache-control", "date",
                "x-request-id", "connection",
            ]
            if file.gzipped != nil { expected.insert("vary") }
            #expect(Self.names(answer) == expected)
            let small = try await server.send("GET", path, PageServer.gzip)
            #expect(small.headers["content-encoding"] == (file.gzipped == nil ? nil : "gzip"))
            let isSame = small.body == file.gzipped ?? file.bytes
            #expect(isSame)
            #expect(try await server.send("POST", path, "Content-Length: 0").status == 405)
        }
    }

    @Test(
        "has a worker and a manifest at addresses that stay",
        arguments: ["worker.js", "manifest.webmanifest"])
    func fixed(name: String) async throws {
        let file = try #require(PageFile.all.first { $0.name == name })
        try await PageServer.with { server in
            let answer = try await server.send("GET", "/\(name)")
            let isWhole = answer.status == 200 && answer.body == file.bytes
            #expect(isWhole)
            #expect(answer.headers["cache-control"] == "no-cache")
            #expect(answer.headers["content-security-policy"] == Self.policy)
            let small = try await server.send("GET", "/\(name)", PageServer.gzip)
            #expect(small.headers["content-encoding"] == "gzip" && small.body == file.gzipped)
            // Each coding has a tag of its own (RFC 9110 §8.8.3.3).
            let (tag, smallTag) = (try #require(answer.headers["etag"]), try #require(small.headers["etag"]))
            #expect(tag != smallTag)
            for (known, fields, status) in [
                (tag, [], 304), ("W/\(tag)", [], 304), ("*", [], 304), (smallTag, [], 200),
                (smallTag, [PageServer.gzip], 304), (tag, [PageServer.gzip], 200),
            ] as [(String, [String], Int)] {
                let again = try await server.send("GET", "/\(name)", fields + ["If-None-Match: \(known)"])
                #expect(again.status == status, "\(known) \(fields)")
            }
        }
    }

    @Test(
        "is compressed for who takes gzip, whatever else that one takes",
        arguments: [
            ("gzip", true), ("GZIP", true), ("gzip;q=0.1", true), ("br, gzip", true), ("*", true),
            ("identity;q=0, *;q=0.5", true), ("", false), ("identity", false), ("br", false),
            ("gzip;q=0", false), ("gzip; q=0.0, *", false), ("*;q=0", false), ("xgzip", false),
            ("x-gzip", false), ("gzip2", false),
        ])
    func compression(accepted: String, isSmall: Bool) async throws {
        try await PageServer.with { server in
            let answer = try await server.send("GET", "/day", "Accept-Encoding: \(accepted)")
            #expect(answer.headers["content-encoding"] == (isSmall ? "gzip" : nil))
            #expect(answer.headers["vary"] == "Accept-Encoding")
        }
    }

    @Test("answers HEAD with the fields of GET, and no body")
    func head() async throws {
        try await PageServer.with { server in
            let paths = ["/", "/day", "/worker.js", "/page/\(PageFile.hash)/page.css"]
            for path in paths {
                for fields in [[PageServer.html], [PageServer.html, PageServer.gzip]] {
                    var get = try await server.send("GET", path, fields).headers
                    var head = try await server.send("HEAD", path, fields)
                    #expect(head.status == 200 && head.body.isEmpty)
                    for name in ["date", "x-request-id"] {
                        get[name] = nil
                        head.headers[name] = nil
                    }
                    #expect(get == head.headers)
                }
            }
        }
    }

    @Test("has no other address: what is not a file of it is the 404 that it is without it")
    func unknown() async throws {
        let base = "/page/\(PageFile.hash)"
        try await PageServer.with { server in
            for path in [
                "/page", "/page/", base, base + "/", base + "/index.html", base + "/worker.js",
                base + "/nothing.js", base + "/page.css/", base + "//page.css", base + "/PAGE.css",
                base + "/../page.css", base + "/../../Package.swift", base + "/..%2f..%2fPackage.swift",
                base + "/%2e%2e/%2e%2e/etc/passwd", base + "/....//....//etc/passwd",
                base + "/page.css%00.js", base + "/page.css%20", "/page/0000000000000000/page.css",
                "/page/./\(PageFile.hash)/page.css", "//page/\(PageFile.hash)/page.css",
                "/index.html", "/favicon.ico", "/worker.js/", "/day/", "/day/2027-03-01/x", "/room", "/room/",
                "/me/x", "/registration", "/welcome/x", "/Day", "/.git/config", "/..", "/../etc/passwd",
            ] {
                let answer = try await server.send("GET", path, PageServer.html)
                let isRefused = ["%00", "%2f", "%2e"].contains { path.contains($0) }
                #expect(answer.status == (isRefused ? 400 : 404), "\(path)")
                #expect(answer.headers["content-type"] == "application/problem+json", "\(path)")
                #expect(answer.headers["cache-control"] == "no-store", "\(path)")
            }
        }
    }

    @Test("has the files of another build that another server has handed over, and counts none of them")
    func otherBuild() async throws {
        let hash = "00c0ffee00c0ffee"
        let file = PageFile("old.js", bytes: Array("old()".utf8), gzipped: [1, 2, 3])
        let page = try #require(OtherPage(archive: PageArchive.encode([file])))
        let asked = Lock<[String]>([])
        let others = OtherPages(
            kept: { hash in asked.withLock { $0.contains(hash) } ? page : nil },
            find: { wanted in
                asked.withLock { $0.append(wanted) }
                return wanted == hash ? page : nil
            })
        try await PageServer.with(requestsPerSecond: 1, others: others) { server in
            for _ in 0..<50 {
                let answer = try await server.send("GET", "/page/\(hash)/old.js")
                #expect(answer.status == 200 && answer.body == file.bytes)
                #expect(answer.headers["cache-control"] == "public, max-age=31536000, immutable")
                #expect(answer.headers["content-type"] == "text/javascript; charset=utf-8")
            }
            let small = try await server.send("GET", "/page/\(hash)/old.js", PageServer.gzip)
            #expect(small.headers["content-encoding"] == "gzip" && small.body == file.gzipped)
            let wanted = asked.withLock { $0 }
            #expect(wanted == [hash])
            // A request for a file that the build does not have counts for the limit.
            var statuses: [Int] = []
            while statuses.count < 100, statuses.last != 429 {
                statuses.append(try await server.send("GET", "/page/\(hash)/none.js").status)
            }
            #expect(statuses.first == 404 && statuses.last == 429)
        }
    }

    @Test(
        "asks other servers for no address that is none of a page's files",
        arguments: [
            "page", "00c0ffee00c0fffX", "00c0ffee00c0ff", "00c0ffee00c0ffee0", "00C0FFEE00C0FFEE",
            PageFile.hash,
        ])
    func noHash(hash: String) async throws {
        let others = OtherPages(
            kept: { _ in nil },
            find: { hash in
                Issue.record("asked for \(hash)")
                return nil
            })
        try await PageServer.with(others: others) { server in
            let answer = try await server.send("GET", "/page/\(hash)/none.js")
            #expect(answer.status == 404)
        }
    }

    @Test("sets no cookie, and is the same with one, and with a token that is none")
    func cookies() async throws {
        try await PageServer.with { server in
            for path in ["/", "/me", "/worker.js", "/page/\(PageFile.hash)/page.css"] {
                let plain = try await server.send("GET", path, PageServer.html)
                let known = try await server.send(
                    "GET", path, PageServer.html, "Cookie: letsswitch=lss_x; __Host-letsswitch=y",
                    "Authorization: Bearer nonsense")
                #expect(plain.headers["set-cookie"] == nil && known.headers["set-cookie"] == nil)
                #expect(plain.body == known.body && plain.headers["vary"] == known.headers["vary"])
            }
        }
    }

    @Test("loads whole at the first visit, however few requests an address may send")
    func firstVisit() async throws {
        try await PageServer.with(requestsPerSecond: 1) { server in
            #expect(try await server.send("GET", "/", PageServer.html).status == 200)
            for _ in 0..<3 {
                for name in Self.files {
                    let answer = try await server.send("GET", "/page/\(PageFile.hash)/\(name)")
                    #expect(answer.status == 200, "\(name)")
                }
            }
            // All else counts, and so does what only looks like a file.
            var statuses: [Int] = []
            while statuses.count < 100, statuses.last != 429 {
                statuses.append(try await server.send("GET", "/page/\(PageFile.hash)/none.js").status)
            }
            #expect(statuses.last == 429)
        }
    }
}
