import Contract

extension CommandTree {
    static let signUp = Command(
        name: "signup", summary: "Make an account and sign in",
        details: """
            The token is stored in $XDG_CONFIG_HOME/letsswitch/token (default: ~/.config), for you alone, with
            the server that it is for. No other server gets it.
            """,
        arguments: [.init(name: "NAME", meaning: "The name that others see")],
        options: [
            .init(
                name: "time-zone", value: "Z", completion: .zones,
                meaning: "An IANA name like Asia/Tokyo. Default: this machine's"),
            .init(name: "code", value: "C", meaning: "A code for an account, if the service asks for one"),
            .init(
                name: "invite", value: "CODE",
                meaning: "An invite or its link, if the service asks for one. It is not used up"),
            .init(name: "force", meaning: "Replace the account that you are signed in with"),
        ],
        examples: [
            "letsswitch signup Alice": "An account named Alice, with this machine's times",
            "letsswitch signup \"Bob K.\" --time-zone Europe/Berlin": "Times are in Berlin's zone",
            "letsswitch signup Carla --code ABCD-EFGH-JKMN-PQRS":
                "The people who run the service gave you a code",
        ], run: SignUpCommand.run)

    static let logIn = Command(
        name: "login", summary: "Sign in with a token or a sign-in code",
        details: """
            The token is tried before it is stored. A file that others can read is refused, and so is a file
            of another server: its first line is the token, and its second the server. A token alone is taken
            for one of the server that the command goes to.
            """,
        options: [
            .init(
                name: "token-file", value: "F", completion: .file,
                meaning: "The file that holds the token; - is standard input"),
            .init(
                name: "code", value: "C", meaning: "The sign-in code of an account that was made for you"),
            .init(name: "force", meaning: "Replace the token that is stored on this machine"),
        ],
        examples: [
            "letsswitch login --token-file token.txt": "Read the token from a file",
            "pass letsswitch | letsswitch login --token-file -": "Read it from a program",
            "letsswitch login --code ABCD-EFGH-JKMN-PQRS":
                "The first sign-in to an account that was made for you",
        ], run: LogInCommand.run)

    private static let languages = Language.allCases.map(\.rawValue).joined(separator: ", ")

    static let account = Command(
        name: "account", summary: "Show your account, or change its name, time zone or language",
        details: "A new time zone leaves what you are registered for where it is.",
        options: [
            .init(name: "name", value: "NAME", meaning: "The new name that others see"),
            .init(
                name: "time-zone", value: "Z", completion: .zones, meaning: "An IANA name like Asia/Tokyo"),
            .init(
                name: "language", value: "L",
                completion: .words(Language.allCases.map(\.rawValue) + [AccountCommand.noLanguage]),
                meaning: "The language of pushes: \(languages), or none"),
        ],
        examples: [
            "letsswitch account": "Name, time zone, id, server, and where the token is",
            "letsswitch account --name \"Alice B.\"": "Another name",
            "letsswitch account --time-zone Europe/Paris": "You have moved",
            "letsswitch account --language de": "Pushes in German",
        ], run: AccountCommand.run)

    static let logOut = Command(
        name: "account log-out", aliases: ["account logout"],
        summary: "End this machine's token, and keep the account",
        details: """
            The token ends on the server, with the tokens that it made and everything that is signed in with
            them, and is removed from this machine. All tokens end with the main one: you are asked before,
            and the server refuses it if there is no recovery code to come back by.
            """,
        options: [
            .init(name: "local", meaning: "Only remove the token from this machine; it stays valid"),
            .init(name: "yes", meaning: "Do not ask"),
        ],
        examples: [
            "letsswitch account log-out": "Come back with another token or the recovery code",
            "letsswitch account log-out --local":
                "The token is in use elsewhere, or the server cannot be reached",
        ], run: AccountCommand.logOut)

    static let deleteAccount = Command(
        name: "account delete", summary: "Delete your account for good",
        details: """
            Everything that names it goes. What others keep, such as rooms, then names a former user, without
            task and tag. On a terminal you are asked for the account's name first.
            """,
        options: [.init(name: "yes", meaning: "Do not ask")],
        examples: [
            "letsswitch account delete": "Asks, and then deletes",
            "letsswitch account delete --yes": "For scripts",
        ], run: AccountCommand.delete)

    static let whoAmI = Command(
        name: "whoami", aliases: ["account show"], summary: "Show the account that you are signed in with",
        examples: [
            "letsswitch whoami": "Name, time zone and id",
            "letsswitch whoami --json": "The same as JSON",
        ], run: AccountCommand.whoAmI)

    static let export = Command(
        name: "export", summary: "Get everything that the service holds about you",
        details: """
            One JSON document: your account, registrations, rooms, notifications, endpoints and what else
            there is, without anything about others and without secrets. A file is made for you alone, and
            only once all of it has come: it is whole, or it is not there.
            """,
        options: [
            .init(
                name: "output", short: "o", value: "FILE", completion: .file,
                meaning: "Where to write it. Default: standard output")
        ],
        examples: [
            "letsswitch export --output me.json": "Keep it in a file",
            "letsswitch export | jq '.registrations | length'": "Count your registrations",
        ], run: ExportCommand.run)

    static let renewToken = Command(
        name: "token renew", aliases: ["account new-token"],
        summary: "Replace your token, and keep the account",
        details: """
            Use it where others may have got hold of your token. The new one takes its place in the file;
            whatever is signed in with the old one ends, and copies that you keep elsewhere are of no use.
            The account is lost at no point: the old token is valid until the new one is stored and used.
            Where the command does not come to its end, the next one goes on with the token that is valid.
            """,
        examples: [
            "letsswitch token renew": "The old one becomes invalid",
            "letsswitch token renew && head -n 1 ~/.config/letsswitch/token":
                "Show the new one, for a program of yours",
        ], run: TokensCommand.renew)

    static let doctor = Command(
        name: "doctor", summary: "Diagnose problems",
        details: """
            Looks at the server's name, port, certificate, health and version, at your clock and your token,
            and at the way of WebSockets, and says what to do.
            The exit code is that of the first thing that is wrong.
            """,
        examples: [
            "letsswitch doctor": "Check everything",
            "letsswitch doctor --server http://10.0.0.5:8080": "Check another server",
            "letsswitch doctor --server https://switch.example.org --cacert ca.pem":
                "Check a server over TLS whose authority the system does not know",
        ], run: DoctorCommand.run)
}
