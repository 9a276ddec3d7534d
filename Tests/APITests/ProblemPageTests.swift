import Contract
import Testing

@testable import BackendTesting

@Suite("The pages of problems")
struct ProblemPageTests {
    private static func page(
        _ path: String, in language: Language, of server: PageServer
    ) async throws -> String {
        let answer = try await server.send("GET", path, "Accept-Language: \(language.rawValue)")
        #expect(answer.status == 200 && answer.headers["content-language"] == language.rawValue, "\(path)")
        return answer.text
    }

    /// Returns a part of a page as its text, with backticks for the tags of code.
    private static func text(of html: Substring) -> String {
        [
            ("<code>", "`"), ("</code>", "`"), ("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&amp;", "&"),
        ].reduce(String(html)) { $0.replacing($1.0, with: $1.1) }
    }

    /// Returns the example of a page, which has to be JSON.
    private static func example(of page: String) throws -> JSONValue {
        let block = try #require(page.firstMatch(of: /<pre lang="en">([^<]*)<\/pre>/)?.1)
        return try JSONValue.parse(Array(text(of: block).utf8))
    }

    private static func names(_ value: JSONValue) -> Set<String> {
        guard case .object(let members) = value else { return [] }
        return Set(members.map(\.name))
    }

    @Test("have a title, a cause and a fix in each language", arguments: Language.allCases)
    func texts(language: Language) async throws {
        try await PageServer.with { server in
            for name in ProblemName.allCases {
                let page = try await Self.page(name.path, in: language, of: server)
                let sections = page.matches(of: /<h([12])>[^<]*<\/h\1>\n<p>([^\n]*)<\/p>/)
                #expect(sections.count == 3, "\(name)")
                #expect(page.contains("<h1>\(name.title.said(in: language))</h1>"), "\(name)")
                let said = sections.dropFirst().map { Self.text(of: $0.2) }
                #expect(said == [name.cause, name.fix].map { $0.said(in: language) }, "\(name)")
                for text in [name.title, name.cause, name.fix] where language != .english {
                    #expect(text.said(in: language) != text.description, "\(name)")
                }
            }
        }
    }

    @Test("have an example as the server sends the problem, in each language", arguments: Language.allCases)
    func examples(language: Language) async throws {
        let check = try SchemaCheck()
        let schema = try #require(check.document["components"]?["schemas"]?["KnownProblem"])
        try await PageServer.with { server in
            for name in ProblemName.allCases {
                let example = try Self.example(of: await Self.page(name.path, in: language, of: server))
                #expect(example["type"]?.string == name.path)
                #expect(check.faults(example, schema, at: name.rawValue) == [])
                // A problem has no members but those that it is read with.
                let problem = try JSON.decode(Problem.self, from: example.bytes)
                let sent = try JSONValue.parse(JSON.encode(problem))
                #expect(Self.names(sent) == Self.names(example), "\(name)")
            }
        }
    }

    @Test("are listed with status, title and the last part of the type", arguments: Language.allCases)
    func list(language: Language) async throws {
        try await PageServer.with { server in
            let page = try await Self.page("/problems", in: language, of: server)
            let rows = page.matches(of: /<li>(.*) <a href="(.*)">(.*)<\/a> <code>(.*)<\/code><\/li>/)
            let listed = rows.map { "\($0.1) \($0.2) \(Self.text(of: $0.3)) \($0.4)" }
            let expected = ProblemName.allCases.map {
                "\($0.status) \($0.path) \($0.title.said(in: language)) \($0.rawValue)"
            }
            #expect(listed.sorted() == expected.sorted())
        }
    }

    @Test("have an example and links below the base path")
    func base() async throws {
        try await PageServer.with(below: "/switch") { server in
            let page = try await Self.page("/switch/problems/too-late", in: .english, of: server)
            #expect(try Self.example(of: page)["type"]?.string == "/switch/problems/too-late")
            #expect(page.matches(of: /href="([^"]*)"/).map(\.1) == ["/switch/problems"])
        }
    }

    @Test("load and run nothing, follow the color scheme, and scroll a long line of an example alone")
    func policy() async throws {
        try await PageServer.with { server in
            for path in ["/problems", "/problems/attendance"] {
                let answer = try await server.send("GET", path)
                let policy = answer.headers["content-security-policy"]
                #expect(policy == "default-src 'none'; style-src 'unsafe-inline'")
                #expect(!answer.text.contains("<script") && !answer.text.contains("src="))
                #expect(answer.text.contains("color-scheme:light dark"))
                #expect(answer.text.contains(/pre\{[^}]*overflow-x:auto/))
            }
        }
    }
}
