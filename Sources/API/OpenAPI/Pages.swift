import Contract
import HTTP1
import HTTPServer

/// The pages for people who open the service in a browser.
enum Pages {
    package static func add(to router: inout Router) {
        router.on(.get, Routes.home, .immediate { _ in html(title: "Let's Switch", home) })
        router.on(
            .get, Routes.openAPI,
            .immediate { _ in
                HTTPResponse(
                    status: 200, headers: ["Content-Type": "application/json"], body: OpenAPI.bytes)
            })
        router.on(
            .get, Routes.openAPIYAML,
            .immediate { _ in
                HTTPResponse(
                    status: 200, headers: ["Content-Type": "application/yaml"], body: OpenAPI.yaml)
            })
        router.on(.get, Routes.problems, .immediate { _ in html(title: "Problems", problems) })
        router.on(
            .get, Routes.problems + "/{name}",
            .immediate { request in
                guard let name = request.parameters.first.flatMap({ ProblemName(rawValue: $0) }) else {
                    return Answer.problem(
                        Problem(
                            .notFound, detail: "There is no such problem; \(Routes.problems) lists them."),
                        id: request.id)
                }
                return html(title: name.title, page(of: name))
            })
    }

    private static let home = """
        <p>Declare what you will do in a slot of time. When it begins you meet somebody else who works then, \
        and you cheer each other on.</p>
        <p>This is the service behind the apps. Programs find what they need in \
        <a href="\(Routes.openAPI)">its description</a> (OpenAPI 3.1); what its errors mean is written \
        <a href="\(Routes.problems)">here</a>.</p>
        """

    private static let problems: String = {
        let rows = ProblemName.allCases.sorted { ($0.status, $0.rawValue) < ($1.status, $1.rawValue) }.map {
            "<li>\($0.status) <a href=\"\($0.path)\">\(escaped($0.title))</a></li>"
        }
        return
            "<p>Every error of this service is one of "
            + "these.</p>\n<ul>\n\(rows.joined(separator: "\n"))\n</ul>"
    }()

    private static func page(of name: ProblemName) -> String {
        """
        <p>Status \(name.status), type <code>\(escaped(name.path))</code></p>
        <p>\(escaped(name.explanation))</p>
        <p><a href="\(Routes.problems)">All problems</a></p>
        """
    }

    private static func html(title: String, _ content: String) -> HTTPResponse {
        let page = """
            <!DOCTYPE html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width">
            <title>\(escaped(title))</title>
            <style>body{font:1.1em/1.5 system-ui,sans-serif;max-width:40em;margin:2em auto;padding:0 \
            1em}</style>
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
