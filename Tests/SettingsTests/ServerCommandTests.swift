import Contract
import Testing

@testable import Settings

@Suite("Commands")
struct ServerCommandTests {
    private func command(_ arguments: String...) throws(ConfigurationError) -> ServerCommand {
        try ServerCommand(arguments: arguments, environment: [:])
    }

    @Test("no command is serve")
    func serve() throws {
        let standard = ServerConfiguration()
        var other = standard
        other.port = 0
        #expect(try command() == .serve(standard))
        #expect(try command("serve") == .serve(standard))
        #expect(try command("--port", "0") == .serve(other))
        #expect(try command("serve", "--port=0") == .serve(other))
    }

    @Test("migrate and healthcheck take the same settings")
    func others() throws {
        var configuration = ServerConfiguration()
        configuration.port = 1
        #expect(try command("migrate", "--port", "1") == .migrate(configuration))
        #expect(try command("healthcheck", "--port", "1") == .healthcheck(configuration))
    }

    @Test("deliveries of a host or an endpoint are replayed since a time, and not without one")
    func failedDeliveries() throws {
        let standard = ServerConfiguration()
        let id = try #require(Identifier("0198c0de-0000-7000-8000-000000000001"))
        let (since, until) = (Timestamp(seconds: 1_798_761_600), Timestamp(seconds: 1_798_761_660))
        #expect(
            try command("deliveries", "--replay-host", "a:443", "--since=2027-01-01T00:00:00Z")
                == .deliveries(standard, .replayFailed(FailedDeliveries(.host("a:443"), since: since))))
        #expect(
            try command(
                "deliveries", "--replay-endpoint", "\(id)", "--since", "2027-01-01T00:00:00Z", "--until",
                "2027-01-01T00:01:00Z")
                == .deliveries(
                    standard, .replayFailed(FailedDeliveries(.endpoint(id), since: since, until: until))))
        for wrong in [
            ["--replay-host", "a"], ["--replay-host", "a", "--since", "x"],
            ["--replay-endpoint", "7", "--since", "2027-01-01T00:00:00Z"],
            ["--replay-host", "a", "--since", "2027-01-01T00:00:00Z", "--until", "x"],
            ["--since", "2027-01-01T00:00:00Z"],
        ] {
            #expect(throws: ConfigurationError.self, "\(wrong)") {
                try ServerCommand(arguments: ["deliveries"] + wrong, environment: [:])
            }
        }
    }

    @Test("deliveries has flags of its own beside the settings")
    func deliveries() throws {
        let standard = ServerConfiguration()
        var other = standard
        other.port = 1
        #expect(try command("deliveries") == .deliveries(standard, .latest))
        #expect(try command("deliveries", "--failing", "--port", "1") == .deliveries(other, .failing))
        #expect(try command("deliveries", "--port=1", "--replay", "7") == .deliveries(other, .replay(7)))
        #expect(try command("deliveries", "--replay=7") == .deliveries(standard, .replay(7)))
        #expect(try command("deliveries", "--replay", "msg_7") == .deliveries(standard, .replay(7)))
        for wrong in ["msg_", "msg_x", "msg_0", "msg_msg_7", "x_7"] {
            #expect(throws: ConfigurationError.self) { try command("deliveries", "--replay", wrong) }
        }
        #expect(throws: ConfigurationError.missingValue(flag: "--replay")) {
            try command("deliveries", "--replay")
        }
    }

    @Test("cluster takes the URL of a balancer beside the settings")
    func cluster() throws {
        let standard = ServerConfiguration()
        #expect(try command("cluster") == .cluster(standard, balancer: nil))
        let url = try WebURL("https://example.org/base")
        for arguments in [["--balancer", url.text], ["--balancer=\(url.text)"]] {
            #expect(
                try ServerCommand(arguments: ["cluster"] + arguments, environment: [:])
                    == .cluster(standard, balancer: url))
        }
        #expect(throws: ConfigurationError.missingValue(flag: "--balancer")) {
            try command("cluster", "--balancer")
        }
        for wrong in ["example.org", "ftp://example.org", ""] {
            #expect(throws: ConfigurationError.self) { try command("cluster", "--balancer", wrong) }
        }
        #expect(throws: ConfigurationError.self) { try command("serve", "--balancer", url.text) }
    }

    @Test("explain takes a slot, and says what is wrong with another word")
    func explain() throws {
        var configuration = ServerConfiguration()
        configuration.trios = .off
        let slot = try #require(Timestamp("2027-03-28T09:00:00Z"))
        #expect(
            try command("explain", "2027-03-28T11:00:00+02:00", "--trios", "off")
                == .explain(configuration, slot, minutes: nil))
        #expect(
            try command("explain", "2027-03-28T09:00:00Z", "--for", "50")
                == .explain(ServerConfiguration(), slot, minutes: 50))
        for wrong in ["x", "0", "241", "25.5"] {
            #expect(throws: ConfigurationError.self) {
                try command("explain", "2027-03-28T09:00:00Z", "--for", wrong)
            }
        }
        #expect(throws: ServerCommand.Name.explain.missingArgument) { try command("explain") }
        let error = #expect(throws: ConfigurationError.self) { try command("explain", "9") }
        #expect(error?.description.hasPrefix("SLOT=9 is not a time") ?? false)
    }

    @Test("restore takes a file, has to be told where to, and may be silent")
    func restore() throws {
        var configuration = ServerConfiguration()
        configuration.dataDirectory = "new"
        #expect(
            try command("restore", "old", "--data-dir", "new") == .restore(configuration, file: "old"))
        #expect(
            try command("restore", "old", "--without-deliveries", "--data-dir=new")
                == .restore(configuration, file: "old", withoutDeliveries: true))
        #expect(throws: ConfigurationError.missingTarget) { try command("restore", "old") }
        #expect(throws: ServerCommand.Name.restore.missingArgument) { try command("restore") }
    }

    @Test("backup and restore take a file, verify and renumber none")
    func surviving() throws {
        let standard = ServerConfiguration()
        var other = standard
        other.dataDirectory = "data"
        #expect(try command("backup", "to") == .backup(standard, file: "to"))
        #expect(try command("restore", "from", "--data-dir", "data") == .restore(other, file: "from"))
        #expect(try command("verify", "--data-dir=data") == .verify(other))
        #expect(try command("renumber") == .renumber(standard))
        for name in ["backup", "restore"] {
            for flags in [[], ["--data-dir", "data"]] {
                let error = #expect(throws: ConfigurationError.self) {
                    try ServerCommand(arguments: [name] + flags, environment: [:])
                }
                let start = "\(name) needs FILE, the path of a"
                #expect(error?.description.hasPrefix(start) == true, "\(error.map(String.init) ?? "none")")
            }
        }
        #expect(throws: ConfigurationError.unexpectedArgument("more")) { try command("verify", "more") }
    }

    @Test("help and version need no sensible rest")
    func help() throws {
        #expect(try command("--help") == .help(nil))
        #expect(try command("nonsense", "--help") == .help(nil))
        #expect(try command("help") == .help(nil))
        #expect(try command("backup", "--help") == .help(.backup))
        #expect(try command("operator", "add", "-h") == .help(.operators))
        #expect(try command("help", "restore") == .help(.restore))
        #expect(try command("--version") == .version)
        #expect(try command("version") == .version)
    }

    @Test("an unknown command is refused, with what was meant")
    func unknown() {
        #expect(throws: ConfigurationError.unknownCommand("migrat", suggestion: "migrate")) {
            try command("migrat")
        }
        #expect(throws: ConfigurationError.unexpectedArgument("serve")) {
            try command("--port", "1", "serve")
        }
    }

    @Test("the help of a command is about that command", arguments: ServerCommand.Name.allCases)
    func helpOfCommand(name: ServerCommand.Name) {
        let text = name.helpText
        #expect(text.hasPrefix("Usage: letsswitch-server \(name.rawValue) "))
        #expect(!text.contains("\n\n\n") && !text.hasSuffix("\n"))
        let longest = text.split(separator: "\n").map(\.count).max() ?? 0
        #expect(longest <= 110)
    }

    @Test("a switch is on or off, and true or false as before")
    func switches() throws {
        for (text, expected) in [("on", Switch.on), ("true", .on), ("OFF", .off), ("false", .off)] {
            let read = try command("serve", "--allow-private-webhooks", text, "--web", text)
            guard case .serve(let configuration) = read else { return #expect(Bool(false)) }
            #expect(configuration.allowPrivateWebhooks == expected)
            #expect(configuration.web == expected)
        }
        let error = #expect(throws: ConfigurationError.self) { try command("serve", "--web", "yes") }
        #expect(error?.description == "WEB=yes is not one of these: use on, off.")
    }

    @Test("the help names every setting as a flag and as a variable")
    func helpIsComplete() {
        for setting in Setting.allCases {
            #expect(ServerCommand.helpText.contains("  \(setting.flag) "))
            #expect(ServerCommand.helpText.contains(" \(setting.name) "))
        }
    }
}
