import Client
import ClientTesting
import Contract
import HTTP1
import HTTPServer
import Reactor
import TLS
import Testing

@testable import letsswitch

@Suite("The language of the command line client", .timeLimit(.minutes(5)))
struct LanguageCommandTests {
    private static let english = "letsswitch: You are not signed in. Make an account with"
    private static let german = "letsswitch: Du bist nicht angemeldet. Lege mit"

    private func errors(_ environment: [String], _ arguments: String...) async throws -> String {
        let outcome = try await CommandProcess().run(
            arguments, server: "http://127.0.0.1:1", environment: environment)
        #expect(outcome.status == 3, "\(outcome)")
        return outcome.errors
    }

    @Test("follows the locale: LC_ALL before LC_MESSAGES before LANG, and English for any other")
    func locale() async throws {
        for environment in [
            [], ["LANG=C"], ["LANG=C.UTF-8"], ["LANG=fr_FR.UTF-8"], ["LANG=de_DE"], ["LANG=de_DE.ISO-8859-1"],
            ["LC_ALL=C.UTF-8", "LANG=de_DE.UTF-8"], ["LANG=%n%s{1}.UTF-8"],
            ["LC_MESSAGES=en_GB.UTF-8", "LANG=de_DE.UTF-8"],
        ] {
            #expect(try await errors(environment, "whoami").hasPrefix(Self.english), "\(environment)")
        }
        for environment in [
            ["LANG=de_DE.UTF-8"], ["LC_ALL=de_AT.utf8", "LANG=C"], ["LC_ALL=", "LANG=de.UTF-8"],
            ["LC_MESSAGES=de_CH.UTF-8", "LANG=ja_JP.UTF-8"],
        ] {
            #expect(try await errors(environment, "whoami").hasPrefix(Self.german), "\(environment)")
        }
        #expect(try await errors(["LANG=ja_JP.UTF-8"], "whoami").hasPrefix("letsswitch: サインインしていません。"))
    }

    @Test("is English for programs, whatever the locale is")
    func programs() async throws {
        let german = try await errors(["LANG=de_DE.UTF-8"], "whoami", "--json")
        #expect(german == (try await errors([], "whoami", "--json")))
        #expect(german.contains("You are not signed in"))
    }

    @Test("the server is asked for the same language, and tables line up in wide characters")
    func slots() async throws {
        let asked = Lock<[String]>([])
        let server = try await ScriptedServer(.get, Routes.slots) { request in
            let language = request.head.headers.first("accept-language") ?? ""
            asked.withLock { $0.append(language) }
            let slots = [SlotState.empty, .partnered, .closed].map { state in
                SlotView(
                    startsAt: Sample.start, endsAt: Sample.start, localTime: "2027-01-15T09:00",
                    state: state, others: 1, in: Language(rawValue: language) ?? .english)
            }
            let list = SlotList(date: LocalDate(utc: Sample.start), timeZone: "UTC", slots: slots)
            return .json(list)
        }
        let process = try CommandProcess.signedIn()
        for (locale, word) in [("C", "empty"), ("de_DE.UTF-8", "leer"), ("ja_JP.UTF-8", "空き")] {
            let outcome = try await process.run(
                ["slots", "--all"], server: server.url, environment: ["LANG=\(locale)"])
            let lines = outcome.output.split(separator: "\n").dropFirst()
            #expect(lines.count == 3 && outcome.output.contains("09:00  \(word) "), "\(outcome)")
            let messages = ["en", "de", "ja"].compactMap { Language(rawValue: $0) }.first {
                lines[1].contains(SlotState.empty.message(others: 1).said(in: $0))
            }
            #expect(messages == Language(locale: locale) ?? .english)
            // The third column begins in the same column of the terminal.
            let begins = zip(lines, [SlotState.empty, .partnered, .closed]).map { line, state in
                let said = state.message(others: 1).said(in: Language(locale: locale) ?? .english)
                return line.firstRange(of: said).map { TextWidth.of(String(line[..<$0.lowerBound])) }
            }
            #expect(begins[0] != nil && Set(begins).count == 1, "\(outcome.output)")
        }
        #expect(asked.withLock { $0 } == ["en", "de", "ja"])
    }

    @Test("account --language sets the account's, and none takes it back")
    func account() async throws {
        let bodies = Lock<[String]>([])
        let server = try await ScriptedServer(.patch, Routes.me) { request in
            bodies.withLock { $0.append(String(decoding: request.body, as: UTF8.self)) }
            var user = Sample.user
            user.language = "de"
            return .json(UserAnswer(user: user))
        }
        let process = try CommandProcess.signedIn()
        let set = try await process.run(["account", "--language", "de"], server: server.url)
        #expect(set.status == 0 && set.output.contains("Language   de\n"), "\(set)")
        _ = try await process.run(["account", "--language", "none"], server: server.url)
        #expect(bodies.withLock { $0 } == [#"{"language":"de"}"#, #"{"language":null}"#])
        for wrong in ["fr", "", "DE", "german"] {
            let refused = try await process.run(["account", "--language", wrong], server: server.url)
            #expect(refused.status == 2 && refused.errors.contains("en, de, ja or none"), "\(refused)")
        }
    }

    @Test("the screen of join fits the terminal in every language", arguments: Language.allCases)
    func screen(language: Language) throws {
        ProcessLanguage.$current.withValue(language) {
            for (columns, rows) in [(80, 24), (40, 10), (20, 5), (1, 1)] {
                var model = JoinModel()
                model.found(Sample.openRoom(at: Sample.start))
                let ale = ServerMessage.Ale(from: Sample.partner, seq: 1, at: Sample.start)
                _ = model.apply(.ale(ale), at: Sample.start)
                for showsKeys in [false, true] {
                    model.showsKeys = showsKeys
                    let lines = JoinScreen(model: model, now: Sample.start, columns: columns, rows: rows)
                        .lines().map(\.text)
                    #expect(lines.count <= rows && lines.allSatisfy { TextWidth.of($0) <= columns })
                    if columns == 80, !showsKeys {
                        #expect(lines.contains { $0.hasPrefix(local("Ends in \("")")) }, "\(lines)")
                        #expect(lines.contains { $0.hasSuffix(local("? shows keys")) }, "\(lines)")
                    }
                }
            }
        }
        #expect(ProcessLanguage.current == .english)
    }

    private static let malformed = Text(
        nesting: HTTPError.malformed("a chunk size has more than {1} digits", limit: 16).sentences)

    @Test(
        "the faults that the client finds itself are in the language of the locale",
        arguments: [
            (ClientError.timedOut, "Der Server hat nicht rechtzeitig geantwortet."),
            (
                .network("There is no connection to the room now."),
                "Gerade gibt es keine Verbindung zum Raum."
            ),
            (.queueFull(limit: 9), "Es warten schon 9 Nachrichten"),
            (.network("\("a.example") cannot be reached: \("x")."), "a.example ist nicht erreichbar: x."),
            (
                ClientError(.otherHost(asked: "a.example", names: (1...8).map { "\($0).example" })),
                "Das Zertifikat ist nicht für a.example ausgestellt: es gilt für 1.example, "
                    + "2.example, 3.example, 4.example, 5.example und 3 weitere. Stimmt der Name?"
            ),
            (
                .unexpected("The server's answer is not HTTP that can be read. \(malformed)"),
                "Die Antwort des Servers ist kein lesbares HTTP. Die Nachricht ist fehlerhaft: die Größe "
                    + "eines Chunks hat mehr als 16 Ziffern."
            ),
            (.problem(Problem(.gone, detail: "The room has closed.")), "Der Raum ist geschlossen."),
        ])
    func faults(error: ClientError, begin: String) {
        ProcessLanguage.$current.withValue(.german) {
            #expect(Failure(error).detail.hasPrefix(begin))
        }
        #expect(Failure(error).detail == error.detail)
    }

    @Test(
        "help and completions are in it, whole, and the manual page is English",
        arguments: [Language.german, .japanese])
    func help(language: Language) {
        let english = Help.overview.split(separator: "\n", omittingEmptySubsequences: false)
        let manual = ManualPage.roff
        ProcessLanguage.$current.withValue(language) {
            for command in CommandTree.commands {
                for text in Self.texts(of: command) where text.key.contains(where: \.isLetter) {
                    #expect(text.local != text.description, "\(command.name)")
                }
                let details = command.details.local
                #expect(
                    details.split(separator: "\n").allSatisfy { TextWidth.of(String($0)) <= 110 },
                    "\(command.name)")
                #expect(details.isEmpty || Help.page(command).contains("\n\n\(details)\n"))
            }
            let said = Help.overview.split(separator: "\n", omittingEmptySubsequences: false)
            #expect(said.count == english.count)
            for (line, other) in zip(said, english) where line == other {
                #expect(line.isEmpty || line.hasPrefix("  letsswitch "), "\(line)")
            }
            for group in CommandTree.groups {
                #expect(Help.page(ofGroup: group).hasPrefix(CommandTree.summary(ofGroup: group).local))
            }
            #expect(ManualPage.roff == manual)
        }
    }

    @Test("completions are in it in zsh and fish", arguments: [Shell.zsh, .fish])
    func completions(shell: Shell) async throws {
        let summary = ProcessLanguage.$current.withValue(.german) { CommandTree.checkIn.summary.local }
        let outcome = try await CommandProcess().run(
            ["complete", "--", shell.rawValue, ""], server: "http://127.0.0.1:1",
            environment: ["LANG=de_DE.UTF-8"])
        #expect(outcome.status == 0 && outcome.output.contains("\ncheck-in\t\(summary)\n"), "\(outcome)")
    }

    private static func texts(of command: Command) -> [Text] {
        [command.summary, command.details] + command.arguments.map(\.meaning)
            + command.allOptions.map(\.meaning) + command.examples.map(\.value)
    }

    @Test("an outcome's word is in the language of the locale, and its detail is as the server wrote it")
    func outcomes() {
        let outcome = EndpointOutcome(
            id: "msg_1", type: "test", at: Sample.start, outcome: "gone",
            detail: "410: the receiver is gone", milliseconds: nil)
        #expect(EndpointText.outcome(outcome) == "gone: 410: the receiver is gone")
        ProcessLanguage.$current.withValue(.german) {
            #expect(EndpointText.outcome(outcome) == "erloschen: 410: the receiver is gone")
        }
    }

    @Test("the start is shown in the language of the locale")
    func start() {
        for language in Language.allCases {
            ProcessLanguage.$current.withValue(language) {
                var model = JoinModel()
                model.found(Sample.openRoom(at: Sample.start))
                let now = model.startsAt ?? Sample.start
                let lines = JoinScreen(model: model, now: now, columns: 80, rows: 24).lines().map(\.text)
                let isSaid = lines.contains(local("Start!"))
                #expect(isSaid == (language != .english), "\(lines)")
                #expect(lines.contains(local("○ Entering the room …")), "\(lines)")
            }
        }
    }
}
