import API
import Contract
import Database
import HTTP1

/// The description of the admin API, OpenAPI 3.1, made of the table of routes.
struct DeskDescription: Sendable {
    let routes: [DeskRoute]

    var json: JSONValue {
        var paths: [(name: String, value: [(name: String, value: JSONValue)])] = []
        for route in routes {
            let operation = (name: route.method.rawValue.lowercased(), value: Self.operation(route))
            if let index = paths.firstIndex(where: { $0.name == route.path }) {
                paths[index].value.append(operation)
            } else {
                paths.append((route.path, [operation]))
            }
        }
        return [
            "openapi": "3.1.0",
            "info": ["title": "Let's Switch: the desk", "version": .string(Version.api)],
            "servers": [["url": "/"]],
            "security": [["cookie": []], ["token": []]],
            "paths": .members(paths.map { (name: $0.name, value: .members($0.value)) }),
            "components": [
                "securitySchemes": [
                    "cookie": [
                        "type": "apiKey", "in": "cookie", "name": .string(DeskAccess.cookie.name),
                        "description": "What changes something wants Sec-Fetch-Site: same-origin too.",
                    ],
                    "token": ["type": "http", "scheme": "bearer"],
                ],
                "schemas": [
                    "Problem": [
                        "type": "object",
                        "required": ["type", "title", "status", "detail", "instance"],
                        "properties": [
                            "type": ["type": "string"], "title": ["type": "string"],
                            "status": ["type": "integer"], "detail": ["type": "string"],
                            "instance": ["type": "string"],
                        ],
                    ]
                ],
            ],
        ]
    }

    private static func operation(_ route: DeskRoute) -> JSONValue {
        var members: [(name: String, value: JSONValue)] = [
            ("operationId", .string(name(of: route))), ("summary", .string(route.summary)),
            ("x-role", .optional(route.role?.rawValue)),
        ]
        if route.role == nil { members.append(("security", [])) }
        let inPath = route.path.split(separator: "/").filter { $0.hasPrefix("{") }.map { part -> JSONValue in
            [
                "name": .string(String(part.dropFirst().dropLast())), "in": "path", "required": true,
                "schema": ["type": "string"],
            ]
        }
        let inQuery = route.query.map { name -> JSONValue in
            ["name": .string(name), "in": "query", "required": false, "schema": ["type": "string"]]
        }
        if !inPath.isEmpty || !inQuery.isEmpty { members.append(("parameters", .array(inPath + inQuery))) }
        if !route.body.isEmpty {
            members.append(
                (
                    "requestBody",
                    ["required": true, "content": ["application/json": ["schema": body(of: route)]]]
                ))
        }
        let problem: JSONValue = [
            "description": "A problem (RFC 9457).",
            "content": ["application/problem+json": ["schema": ["$ref": "#/components/schemas/Problem"]]],
        ]
        var answer: [(name: String, value: JSONValue)] = [("description", .string(route.summary))]
        if ![202, 204].contains(route.status) {
            answer.append(("content", .members([(media(of: route), .object([]))])))
        }
        members.append(
            ("responses", .members([("\(route.status)", .members(answer)), ("default", problem)])))
        return .members(members)
    }

    private static func media(of route: DeskRoute) -> String {
        switch route.path {
        case Desk.root + "/live": "text/event-stream"
        case Desk.root + "/audit/export": "application/x-ndjson"
        default: "application/json"
        }
    }

    private static func body(of route: DeskRoute) -> JSONValue {
        let properties = route.body.map { member -> (name: String, value: JSONValue) in
            let schema: JSONValue =
                switch member.kind {
                case .string: ["type": "string"]
                case .integer: ["type": "integer"]
                case .object: ["type": "object"]
                case .time: ["type": "string", "format": "date-time"]
                }
            return (member.name, schema)
        }
        return [
            "type": "object", "additionalProperties": false, "properties": .members(properties),
            "required": .array(route.body.filter(\.isRequired).map { .string($0.name) }),
        ]
    }

    /// Returns a name such as `postPeopleSuspend`.
    private static func name(of route: DeskRoute) -> String {
        let words = route.path.dropFirst(Desk.root.count).split { "/-".contains($0) }.map { part in
            part.hasPrefix("{") ? "One" : part.prefix(1).uppercased() + part.dropFirst()
        }
        return route.method.rawValue.lowercased() + words.joined()
    }
}
