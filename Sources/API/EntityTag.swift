import Codecs
import Contract
import Crypto
import Database
package import HTTP1
import HTTPServer

/// The validator of a representation (RFC 9110 §8.8.3): the same bytes have the same one.
///
/// A strong one can be named in `If-Match`. Resources that clients cannot change have a weak one.
package struct EntityTag: Equatable, Sendable {
    /// The value without `W/`, in quotes.
    private let opaque: String
    private let isWeak: Bool

    /// Creates the strong tag with that text between its quotes, which has neither quotes nor commas.
    package init(_ text: String) {
        opaque = "\"\(text)\""
        isWeak = false
    }

    /// The value of `ETag`.
    package var text: String { isWeak ? "W/" + opaque : opaque }

    init(of bytes: [UInt8], isWeak: Bool = false) {
        opaque = "\"" + Base64URL.encode(Array(Digest.sha256(bytes).prefix(12))) + "\""
        self.isWeak = isWeak
    }

    /// Whether `If-None-Match` names it, weak or strong, or is `*` (RFC 9110 §13.1.2).
    package func isKnown(to headers: HTTPHeaders) -> Bool {
        let elements = Self.elements(headers.all("If-None-Match"))
        return elements == ["*"] || elements.contains { $0 == opaque || $0 == "W/" + opaque }
    }

    /// Throws a 412 if the request has an `If-Match` that names neither this tag nor any (RFC 9110 §13.1.1).
    func check(_ headers: HTTPHeaders) throws {
        let fields = headers.all("If-Match")
        guard !fields.isEmpty else { return }
        guard Self.elements(fields).contains(where: { $0 == "*" || $0 == text && !isWeak })
        else {
            throw APIError(
                .preconditionFailed,
                "It is not as If-Match says. Read it again, and send the change with its ETag as If-Match.")
        }
    }

    /// Returns the elements of comma lists. No tag of this server has a comma.
    private static func elements(_ fields: [String]) -> [String] {
        fields.flatMap { $0.utf8.split(separator: UInt8(ascii: ",")) }.map { element in
            let isBlank: (UInt8) -> Bool = { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
            let rest = element.drop(while: isBlank)
            return String(decoding: rest.reversed().drop(while: isBlank).reversed(), as: UTF8.self)
        }
    }
}

extension Answer {
    /// Whether a client may keep an answer that is about one person. It is a value of `Cache-Control`
    /// (RFC 9111 §5.2.2).
    enum Caching: String {
        /// It may not be kept, since it has a secret in it.
        case never = "no-store"
        /// The person's own client may keep it, and asks each time whether it is still the same.
        case revalidated = "private, no-cache"
    }

    /// Returns a JSON response with the entity tag of its body; a 304 for a GET that names the tag. The tag
    /// is weak for what cannot be changed as a whole. `language` is that of the texts in it; nil if it has
    /// none.
    static func tagged(
        _ value: some Encodable, _ caching: Caching = .never, isWeak: Bool = false,
        in language: Language? = nil, for request: HTTPRequest
    ) throws -> HTTPResponse {
        let body = try JSON.encode(value)
        let tag = EntityTag(of: body, isWeak: isWeak)
        var response = tagged(body, "application/json", tag, caching.rawValue, for: request)
        if let language { response.headers.append(textIn: language) }
        return response
    }

    /// Returns a response with that media type, entity tag and `Cache-Control`; a 304 for a GET that names
    /// the tag.
    static func tagged(
        _ body: [UInt8], _ type: String, _ tag: EntityTag, _ caching: String, for request: HTTPRequest
    ) -> HTTPResponse {
        var headers: HTTPHeaders = ["ETag": tag.text, "Cache-Control": caching]
        if request.head.method != .patch, tag.isKnown(to: request.head.headers) {
            return HTTPResponse(status: 304, headers: headers)
        }
        headers.append("Content-Type", type)
        return HTTPResponse(status: 200, headers: headers, body: body)
    }

    /// Throws a 412 if the request names another state of the value than this one.
    static func check(_ value: some Encodable, as request: HTTPRequest) throws {
        guard request.head.headers.contains("If-Match") else { return }
        try EntityTag(of: try JSON.encode(value)).check(request.head.headers)
    }

    /// Throws a 412 if the request names another state of the value than these, which are the same state in
    /// several languages.
    static func check(anyOf values: [some Encodable], as request: HTTPRequest) throws {
        guard request.head.headers.contains("If-Match") else { return }
        for value in values.dropLast() where (try? check(value, as: request)) != nil { return }
        if let last = values.last { try check(last, as: request) }
    }

    /// Returns the response without its body, if the request prefers that (RFC 7240 §4.2).
    static func preferred(_ response: HTTPResponse, for request: HTTPRequest) -> HTTPResponse {
        let wishes = request.head.headers.tokens("Prefer").map { token in
            token.prefix { $0 != ";" }.filter { $0 != " " && $0 != "\t" && $0 != "\"" }
        }
        guard let wish = wishes.first(where: { $0.hasPrefix("return=") }), wish == "return=minimal" else {
            return response
        }
        var minimal = HTTPResponse(
            status: response.status == 200 ? 204 : response.status, headers: response.headers)
        minimal.headers.remove("Content-Type")
        minimal.headers.append("Preference-Applied", "return=minimal")
        return minimal
    }

    /// Returns one page of a list, with a link to the next one if there is one (RFC 8288). With `caching` the
    /// page has a weak entity tag, and a client that sends it gets a 304.
    static func page(
        _ list: some Encodable, of path: String, next cursor: String?, _ caching: Caching? = nil,
        in language: Language? = nil, for request: HTTPRequest
    ) throws -> HTTPResponse {
        var response =
            try caching.map { try tagged(list, $0, isWeak: true, in: language, for: request) }
            ?? json(list, in: language)
        if let cursor {
            var items = request.query.items.filter { $0.name != "cursor" }
            items.append(QueryItems.Item(name: "cursor", value: cursor))
            response.headers.append("Link", "<\(path)?\(QueryItems.encode(items))>; rel=\"next\"")
        }
        return response
    }
}
