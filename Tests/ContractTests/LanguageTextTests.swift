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

    @Test("a whole sentence of a library is recognised, and stays what it is in English")
    func recognised() {
        let text = Text(
            recognising: "The certificate is not for a.example: it is for b.example, c.example and 3 more. "
                + "Is the name right?")
        #expect(
            text.said(in: .german)
                == "Das Zertifikat ist nicht für a.example: es ist für b.example, c.example und 3 weitere. "
                + "Ist der Name richtig?")
        #expect(text.description.hasSuffix("b.example, c.example and 3 more. Is the name right?"))
        let parts = Text(
            recognising:
                "The server's answer is not HTTP that can be read. There are more than 9 header fields.")
        #expect(
            parts.said(in: .german)
                == "Die Antwort des Servers ist kein lesbares HTTP. Es sind mehr als 9 Kopffelder.")
        #expect(Text(recognising: "It was cancelled.").said(in: .german) == "Es wurde abgebrochen.")
        for other in ["", "Nothing like it.", "{1} has no address", " has no address.", "x: y"] {
            #expect(Text(recognising: other).description == other)
        }
        for shape in Catalogue.shapes {
            let sentence = shape.dropFirst().enumerated().reduce(shape[0]) {
                $0 + "<\($1.offset)>" + $1.element
            }
            let found = Text(recognising: sentence)
            #expect(found.description == sentence)
            #expect(found.said(in: .japanese) != sentence, "\(sentence)")
        }
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
        #expect(german.title == "Die Anfrage ist lesbar, aber falsch")
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

                #. Recognised as a whole sentence.
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
