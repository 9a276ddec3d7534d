import API
import HTTP1
package import HTTPServer

/// The answers with one file of a page, made once.
package struct PageAnswer: Sendable {
    private let plain: Variant
    private let gzipped: Variant?
    /// Nil for a file whose path has the hash of its page.
    private let rules: Rules?

    /// The rules for files whose paths stay the same when they change.
    package struct Rules: Sendable {
        /// The hash of all files of the page, which is in the entity tags.
        let hash: String
        let contentSecurityPolicy: String
        /// The features of browsers that the page never uses.
        let permissionsPolicy = """
            camera=(), display-capture=(), geolocation=(), microphone=(), payment=(), usb=()
            """

        package init(hash: String, contentSecurityPolicy: String) {
            self.hash = hash
            self.contentSecurityPolicy = contentSecurityPolicy
        }
    }

    /// A file in one coding, with its fields.
    private struct Variant: Sendable {
        let headers: HTTPHeaders
        let body: [UInt8]
        /// The tag of a file whose path stays: the same bytes have the same one, in each coding (RFC 9110
        /// §8.8.3.3).
        let tag: EntityTag?
    }

    /// `rules`: nil for a file whose path has the hash.
    package init(_ file: PageFile, rules: Rules?) {
        self.rules = rules
        func variant(_ body: [UInt8], coding: String?) -> Variant {
            var headers: HTTPHeaders = [:]
            if let type = file.mediaType { headers.append("Content-Type", type) }
            if let coding { headers.append("Content-Encoding", coding) }
            let tag = rules.map { EntityTag($0.hash + (coding.map { "-\($0)" } ?? "")) }
            for field in Self.fields(rules, tag).fields { headers.append(field.name, field.value) }
            return Variant(headers: headers, body: body, tag: tag)
        }
        plain = variant(file.bytes, coding: nil)
        gzipped = file.gzipped.map { variant($0, coding: "gzip") }
    }

    /// Returns the answer to a request for a file that no page has: the 404 of every other address.
    package static func missing(_ request: HTTPRequest) -> HTTPResponse {
        Answer.refusal(for: .notFound, to: request.head, id: request.id)
    }

    /// Returns the answer to a request for a file whose servers do not answer: a 503 with `Retry-After`.
    package static func unanswered(_ request: HTTPRequest) -> HTTPResponse {
        Answer.unanswered(request.head, id: request.id)
    }

    /// Returns the fields that a 304 has as well (RFC 9110 §15.4.5).
    private static func fields(_ rules: Rules?, _ tag: EntityTag?) -> HTTPHeaders {
        var headers: HTTPHeaders = ["X-Content-Type-Options": "nosniff"]
        guard let rules, let tag else {
            headers.append("Cache-Control", "public, max-age=31536000, immutable")
            return headers
        }
        headers.append("Cache-Control", "no-cache")
        headers.append("ETag", tag.text)
        headers.append("Content-Security-Policy", rules.contentSecurityPolicy)
        headers.append("Referrer-Policy", "same-origin")
        headers.append("Permissions-Policy", rules.permissionsPolicy)
        return headers
    }

    /// Returns the answer to a request; `field` is the field, in addition to `Accept-Encoding`, that it
    /// depends on.
    package func response(to request: HTTPRequest, varyingBy field: String? = nil) -> HTTPResponse {
        let codings = request.head.headers.tokens("Accept-Encoding")
        let isWanted =
            switch Preference(of: "gzip", in: codings) {
            case .wanted: true
            case .refused: false
            case .unnamed: Preference(of: "*", in: codings) == .wanted
            }
        let variant = isWanted ? gzipped ?? plain : plain
        let fields = [field, gzipped == nil ? nil : "Accept-Encoding"].compactMap(\.self)
        let isKnown = variant.tag?.isKnown(to: request.head.headers) ?? false
        var response =
            isKnown
            ? HTTPResponse(status: 304, headers: Self.fields(rules, variant.tag))
            : HTTPResponse(status: 200, headers: variant.headers, body: variant.body)
        if !fields.isEmpty { response.headers.append("Vary", fields.joined(separator: ", ")) }
        return response
    }
}
