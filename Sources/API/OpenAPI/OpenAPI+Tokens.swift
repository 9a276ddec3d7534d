import Contract

extension OpenAPI {
    /// The calls for the tokens of an account, its sessions and its recovery code.
    static var tokens: [String: [String: JSONNode]] {
        [
            Routes.tokens: [
                "post": operation(
                    "makeToken",
                    "Make another token, for a program or a device of yours. It may do everything that the "
                        + "main one may, but for replacing that one. It is shown this once. It ends with "
                        + "the token that made it, and expires with that one at the latest. If a session "
                        + "made it, that is the session's token. Replacing the main token does not end it.",
                    body: "NewToken",
                    answers: [
                        "201": answer(
                            "The token, and what the list says of it.", "IssuedToken",
                            headers: ["Location": ["schema": string]])
                    ], problems: [.limitReached]),
                "get": operation(
                    "listTokens", "Your valid tokens, oldest first.",
                    parameters: [limit, cursor],
                    answers: ["200": page("AccountTokenList")]),
            ],
            Routes.tokens + "/{id}": [
                "delete": operation(
                    "revokeToken",
                    "End a token, the tokens and sessions that it made, and those that these made, with "
                        + "every ticket, socket and stream under them. With the main token all tokens end; "
                        + "that of an account without a recovery code is kept: 409.",
                    parameters: [path("id", "The token's id.")],
                    answers: ["204": empty("It is not valid any more.")], problems: [.notFound, .conflict])
            ],
            Routes.session: [
                "post": operation(
                    "makeSession",
                    "Exchange your token for a session of this browser: an HttpOnly cookie, for "
                        + "pages of this service alone. The request has to carry the token itself. A "
                        + "session ends with its token, and 30 days after its last use; of more than "
                        + "20 the one that was not used for the longest time ends.",
                    answers: [
                        "201": answer(
                            "The session; the cookie is in the header.", "AccountSessionAnswer",
                            headers: ["Set-Cookie": ["schema": string]])
                    ]),
                "delete": operation(
                    "endOwnSession", "End the session of this request, and take its cookie away.",
                    answers: ["204": empty("It has ended.")], problems: [.notFound]),
            ],
            Routes.sessions: [
                "get": operation(
                    "listSessions", "Your sessions, oldest first.",
                    parameters: [limit, cursor],
                    answers: ["200": page("AccountSessionList")])
            ],
            Routes.sessions + "/{id}": [
                "delete": operation(
                    "endSession", "End a session, with every ticket, socket and stream under it.",
                    parameters: [path("id", "The session's id.")],
                    answers: ["204": empty("It has ended.")], problems: [.notFound])
            ],
            Routes.recoveryCode: [
                "post": operation(
                    "makeRecoveryCode",
                    "Make a recovery code, in place of the one that the account has, if any. It is shown "
                        + "this once.",
                    answers: ["201": answer("The code.", "IssuedRecoveryCode")])
            ],
            Routes.recover: [
                "post": operation(
                    "recover",
                    "Come back into your account by its recovery code. Every token of the account ends, and "
                        + "you get a new one and the next code. If the answer is lost, the code works again "
                        + "for an hour, until the new token is used.",
                    access: .everybody, body: "Recovery",
                    answers: ["201": answer("The account's only token, and its next code.", "Recovered")],
                    problems: [.unauthenticated, .crossSite])
            ],
        ]
    }

    /// A code as people write it.
    private static let recoveryCode: JSONNode = [
        "type": "string", "maxLength": .integer(TextRule.recoveryCode.length.upperBound),
        "pattern": "^([- ]*[0-9A-TV-Za-tv-z]){25}[- ]*$",
    ]

    static var tokenSchemas: [String: JSONNode] {
        let bool: JSONNode = ["type": "boolean"]
        return [
            "NewToken": request(
                ["name": text(.name)],
                optional: ["expiresAt": ["type": ["string", "null"], "format": "date-time"]]),
            "AccountToken": object(
                ["id": uuid, "createdAt": time, "main": bool, "current": bool],
                optional: ["name": string, "lastUsedAt": time, "expiresAt": time, "prefix": string]
            ).adding([
                "description": .string(
                    "`main`: the token of the sign-up, or the one that has taken its place. `current`: the "
                        + "token of this request. `lastUsedAt` is stored about once a minute.")
            ]),
            "AccountTokenList": object(
                ["tokens": list(reference("AccountToken"))], optional: ["nextCursor": string]),
            "IssuedToken": object(["token": string, "details": reference("AccountToken")]),
            "AccountSession": object(
                ["id": uuid, "createdAt": time, "expiresAt": time, "current": bool],
                optional: ["lastUsedAt": time]),
            "AccountSessionAnswer": object(["session": reference("AccountSession")]),
            "AccountSessionList": object(
                ["sessions": list(reference("AccountSession"))], optional: ["nextCursor": string]),
            "IssuedRecoveryCode": object(["recoveryCode": string]),
            "Recovery": request(["recoveryCode": recoveryCode]),
            "Recovered": object(["token": string, "recoveryCode": string]),
        ]
    }
}
