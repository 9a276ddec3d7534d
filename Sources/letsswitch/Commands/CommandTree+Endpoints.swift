import Contract

extension CommandTree {
    private static let example = "0198c0de-0000-7000-8000-000000000001"

    private static let endpoint = Command.Argument(
        name: "ID", meaning: "The endpoint, by its id or its number in \"endpoints\"",
        completion: .entries(.endpoint))

    static let endpoints = Command(
        name: "endpoints", aliases: ["endpoints list"],
        summary: "Show the endpoints of your notifications and their state",
        details: "Besides the list and the stream of notifications: to programs, devices and browsers.",
        examples: [
            "letsswitch endpoints": "All of them, each with its latest attempt",
            "letsswitch endpoints --json": "The same as JSON",
        ], run: EndpointCommands.list)

    static let showEndpoint = Command(
        name: "endpoints show", summary: "Show an endpoint and its latest attempts", arguments: [endpoint],
        examples: ["letsswitch endpoints show \(example)": "The last ten"],
        run: EndpointCommands.show)

    static let addEndpoint = Command(
        name: "endpoints add", summary: "Send notifications to a program of yours",
        details: """
            The program gets a POST for each, as Standard Webhooks has it, and answers with 2xx.
            What is printed is the secret that signs them. It is shown this once; with -q, nothing else is.
            """,
        arguments: [
            .init(
                name: "KIND", meaning: Text(verbatim: EndpointKind.webhook.rawValue),
                completion: .words([EndpointKind.webhook.rawValue])),
            .init(name: "URL", meaning: "Where the program listens, https:// or http://"),
        ],
        options: [types],
        examples: [
            "letsswitch endpoints add webhook https://example.org/hook": "All notifications",
            "letsswitch endpoints add webhook https://example.org/hook --types room.opened":
                "Only when a room opens",
            "(umask 077; letsswitch endpoints add webhook https://example.org/hook -q >hook.secret)":
                "The secret into a file that only you can read",
        ], run: EndpointCommands.add)

    static let removeEndpoint = Command(
        name: "endpoints remove", summary: "Remove an endpoint", arguments: [endpoint],
        examples: ["letsswitch endpoints remove \(example)": "From now on"],
        run: EndpointCommands.remove)

    static let testEndpoint = Command(
        name: "endpoints test", summary: "Send a test to an endpoint and show the result",
        details: "If it is not delivered, the exit code is 1.", arguments: [endpoint],
        examples: [
            "letsswitch endpoints test \(example)": "At most five in a minute"
        ], run: EndpointCommands.test)

    static let rotateSecret = Command(
        name: "endpoints rotate", summary: "Replace the secret of a webhook",
        details: """
            What is printed is the new secret. It is shown this once; with -q, nothing else is.
            For 24 hours deliveries are signed with both, so that your program can change to it meanwhile.
            """, arguments: [endpoint],
        examples: [
            "letsswitch endpoints rotate \(example)": "The old one is valid for a day"
        ], run: EndpointCommands.rotate)

    static let verifyWebhook = Command(
        name: "webhook verify", summary: "Check the signature of a webhook's delivery",
        details: """
            Standard input is the request as it came, header and body; or, with --id, --timestamp and
            --signature, the body alone. It needs neither a server nor an account.
            The exit code is 0 where the signature is right and not older than five minutes, else 1.
            """,
        options: [
            .init(
                name: "secret-file", value: "F", completion: .file,
                meaning:
                    "The file that holds the secret, for you alone. Default: "
                    + "\(VerifyWebhookCommand.secretVariable)"
            ),
            .init(name: "id", value: "ID", meaning: "What webhook-id said"),
            .init(name: "timestamp", value: "SECONDS", meaning: "What webhook-timestamp said"),
            .init(name: "signature", value: "TEXT", meaning: "What webhook-signature said"),
            .init(name: "any-age", meaning: "Take a delivery of any time"),
        ],
        examples: [
            "letsswitch webhook verify --secret-file hook.secret <request.txt":
                "A request that was saved whole",
            "letsswitch webhook verify --secret-file hook.secret --id msg_12 "
                + "--timestamp 1800000000 --signature 'v1,…' --any-age <body.json":
                "Its body alone, some time later",
        ], run: VerifyWebhookCommand.run)
}
