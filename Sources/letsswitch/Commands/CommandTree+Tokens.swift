import Contract

extension CommandTree {
    private static let example = "0198c0de-0000-8000-8000-000000000001"

    static let listTokens = Command(
        name: "token list", summary: "Show the tokens of your account",
        details: "The main token is that of the sign-up, or its replacement.",
        examples: [
            "letsswitch token list": "The oldest first",
            "letsswitch token list --json": "The same as JSON",
        ], run: TokensCommand.list)

    static let makeToken = Command(
        name: "token new", summary: "Make another token, for a program or a device of yours",
        details: """
            It may do everything that the one of this machine may, but for "token renew". You can have
            \(Limits.tokens) at once.
            """,
        arguments: [.init(name: "NAME", meaning: "A name for it")],
        options: [.init(name: "days", value: "N", meaning: "End it after so many days. Default: never")],
        examples: [
            "letsswitch token new \"My bot\"": "A token that does not expire",
            "letsswitch token new Laptop --days 90 -q": "Print the token alone; it ends after 90 days",
        ], run: TokensCommand.make)

    static let revokeToken = Command(
        name: "token revoke",
        summary: "End a token, the tokens that it made, and their sessions",
        arguments: [
            .init(
                name: "ID", meaning: "The token, by its id or its number in \"token list\"",
                completion: .entries(.token))
        ],
        examples: [
            "letsswitch token revoke \(example)": "It becomes invalid at once"
        ], run: TokensCommand.revoke)

    static let recover = Command(
        name: "recover", summary: "Come back into your account by its recovery code",
        details: """
            Every token that the account had ends. You get a new one, which is stored for you alone, and the
            next recovery code. Without --code-file the code is read from standard input.
            """,
        options: [
            .init(
                name: "code-file", value: "F", completion: .file,
                meaning: "The file that holds the code; - is standard input"),
            .init(name: "force", meaning: "Replace the token that is stored on this machine"),
        ],
        examples: [
            "letsswitch recover --code-file code.txt": "Read the code from a file",
            "pass letsswitch-recovery | letsswitch recover": "Read it from a program",
        ], run: RecoverCommand.run)

    static let makeRecoveryCode = Command(
        name: "token recovery", aliases: ["account recovery"],
        summary: "Make a new recovery code, which replaces the old one",
        details: "A code that could not be shown when it was made is shown first.",
        examples: [
            "letsswitch token recovery": "Show the code, this once",
            "letsswitch token recovery -q": "Print the code alone",
        ], run: RecoverCommand.makeCode)

    static let showSecrets = Command(
        name: "token show",
        summary: "Show the secrets that could not be shown when they were made",
        details: """
            Recovery codes, tokens, secrets of webhooks, addresses of calendars and invites are shown once. If
            one cannot be written, it is kept beside the token, for you alone, until it has been shown.
            """,
        examples: [
            "letsswitch token show": "Show them, and keep them no longer",
            "letsswitch token show --json": "The same as JSON",
        ], run: TokensCommand.show)
}
