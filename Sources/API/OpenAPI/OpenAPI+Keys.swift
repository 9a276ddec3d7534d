import Contract
import HTTPServer

extension OpenAPI {
    private static let aboutKey = """
        A key that you make for this one request, such as a UUID, in quotation marks or bare \
        (draft-ietf-httpapi-idempotency-key-header). If the answer is lost, send the same request with the \
        same key again, within 24 hours: it takes effect once, and you get the same answer, with \
        `Idempotent-Replayed: true`. That holds for successes and for what the state of things refused (409 \
        and 422); other errors are not kept.
        """

    /// Returns the description of a POST with what all of them have: the header `Idempotency-Key` with so
    /// many characters at least, and its answers.
    static func keyed(_ operation: JSONNode, least: Int) -> JSONNode {
        guard case .object(var members) = operation else { return operation }
        let key: JSONNode = [
            "name": .string(IdempotencyKeyField.name), "in": "header", "required": false,
            "description": .string(aboutKey),
            "schema": ["type": "string", "pattern": .string(IdempotencyKeyField.pattern(least: least))],
        ]
        if case .array(let parameters)? = members["parameters"] {
            members["parameters"] = .array(parameters + [key])
        } else {
            members["parameters"] = [key]
        }
        if case .object(var responses)? = members["responses"] {
            for name in [ProblemName.keyUnderWay, .keyReused] {
                let status = String(name.status)
                if responses[status] == nil {
                    responses[status] = ["$ref": .string("#/components/responses/Problem\(status)")]
                }
            }
            for (status, response) in responses where status.hasPrefix("2") {
                responses[status] = replayable(response)
            }
            members["responses"] = .object(responses)
        }
        return .object(members)
    }

    /// Adds the header field that a replayed answer has.
    private static func replayable(_ response: JSONNode) -> JSONNode {
        guard case .object(var members) = response else { return response }
        let field: [String: JSONNode] = [
            HTTPResponse.replayedField: [
                "description": "The answer was given before.",
                "schema": ["type": "string", "enum": ["true"]],
            ]
        ]
        if case .object(let headers)? = members["headers"] {
            members["headers"] = .object(headers.merging(field) { own, _ in own })
        } else {
            members["headers"] = .object(field)
        }
        return .object(members)
    }
}
