import Contract
import Database

extension OpenAPI {
    private static let aboutExport = """
        One document of everything that the service holds about your account, and nothing about others. \
        Secrets, and numbers that only the service counts by, are left out. It is written while it is read: \
        what was there all the time is in it once, and a change that is made meanwhile may be in it or not. \
        If it cannot be finished, the connection ends without the end of the body (the last chunk), and what \
        came is not whole. One export at a time for an account; a reader that takes nothing for 30 seconds \
        is cut off.
        """

    static let exportPaths: [String: [String: JSONNode]] = [
        Routes.export: [
            "get": operation(
                "exportAccount", "Everything that is held about your account.",
                answers: [
                    "200": answer(
                        "The document.", "AccountExport",
                        headers: ["Content-Disposition": ["required": true, "schema": string]])
                ], problems: [.tooManyExports]
            ).adding(["description": .string(aboutExport)])
        ]
    ]

    /// The schema of the document follows from the list of all that is held.
    static let exportSchemas: [String: JSONNode] = {
        var (required, optional): ([String: JSONNode], [String: JSONNode]) = (["exportedAt": time], [:])
        for table in AccountData.tables where table.isExported {
            var members: [String: JSONNode] = table.shown.reduce(into: [:]) {
                $0[$1.member] = schema($1.kind)
            }
            if table.shown.contains(where: { $0.kind == .slot }) { members["minutes"] = schema(.number) }
            let row = object([:], optional: members)
            if table.key.isEmpty { optional[table.member] = row } else { required[table.member] = list(row) }
        }
        return ["AccountExport": object(required, optional: optional)]
    }()

    private static func schema(_ kind: AccountTable.Kind) -> JSONNode {
        switch kind {
        case .id: uuid
        case .text: string
        case .texts: list(string)
        case .time, .slot, .start: time
        case .number: ["type": "integer"]
        case .flag: ["type": "boolean"]
        }
    }
}
