import Contract

extension OpenAPI {
    /// The problems that every call may answer.
    private static let everywhere: [ProblemName] = [
        .unreadable, .requestTimeout, .uriTooLong, .expectationFailed, .headerTooLarge, .contentTooLarge,
        .quotaExceeded, .internalError, .notImplemented, .unavailable, .httpVersion,
    ]

    enum Access {
        case everybody, token, ticket
    }

    /// Returns the description of one call: its parameters, body and answers, and its problems beyond those
    /// of every call.
    static func operation(
        _ id: String, _ summary: String, access: Access = .token, parameters: [JSONNode] = [],
        body: String? = nil, answers: [String: JSONNode], problems: [ProblemName] = []
    ) -> JSONNode {
        var responses = answers
        var names = everywhere + problems
        // A call that takes no body refuses one.
        if body != nil || access == .token { names += [.unsupportedMediaType, .invalid] }
        if access != .everybody { names += [.unauthenticated, .crossSite] }
        for name in names where responses[String(name.status)] == nil {
            responses[String(name.status)] = ["$ref": "#/components/responses/Problem\(name.status)"]
        }
        var operation: [String: JSONNode] = [
            "operationId": .string(id), "summary": .string(summary), "responses": .object(responses),
        ]
        switch access {
        case .everybody: operation["security"] = []
        case .token: break
        case .ticket: operation["security"] = [["token": []], ["session": []], ["ticket": []]]
        }
        if !parameters.isEmpty { operation["parameters"] = .array(parameters) }
        if let body {
            operation["requestBody"] = [
                "required": true, "content": ["application/json": ["schema": reference(body)]],
            ]
        }
        return .object(operation)
    }

    /// Returns the description of a JSON answer.
    package static func answer(
        _ description: String, _ schema: String, headers: [String: JSONNode] = [:]
    ) -> JSONNode {
        let answer: JSONNode = [
            "description": .string(description),
            "content": ["application/json": ["schema": reference(schema)]],
        ]
        return headers.isEmpty ? answer : answer.adding(["headers": .object(headers)])
    }

    package static func answer(
        _ description: String, mediaType: String, schema: JSONNode = ["type": "string"]
    ) -> JSONNode {
        ["description": .string(description), "content": .object([mediaType: ["schema": schema]])]
    }

    static func empty(_ description: String) -> JSONNode { ["description": .string(description)] }

    package static func query(
        _ name: String, _ description: String, _ schema: JSONNode, required: Bool = false
    ) -> JSONNode {
        [
            "name": .string(name), "in": "query", "description": .string(description),
            "required": .bool(required), "schema": schema,
        ]
    }

    package static func path(_ name: String, _ description: String) -> JSONNode {
        [
            "name": .string(name), "in": "path", "required": true, "description": .string(description),
            "schema": uuid,
        ]
    }

    static let ifMatch = header(
        "If-Match", "The `ETag` of what the change is for: another state answers 412 and stays as it is.")

    static let ifNoneMatch = header(
        "If-None-Match", "The `ETag` of what you have: a 304 says that it is the same.")

    static let acceptLanguage = header(
        "Accept-Language",
        "The language of texts for people: `en`, `de` or `ja`. Without one of them it is the account's.")

    /// The fields of an answer whose text is in a language that the request chooses.
    static let spoken = always("Content-Language").merging(always("Vary")) { one, _ in one }

    static let prefer = header("Prefer", "`return=minimal` leaves the body of a success out (RFC 7240).")

    private static func header(_ name: String, _ description: String) -> JSONNode {
        [
            "name": .string(name), "in": "header", "description": .string(description),
            "schema": ["type": "string"],
        ]
    }

    private static func always(_ name: String) -> [String: JSONNode] {
        [name: ["required": true, "schema": ["type": "string"]]]
    }

    static let minimal = empty("As the request preferred, without the body.")

    /// Returns the answers of a read that carry an entity tag.
    static func tagged(_ status: String, _ description: String, _ schema: String) -> [String: JSONNode] {
        [status: answer(description, schema, headers: always("ETag")), "304": unchanged]
    }

    /// Returns the answers of a read that carry an entity tag, which differs with the language of the texts.
    static func taggedTexts(_ description: String, _ schema: String) -> [String: JSONNode] {
        let headers = always("ETag").merging(spoken) { one, _ in one }
        return [
            "200": answer(description, schema, headers: headers),
            "304": empty("It is as you have it.").adding(["headers": .object(headers)]),
        ]
    }

    /// Returns the answers of a read of one page of a list, which carry an entity tag.
    static func taggedPage(_ schema: String) -> [String: JSONNode] {
        let link: [String: JSONNode] = ["Link": ["schema": ["type": "string"]]]
        let headers = always("ETag").merging(link) { one, _ in one }
        return ["200": answer("One page.", schema, headers: headers), "304": unchanged]
    }

    static let unchanged = empty("It is as you have it.").adding(["headers": .object(always("ETag"))])

    /// Returns the answers of a change, with the entity tag of the new state.
    static func changed(
        _ description: String, _ schema: String, headers: [String: JSONNode] = [:]
    ) -> [String: JSONNode] {
        let headers = always("ETag").merging(headers) { one, _ in one }
        return [
            "200": answer(description, schema, headers: headers),
            "204": minimal.adding(["headers": .object(headers)]),
        ]
    }

    /// Returns the answer that is one page of a list.
    static func page(
        _ schema: String, _ description: String = "One page.", headers: [String: JSONNode] = [:]
    ) -> JSONNode {
        let link: [String: JSONNode] = ["Link": ["schema": ["type": "string"]]]
        return answer(description, schema, headers: link.merging(headers) { one, _ in one })
    }

    static let uuid: JSONNode = ["type": "string", "format": "uuid"]
    package static let time: JSONNode = ["type": "string", "format": "date-time"]
    package static let count: JSONNode = ["type": "integer", "minimum": 0]
}
