import Contract

/// The description of all calls, OpenAPI 3.1, as `/openapi.json` serves it.
enum OpenAPI {
    /// The encoded document, which is written once.
    package static let bytes: [UInt8] = document.json

    /// The same document in YAML.
    static let yaml: [UInt8] = document.yaml

    /// The routes that are described: methods in capitals, and paths as in the router.
    package static var routes: Set<String> {
        var routes: Set<String> = []
        for (path, operations) in paths {
            for method in operations.keys { routes.insert("\(method.uppercased()) \(path)") }
        }
        return routes
    }

    private static let about = """
        Declare what you will do in a slot of time, meet somebody else who does the same then, and cheer \
        each other on.

        Times are RFC 3339: with `Z` on the way out, with any offset on the way in. Ids are UUIDs in lower \
        case, taken in either case. Unknown members of a body are an error that names them; unknown query \
        parameters are ignored, and one that makes no sense is a 400 that names it. Every answer carries \
        `X-Request-Id`. Every error is `application/problem+json` (RFC 9457), 405 with `Allow` included. \
        HEAD works where GET does, and OPTIONS everywhere.
        """

    private static var document: JSONNode {
        [
            "openapi": "3.1.0",
            "jsonSchemaDialect": "https://json-schema.org/draft/2020-12/schema",
            "info": [
                "title": "Let's Switch", "version": .string(Version.api), "description": .string(about),
            ],
            "servers": [["url": "/"]],
            "security": [["token": []], ["session": []]],
            "paths": .object(paths.mapValues { .object($0) }),
            "webhooks": .object(webhooks),
            "components": [
                "securitySchemes": [
                    "token": [
                        "type": "http", "scheme": "bearer",
                        "description": "The token of `POST /v1/users`, shown once.",
                    ],
                    "session": [
                        "type": "apiKey", "in": "cookie", "name": "__Host-letsswitch",
                        "description": .string(
                            "The cookie of `POST /v1/me/session`, for pages of this service; "
                                + "`letsswitch` where the service has no https. What changes something, a "
                                + "socket and a stream want `Sec-Fetch-Site: same-origin` or an `Origin` "
                                + "of this service."),
                    ],
                    "ticket": [
                        "type": "apiKey", "in": "query", "name": "token",
                        "description": "A ticket as in `socketUrl`, for one room; or a token.",
                    ],
                ],
                "schemas": .object(schemas),
                "responses": .object(problems),
            ],
        ]
    }

    /// The responses for each status that a problem can have.
    private static var problems: [String: JSONNode] {
        var problems: [String: JSONNode] = [:]
        for (status, names) in Dictionary(grouping: ProblemName.allCases, by: \.status) {
            let lines = names.map { "`\($0.path)`: \($0.title). \($0.explanation)" }
            var response: [String: JSONNode] = [
                "description": .string(lines.joined(separator: "\n\n")),
                "content": .object([Problem.mediaType: ["schema": reference("Problem")]]),
            ]
            var headers = spoken
            if let field = field(of: status) {
                headers[field] = ["required": true, "schema": ["type": "string"]]
            }
            response["headers"] = .object(headers)
            problems["Problem\(status)"] = .object(response)
        }
        return problems
    }

    /// Returns the header field that a problem with this status always has.
    private static func field(of status: Int) -> String? {
        switch status {
        case 401: "WWW-Authenticate"
        case 405: "Allow"
        case 429, 503: "Retry-After"
        default: nil
        }
    }

    package static func reference(_ schema: String) -> JSONNode { ["$ref": "#/components/schemas/\(schema)"] }
}
