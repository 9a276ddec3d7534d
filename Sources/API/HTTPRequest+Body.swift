package import Contract
import Database
import HTTP1
import HTTPServer

extension HTTPRequest {
    /// Reads the body, which has to be JSON and be declared as JSON.
    package func read<Body: RequestBody>(_ type: Body.Type) throws -> Body {
        try checkBody()
        return try Body(bytes: body)
    }

    /// Returns a reader of the body, which has to be JSON and be declared as JSON.
    package func reader() throws -> RequestReader {
        try checkBody()
        return try RequestReader(bytes: body)
    }

    private func checkBody() throws {
        guard !body.isEmpty else {
            throw APIError(.unreadable, "The body is empty; send a JSON object.")
        }
        guard head.headers.all("Content-Encoding").allSatisfy({ $0.lowercased() == "identity" }) else {
            throw APIError(
                .unsupportedMediaType, "Send the body as it is, without a Content-Encoding.",
                headers: ["Accept-Encoding": "identity"])
        }
        let types = head.headers.all("Content-Type")
        guard types.count == 1, Self.isJSON(types[0]) else {
            throw APIError(
                .unsupportedMediaType, "Send the body as JSON in UTF-8, with Content-Type: application/json.")
        }
    }

    /// Whether a media type is `application/json`, with any parameters; a charset can only be UTF-8.
    private static func isJSON(_ value: String) -> Bool {
        // As the page and the program `letsswitch` write it.
        if value == "application/json" { return true }
        let parts = value.split(separator: ";", omittingEmptySubsequences: false)
            .map { $0.filter { $0 != " " && $0 != "\t" }.lowercased() }
        guard parts[0] == "application/json" else { return false }
        return parts.dropFirst().allSatisfy { parameter in
            !parameter.hasPrefix("charset=") || parameter == "charset=utf-8"
                || parameter == "charset=\"utf-8\""
        }
    }

    /// Returns the id in the path; throws a 404 if it is not an id.
    package func id(_ index: Int = 0) throws -> Identifier {
        guard parameters.indices.contains(index), let id = Identifier(parameters[index]) else {
            throw APIError.notFound
        }
        return id
    }
}
