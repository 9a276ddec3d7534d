import Contract
import HTTP1
package import HTTPServer

/// The description of the calls, and pages for people who open the service in a browser.
package enum DocumentEndpoints {
    /// The description of all calls, OpenAPI 3.1, as `/openapi.json` serves it.
    static let description = Array(Documents.openapi_json.utf8)

    /// Adds the documents. `base` is the path below which clients reach the service; empty without one.
    package static func add(to router: inout Router, below base: String = "") {
        let description = description(below: base)
        let examples = examples(in: description)
        router.immediate(.get, Routes.home) { _ in
            html(title: "Let's Switch", home, in: .english, below: base)
        }
        addDocument(description, "application/json", at: Routes.openAPI, to: &router)
        // JSON is YAML 1.2.
        addDocument(description, "application/yaml", at: Routes.openAPIYAML, to: &router)
        router.immediate(.get, Routes.problems) { request in
            let language = request.language()
            return translated(title: "Problems", problems(in: language), in: language, below: base)
        }
        router.immediate(.get, Routes.problems + "/{name}") { request in
            let language = request.language()
            guard let name = request.parameters.first.flatMap({ ProblemName(rawValue: $0) }) else {
                return Answer.problem(
                    Problem(
                        .notFound, detail: "There is no such problem; \(Routes.problems) lists them."),
                    id: request.id, in: language)
            }
            let page = page(of: name, examples[name] ?? "", in: language, below: base)
            return translated(title: name.title, page, in: language, below: base)
        }
    }

    /// Returns the description whose server and types of problems are below a base path.
    private static func description(below base: String) -> [UInt8] {
        if base.isEmpty { return description }
        let text = Documents.openapi_json
            .replacing(#""servers":[{"url":"/"}]"#, with: #""servers":[{"url":"\#(base)"}]"#)
            .replacing("\"\(Routes.problems)/", with: "\"\(base)\(Routes.problems)/")
            // This is the template of a path, which the server's URL goes before.
            .replacing("\"\(base)\(Routes.problems)/{name}\"", with: "\"\(Routes.problems)/{name}\"")
        return Array(text.utf8)
    }

    /// Adds a document that changes with the release only: a cache asks each time whether it has.
    private static func addDocument(
        _ bytes: [UInt8], _ type: String, at path: String, to router: inout Router
    ) {
        let tag = EntityTag(of: bytes, isWeak: true)
        router.immediate(.get, path) { Answer.tagged(bytes, type, tag, "no-cache", for: $0) }
    }

    /// Returns the example of each problem that the description has.
    private static func examples(in description: [UInt8]) -> [ProblemName: String] {
        let document = try? JSONValue.parse(description, maximumDepth: 64)
        let responses = document?["components"]?["responses"]
        var examples: [ProblemName: String] = [:]
        for name in ProblemName.allCases {
            let media = responses?["Problem\(name.status)"]?["content"]?[Problem.mediaType]
            examples[name] = media?["examples"]?[name.rawValue]?["value"].map(lines)
        }
        return examples
    }

    /// Returns a problem as JSON with one member a line: first those that every problem has.
    private static func lines(of problem: JSONValue) -> String {
        guard case .object(let members) = problem else { return "" }
        let first = ["type", "title", "status", "detail", "instance"]
        let names = first + members.map(\.name).filter { !first.contains($0) }
        let lines = names.compactMap { name in problem[name].map { "  \"\(name)\": \($0.text)" } }
        return "{\n\(lines.joined(separator: ",\n"))\n}"
    }

    private static let home = """
        <p>Declare what you will do in a slot of time. When it begins you meet a person who works then, \
        and you cheer each other on.</p>
        <p>This is the service behind the apps. Programs find what they need in \
        <a href="\(Routes.openAPI)">its description</a> (OpenAPI 3.1); what its errors mean is written \
        <a href="\(Routes.problems)">here</a>.</p>
        """

    private static func problems(in language: Language) -> String {
        let rows = ProblemName.allCases.sorted { ($0.status, $0.rawValue) < ($1.status, $1.rawValue) }.map {
            "<li>\($0.status) <a href=\"\($0.path)\">\(marked($0.title, in: language))</a> "
                + "<code>\($0.rawValue)</code></li>"
        }
        let heading = marked("Every error has one of these types (RFC 9457).", in: language)
        return "<p>\(heading)</p>\n<ul>\n\(rows.joined(separator: "\n"))\n</ul>"
    }

    private static func page(
        of name: ProblemName, _ example: String, in language: Language, below base: String
    ) -> String {
        let sections: [(heading: Text, content: String)] = [
            ("Cause", "<p>\(marked(name.cause, in: language))</p>"),
            ("Fix", "<p>\(marked(name.fix, in: language))</p>"),
            ("Example", "<pre lang=\"en\">\(escaped(example))</pre>"),
        ]
        let status = marked("Status \(name.status), type", in: language)
        let all = marked("All problems", in: language)
        return """
            <p>\(status) <code>\(escaped(base + name.path))</code></p>
            \(sections.map { "<h2>\(marked($0.heading, in: language))</h2>\n\($0.content)\n" }.joined())\
            <p><a href="\(Routes.problems)">\(all)</a></p>
            """
    }

    private static func translated(
        title: Text, _ content: String, in language: Language, below base: String
    ) -> HTTPResponse {
        var response = html(title: title.said(in: language), content, in: language, below: base)
        response.headers.append(textIn: language)
        return response
    }

    private static func html(
        title: String, _ content: String, in language: Language, below base: String
    ) -> HTTPResponse {
        let content =
            base.isEmpty ? content : content.replacing("href=\"/", with: "href=\"\(base)/")
        let page = """
            <!DOCTYPE html>
            <html lang="\(language.rawValue)">
            <head>
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width">
            <title>\(escaped(title))</title>
            <style>\(style)</style>
            </head>
            <body>
            <h1>\(escaped(title))</h1>
            \(content)
            </body>
            </html>

            """
        return HTTPResponse(
            status: 200,
            headers: [
                "Content-Type": "text/html; charset=utf-8",
                "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'",
                "X-Content-Type-Options": "nosniff",
            ],
            body: Array(page.utf8))
    }

    private static let style = """
        :root{color-scheme:light dark}\
        body{font:1.1em/1.5 system-ui,sans-serif;max-width:40em;margin:2em auto;padding:0 1em;\
        overflow-wrap:anywhere}\
        h1,h2{line-height:1.2}ul{padding:0;list-style:none}\
        pre{padding:1em;border:1px solid;border-radius:.3em;overflow-x:auto}
        """

    /// Returns the text as HTML, with code for what stands in backticks.
    private static func marked(_ text: Text, in language: Language) -> String {
        let spans = escaped(text.said(in: language)).split(separator: "`", omittingEmptySubsequences: false)
        return spans.enumerated().map { $0.isMultiple(of: 2) ? String($1) : "<code>\($1)</code>" }.joined()
    }

    /// Returns the text escaped for use between tags and in quoted attributes.
    private static func escaped(_ text: String) -> String {
        var result = ""
        for character in text {
            switch character {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            default: result.append(character)
            }
        }
        return result
    }
}
