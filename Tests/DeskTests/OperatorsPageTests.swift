import HTTP1
import HTTPServer
import PageFiles
import Testing

@testable import BackendTesting
@testable import Console

@Suite("The operators' page")
struct OperatorsPageTests {
    private static let policy =
        "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; "
        + "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

    private static let id = "0190b6f0-7e1a-7cc3-98c4-dc0c0c07398f"
    private static let screens = [
        "/", "/desk", "/desk/now", "/desk/people/\(id)", "/desk/people/\(id)/registrations",
        "/desk/slots/2027-03-28T09:30:00Z~50",
    ]

    private static func with(
        requestsPerSecond: Int = 0, _ body: (PageServer) async throws -> Void
    ) async throws {
        var router = Router()
        OperatorsPage.add(to: &router)
        try await PageServer.with(
            router, requestsPerSecond: requestsPerSecond, isUncounted: { OperatorsPage.isOfPage($0) }, body)
    }

    @Test("is the same shell at each of its addresses, asked for again each time", arguments: screens)
    func shell(path: String) async throws {
        try await Self.with { server in
            let answer = try await server.send("GET", path, PageServer.html)
            let file = try #require(PageFile.all.first { $0.name == "index.html" })
            let isWhole = answer.status == 200 && answer.body == file.bytes
            #expect(isWhole)
            #expect(answer.headers["content-security-policy"] == Self.policy)
            #expect(answer.headers["x-content-type-options"] == "nosniff")
            #expect(answer.headers["cache-control"] == "no-cache")
            let tag = try #require(answer.headers["etag"])
            let again = try await server.send("GET", path, PageServer.html, "If-None-Match: \(tag)")
            #expect(again.status == 304 && again.body.isEmpty && again.headers["etag"] == tag)
        }
    }

    @Test("has modules that import what the others export, three of which are the people's")
    func imports() {
        #expect(PageModules.missing(among: PageFile.all) == [])
        let names = Set(PageFile.all.map(\.name))
        #expect(names.isSuperset(of: ["api.js", "app.js", "base.js", "dom.js"]))
        // As it was when a link to a file had become a file with the path.
        let path = PageFile("dom.js", text: "../../Web/Page/dom.js", gzip: "")
        let broken = PageFile.all.map { $0.name == "dom.js" ? path : $0 }
        #expect(PageModules.missing(among: broken).contains("rooms.js: dom.js has no el"))
    }

    @Test("is nowhere else", arguments: ["/index.html", "/desk/people/a/b/c", "/desks", "/page/0/app.js"])
    func nowhere(path: String) async throws {
        try await Self.with { server in
            let answer = try await server.send("GET", path, PageServer.html)
            #expect(answer.status == 404)
        }
    }

    @Test("has files that browsers keep for ever, gzipped if accepted, and that count for no rate")
    func files() async throws {
        try await Self.with(requestsPerSecond: 1) { server in
            for file in PageFile.all where file.name != "index.html" {
                let path = "\(OperatorsPage.base)/\(file.name)"
                let plain = try await server.send("GET", path)
                let isSame = plain.status == 200 && plain.body == file.bytes
                #expect(isSame, "\(file.name)")
                #expect(plain.headers["content-type"] == file.mediaType)
                #expect(plain.headers["cache-control"] == "public, max-age=31536000, immutable")
                let small = try await server.send("GET", path, PageServer.gzip)
                #expect(small.headers["content-encoding"] == "gzip" && small.body == file.gzipped)
            }
        }
    }

    @Test("names its files in the shell by the folder with their hash, and has no script or style within it")
    func names() throws {
        let shell = try #require(PageFile.all.first { $0.name == "index.html" })
        let text = String(decoding: shell.bytes, as: UTF8.self)
        let named = text.matches(of: /(?:src|href)="(\/page\/[^"]+)"/).map { String($0.1) }
        let files = PageFile.all.map { "\(OperatorsPage.base)/\($0.name)" }
        #expect(Set(named).isSubset(of: files))
        // Each module is fetched at once, and none twice.
        let modules = files.filter { $0.hasSuffix(".js") }
        #expect(named.filter { $0.hasSuffix(".js") }.sorted() == modules.sorted())
        #expect(text.firstMatch(of: /<script(?![^>]*\bsrc=)|<style|\sstyle=|\son[a-z]+=/) == nil)
    }
}
