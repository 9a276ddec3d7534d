import Codecs
import Contract
import HTTP1
import HTTPServer
import PageFiles

/// The answers of the admin API as HTML, for browsers without JavaScript: a request that asks for HTML by its
/// name gets what is in the JSON, as lists and tables, with links to what is named there.
///
/// It knows no screens: an answer of a later server is shown as well. Nothing can be changed here but who is
/// signed in.
enum PlainReading {
    /// The path to which the form of the sign-in is sent.
    static let signIn = "/desk/sign-in"
    /// The most bytes of the form: 336 characters in UTF-8, percent-encoded, and an address to go on at.
    static let maximumFormBytes = 32 * 1024
    static let start = Desk.root + "/now"

    /// Returns a handler that answers in HTML where a request wants that.
    static func offered(_ handler: Router.Handler) -> Router.Handler {
        guard case .task(let body) = handler else { return handler }
        return .task { request in
            let response = await body(request)
            guard wantsHTML(request), case .bytes(let bytes) = response.body else { return response }
            return page(of: bytes, status: response.status, for: request)
        }
    }

    static func wantsHTML(_ request: HTTPRequest) -> Bool {
        Preference(of: "text/html", in: request.head.headers.tokens("Accept")) == .wanted
    }

    /// Returns the address of the API that a form names to go on at; other addresses are none.
    static func next(_ address: String?) -> String {
        guard let address, address.hasPrefix(Desk.root + "/"), !address.contains(where: { $0.isNewline })
        else {
            return start
        }
        return address
    }

    // The page.

    private static let places = [
        "now", "slots", "rooms", "people", "reports", "announcements", "deliveries", "delivery-hosts",
        "endpoints?state=failing", "servers", "settings", "audit",
    ]

    private static func page(of bytes: [UInt8], status: Int, for request: HTTPRequest) -> HTTPResponse {
        var content = ""
        if status == 401 { content += form(next: address(of: request)) }
        if let value = try? JSONValue.parse(bytes) {
            content += html(value, list: nil)
            if let cursor = value["nextCursor"]?.string {
                let next = escaped(next(cursor, of: request))
                content += "<p><a rel=\"next\" href=\"\(next)\">Next page</a></p>"
            }
        }
        return page(String(request.head.path.dropFirst(Desk.root.count + 1)), content, status: status)
    }

    /// Returns the page that says why nobody was signed in, with the form once more.
    static func refusedSignIn(_ refusal: HTTPResponse, next: String) -> HTTPResponse {
        var content = form(next: next)
        if case .bytes(let bytes) = refusal.body,
            let detail = (try? JSONValue.parse(bytes))?["detail"]?.string
        {
            content = "<p class=\"problem\">\(escaped(detail))</p>" + content
        }
        return page("Sign in", content, status: refusal.status)
    }

    private static func page(_ title: String, _ content: String, status: Int) -> HTTPResponse {
        let links = places.map { place in
            let name = place.prefix { $0 != "?" }
            let current = title == name ? " aria-current=\"page\"" : ""
            return "<a href=\"\(Desk.root)/\(place)\"\(current)>\(name)</a>"
        }
        return OperatorsPage.html(
            """
            <!DOCTYPE html>
            <html lang="en"><head><meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <title>\(escaped(title)) · Desk of Let’s Switch</title>
            <link rel="stylesheet" href="\(OperatorsPage.base)/desk.css"></head>
            <body><main><div><nav class="tabs" aria-label="Places">\(links.joined(separator: "\n"))</nav>
            <h1>\(escaped(title))</h1>
            \(content)</div></main><footer><p>All times are in UTC.</p></footer></body></html>
            """, status: status)
    }

    private static func form(next: String) -> String {
        """
        <form method="post" action="\(signIn)"><input type="hidden" name="next" value="\(escaped(next))">
        <div class="field"><label for="name">Name</label>
        <input id="name" name="name" autocomplete="username"></div>
        <div class="field"><label for="password">Password</label>
        <input id="password" name="password" type="password" autocomplete="current-password"></div>
        <div class="field"><label for="code">Code</label>
        <input id="code" name="code" inputmode="numeric" autocomplete="one-time-code"></div>
        <button class="main">Sign in</button></form>
        """
    }

    private static func address(of request: HTTPRequest) -> String {
        let items = request.query.items
        return request.head.path + (items.isEmpty ? "" : "?" + QueryItems.encode(items))
    }

    private static func next(_ cursor: String, of request: HTTPRequest) -> String {
        let items =
            request.query.items.filter { $0.name != "cursor" } + [.init(name: "cursor", value: cursor)]
        return "\(request.head.path)?\(QueryItems.encode(items))"
    }

    // Values.

    /// Returns a value as HTML; `list` is the name of the member that it is in.
    private static func html(_ value: JSONValue, list: String?) -> String {
        switch value {
        case .object(let members):
            let rows = members.filter { $0.name != "nextCursor" }.map { member in
                "<div><dt>\(escaped(member.name))</dt>"
                    + "<dd>\(inner(member.value, member.name, list: list))</dd></div>"
            }
            return "<dl class=\"facts\">\(rows.joined(separator: "\n"))</dl>"
        case .array(let elements): return table(elements, list: list)
        default: return text(value)
        }
    }

    /// Returns a member's value, linked where it names something.
    private static func inner(_ value: JSONValue, _ name: String, list: String?) -> String {
        switch value {
        case .object, .array: return html(value, list: name)
        default:
            guard let address = link(value, name, list: list) else { return text(value) }
            return "<a href=\"\(escaped(address))\">\(text(value))</a>"
        }
    }

    private static func table(_ elements: [JSONValue], list: String?) -> String {
        if elements.isEmpty { return "<p class=\"empty\">None.</p>" }
        guard case .object(let first) = elements[0] else {
            return "<ul>\(elements.map { "<li>\(html($0, list: list))</li>" }.joined())</ul>"
        }
        let names = first.map(\.name)
        let head = names.map { "<th scope=\"col\">\(escaped($0))</th>" }.joined()
        let rows = elements.map { element in
            "<tr>"
                + names.map { name in
                    let value = element[name] ?? .null
                    let cell = inner(value, name, list: list)
                    return "<td data-title=\"\(escaped(name))\"><div>\(cell)</div></td>"
                }.joined() + "</tr>"
        }
        return "<table><thead><tr>\(head)</tr></thead><tbody>\(rows.joined(separator: "\n"))</tbody></table>"
    }

    /// Returns the address of what a member names: of itself in a list, or of something else by its id.
    private static func link(_ value: JSONValue, _ name: String, list: String?) -> String? {
        let id: String
        switch value {
        case .string(let text): id = text
        case .number(let text): id = text
        default: return nil
        }
        let place: String? =
            switch (name, list) {
            case ("id", "people"), ("id", "by"), ("id", "about"), ("personId", _): "people"
            case ("id", "rooms"), ("roomId", _): "rooms"
            case ("id", "reports"), ("id", "reportsAbout"), ("id", "reportsBy"): "reports"
            case ("id", "deliveries"): "deliveries"
            case ("key", "slots"), ("slot", _): "slots"
            default: nil
            }
        return place.map { "\(Desk.root)/\($0)/\(PercentCoding.encode(id.replacing("/", with: "~")))" }
    }

    private static func text(_ value: JSONValue) -> String {
        switch value {
        case .string(let text): "<bdi class=\"said\" dir=\"auto\">\(escaped(text))</bdi>"
        case .number(let text): escaped(text)
        case .bool(let value): value ? "yes" : "no"
        case .null: "–"
        case .object, .array: ""
        }
    }

    /// Returns the text escaped for use between tags and in quoted attributes. It goes by scalars: a
    /// character may be one of these with a mark on it.
    static func escaped(_ text: String) -> String {
        var result = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": result.append(contentsOf: "&amp;".unicodeScalars)
            case "<": result.append(contentsOf: "&lt;".unicodeScalars)
            case ">": result.append(contentsOf: "&gt;".unicodeScalars)
            case "\"": result.append(contentsOf: "&quot;".unicodeScalars)
            default: result.append(scalar)
            }
        }
        return String(result)
    }
}
