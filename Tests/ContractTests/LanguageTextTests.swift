import Testing

@testable import Contract

@Suite("Texts in languages")
struct LanguageTextTests {
    @Test("a text is what its literal says, in English and where it is not in the catalogue")
    func english() {
        let text: Text = "No such thing as \(1) \("{2} {1} {") here: \("{}" as Text)"
        for language in Language.allCases {
            #expect(text.said(in: language) == "No such thing as 1 {2} {1} { here: {}")
        }
        #expect(text.key == "No such thing as {1} {2} here: {3}")
        #expect(text == "No such thing as 1 {2} {1} { here: {}")
        #expect("\(text)" == text.description)
    }

    @Test("arguments are set where the language has them, and data is never read as a text")
    func arguments() {
        let text: Text = "You meet \("Ann, {2}") and \("This room has closed.") here."
        #expect(text.said(in: .german) == "Du triffst hier Ann, {2} und This room has closed..")
        let nested: Text = "\("A task" as Text) may not be empty."
        #expect(nested.said(in: .german) == "Eine Aufgabe darf nicht leer sein.")
        #expect(nested.said(in: .japanese) == "タスクは空にできません。")
        #expect(nested.description == "A task may not be empty.")
    }

    @Test("sentences of a library are nested, each the argument of the one before")
    func nested() {
        let text = Text(nesting: [
            "The message is malformed: {1}.", "a chunk size has more than {1} digits", "16",
        ])
        #expect(text.description == "The message is malformed: a chunk size has more than 16 digits.")
        #expect(
            text.said(in: .german)
                == "Die Nachricht ist fehlerhaft: die Größe eines Chunks hat mehr als 16 Ziffern.")
        #expect(Text(nesting: ["Only HTTP/1.1 and HTTP/1.0 are spoken here."]).key.hasSuffix("here."))
        #expect(Text(nesting: [String]()).description.isEmpty)
    }

    @Test("a text with a code is stored and read back, in every language", arguments: DetailCode.allCases)
    func codes(code: DetailCode) {
        let text = Text(code, Text(.tls, "a/b {1}"))
        let hasArgument = code.rawValue.contains("{1}")
        #expect(text.stored == (hasArgument ? "\(code)/tls/a/b {1}" : "\(code)"))
        #expect(text.code == code && text.description == code.rawValue.replacing("{1}", with: "TLS: a/b {1}"))
        let read = Text(stored: text.stored, english: text.description)
        #expect(read == text && read.code == code)
        for language in Language.allCases {
            #expect(read.said(in: language) == text.said(in: language))
            // "TLS: {1}" is the same in every language.
            let isTranslated = text.said(in: language) != text.description
            #expect(code == .tls || isTranslated == (language != .english), "\(code)")
        }
    }

    @Test("a stored text without a code, or with that of another text, stays English")
    func uncoded() {
        for stored in [nil, "", "gone", "/", "tls", "tls/y", "noAnswer/x", "failing/tls/x"] {
            let read = Text(stored: stored, english: "TLS: x")
            #expect(read.description == "TLS: x" && read.code == nil && read.said(in: .japanese) == "TLS: x")
        }
        #expect(("500" as Text).stored == nil && Text(verbatim: "given up").stored == nil)
    }

    @Test("a sum of texts is one text")
    func sums() {
        let (name, part): (String, Text) = ("x", "\("a") may not")
        let sum = part + " be empty" + "."
        #expect(sum.key == "{1} may not be empty.")
        #expect(("\(name) or " + "\(name)" as Text).key == "{1} or {2}")
        #expect(Text.anyOf(["25", "50", "75"]).said(in: .german) == "25 oder 50 oder 75")
        #expect(Text.anyOf(["25"]).description == "25" && Text.anyOf([]).description == "")
    }

    @Test("a text is a string in JSON, in English, and stays what it was when it is read")
    func coding() throws {
        let problem = Problem(
            .invalid, detail: "The body has \(2) faults; each is listed in errors.",
            errors: [FieldError(pointer: "/a", detail: "This is in the list twice.")])
        let german = problem.said(in: .german)
        #expect(german.title == "Ungültiger Inhalt der Anfrage")
        #expect(german.detail == "Der Inhalt hat 2 Fehler; alle stehen in errors.")
        #expect(german.errors?.first?.detail == "Das steht zweimal in der Liste.")
        #expect((german.type, german.status, german.name) == (problem.type, problem.status, problem.name))
        let read = try JSON.decode(Problem.self, from: try JSON.encode(german))
        #expect(read == german && read.said(in: .japanese) == german)
        #expect(try JSON.decode(Problem.self, from: try JSON.encode(problem)) == problem)
    }

    @Test("a catalogue is read as translators' tools write it")
    func reading() {
        let catalogue = Catalogue(base: .service) { language in
            if language != .german { return "" }
            return #"""
                # A comment.
                msgid ""
                msgstr ""
                "Language: de\n"

                #. A comment of a part.
                msgid "Say \"{1}\"."
                msgstr "Sag \"{1}\"."

                #: a.swift:1
                msgid ""
                "a\n"
                "b \\n"
                msgstr ""
                "A\n"
                "B \\n"
                #~ msgid "not kept"
                #~ msgstr "nicht mehr da"
                msgid "This room has closed."
                msgstr "Zu."
                """#
        }
        #expect(("Say \"\(1)\"." as Text).said(in: .german, by: catalogue) == "Sag \"1\".")
        #expect(("Say \"\(1)\"." as Text).said(in: .japanese, by: catalogue) == "Say \"1\".")
        #expect(("a\nb \\n" as Text).said(in: .german, by: catalogue) == "A\nB \\n")
        #expect(("not kept" as Text).said(in: .german, by: catalogue) == "not kept")
        #expect(("" as Text).said(in: .german, by: catalogue).isEmpty)
        let nested: Text = "Say \"\("This room has closed." as Text)\"."
        #expect(nested.said(in: .german, by: catalogue) == "Sag \"Zu.\".")
        #expect(("The room has closed." as Text).said(in: .german, by: catalogue).hasPrefix("Der Raum"))
        #expect(Catalogue.entries(of: "").isEmpty && Catalogue.entries(of: "msgstr \"x\"\n\"\n").isEmpty)
    }
}
