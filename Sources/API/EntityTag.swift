import Codecs
import Contract
import Crypto
import Database
import HTTP1
import HTTPServer

/// The strong validator of a representation (RFC 9110 §8.8.3): the same bytes have the same one.
struct EntityTag: Equatable, Sendable {
    /// The value of `ETag`, in quotes.
    let text: String

    init(of bytes: [UInt8]) {
        text = "\"" + Base64URL.encode(Array(Digest.sha256(bytes).prefix(12))) + "\""
    }

    /// Whether `If-None-Match` names it, weak or strong, or any (RFC 9110 §13.1.2).
    func isKnown(to headers: HTTPHeaders) -> Bool {
        Self.elements(headers.all("If-None-Match")).contains { $0 == "*" || $0 == text || $0 == "W/" + text }
    }

    /// Throws a 412 if the request has an `If-Match` that names neither this tag nor any (RFC 9110 §13.1.1).
    func check(_ headers: HTTPHeaders) throws {
        let fields = headers.all("If-Match")
        guard !fields.isEmpty else { return }
        guard Self.elements(fields).contains(where: { $0 == "*" || $0 == text }) else {
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
    /// Returns a JSON response with the entity tag of its body; a 304 for a GET that names the tag.
    static func tagged(_ value: some Encodable, for request: HTTPRequest) throws -> HTTPResponse {
        var response = try json(value)
        let tag = EntityTag(of: try JSON.encode(value))
        response.headers.append("ETag", tag.text)
        if request.head.method != .patch, tag.isKnown(to: request.head.headers) {
            return HTTPResponse(
                status: 304, headers: ["ETag": tag.text, "Cache-Control": "no-store"])
        }
        return response
    }

    /// Throws a 412 if the request names another state of the value than this one.
    static func check(_ value: some Encodable, as request: HTTPRequest) throws {
        guard request.head.headers.contains("If-Match") else { return }
        try EntityTag(of: try JSON.encode(value)).check(request.head.headers)
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

    /// Returns one page of a list, with a link to the next one if there is one (RFC 8288).
    static func page(
        _ list: some Encodable, of path: String, next cursor: String?, for request: HTTPRequest
    ) throws -> HTTPResponse {
        var response = try json(list)
        if let cursor {
            var items = request.query.items.filter { $0.name != "cursor" }
            items.append(QueryItems.Item(name: "cursor", value: cursor))
            response.headers.append("Link", "<\(path)?\(QueryItems.encode(items))>; rel=\"next\"")
        }
        return response
    }
}
