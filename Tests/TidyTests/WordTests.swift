import Testing

/// Checks that there is one word for one thing: replaced words of the vocabulary do not come back.
@Suite("Words")
struct WordTests {
    /// The words that were replaced, as they are in names, and their replacements.
    private static let replaced: [(word: String, by: String)] = [
        ("Courier", "DeliveryWorker"), ("Bell", "WakeSignal"), ("Letter", "DeliveryMessage"),
        ("Parcel", "Delivery"), ("HostedRoom", "LiveRoom"), ("Seat", "LiveMember"),
        ("Visitor", "RoomPeer"), ("Visit", "Presence"), ("Device", "FrameSink"),
        ("Roster", "Membership"), ("RoomKeeper", "RoomDirectory"), ("NewPlaces", "RegistrationRequest"),
        ("Wish", "RequestedSlot or preference"), ("Resolved", "RequestedSlot"),
        ("Society", "PreferenceGraph"), ("Acquaintance", "PreferenceEdge"),
        ("Relation", "EdgeAttributes"), ("Tie", "SlotEdge"), ("Hint", "ChangeEvent"),
        ("Refused", "an error"), ("Refusal", "an error"), ("News", "notification or event"),
        ("Swept", "TimeoutChecked"), ("Linger", "closing"),
    ]

    /// Names in which such a word means something else.
    private static let exceptions: Set<String> = [
        "RefusedConnection"  // A connection that is refused, not an error.
    ]

    private static let files = ["Sources", "Benchmarks", "Tests", "Fuzz"].flatMap {
        Repository.swiftFiles(below: $0)
    }

    @Test("that were replaced are in no name of a type or of a file")
    func replacedWords() {
        var count = 0
        for file in Self.files {
            let name = file.split(separator: "/").last?.split(separator: ".").first ?? ""
            for declared in Self.declaredTypes(in: file) + name.split(separator: "+").map(String.init) {
                count += 1
                if Self.exceptions.contains(declared) { continue }
                let words = Self.words(of: declared)
                for (word, meant) in Self.replaced where Self.contains(words, Self.words(of: word)) {
                    Issue.record("\(file): \(declared) has \"\(word)\"; the word is \(meant)")
                }
            }
        }
        #expect(count > 1_000)
    }

    @Test("of the standard library and of Foundation are no names of our types")
    func shadowed() {
        let taken: Set<String> = [
            "Array", "Bundle", "Character", "Clock", "Data", "Date", "Dictionary", "Duration", "Error",
            "Instant", "Locale", "Mirror", "Notification", "Operation", "Optional", "Process", "Range",
            "Result", "Sequence", "Set", "Slice", "String", "Substring", "TimeZone", "URL", "UUID",
        ]
        for file in Self.files {
            let text = Repository.text(of: file) ?? ""
            for declared in Self.declaredTypes(in: file) where taken.contains(declared) {
                // The protocol of clocks wants a type of that name.
                if declared == "Instant" && text.contains(": InstantProtocol") { continue }
                Issue.record("\(file) declares \(declared), which hides another type of that name")
            }
        }
    }

    /// Words that stand for a subject without naming it. A wire name (`everybody`) or a quotation needs one.
    private static let vagueSubjects: Set<String> = ["whoever", "whom", "nobody", "somebody", "everybody"]

    /// The most lines with such a word, by kind of file. They may only fall; this command lists them:
    ///
    ///     git grep -niwE 'whoever|whom|nobody|somebody|everybody' -- 'Sources/*.swift' 'Sources/*.js'
    private static let mostRiddles: [(paths: [String], endings: [String], lines: Int)] = [
        (["Sources"], [".swift", ".js"], 19),
        (["Tests"], [".swift"], 27),
        (["Sources", "docs", "README.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md"], [".md"], 2),
    ]

    @Test("that name no subject are on no more lines than before")
    func subjects() {
        for (paths, endings, most) in Self.mostRiddles {
            var files: [String] = []
            for path in paths {
                for ending in endings {
                    files += path.hasSuffix(ending) ? [path] : Repository.files(below: path, ending: ending)
                }
            }
            #expect(files.count > 10)
            var lines: [String] = []
            for file in files {
                for line in Repository.lines(of: file) where Self.isRiddle(line.text) {
                    lines.append("\(file):\(line.number)")
                }
            }
            #expect(lines.count <= most, "\(lines)")
        }
    }

    private static func isRiddle(_ line: Substring) -> Bool {
        // By bytes, since the characters of all files take long.
        line.utf8.split { !isOfWord($0) }.contains { word in
            (4...9).contains(word.count) && vagueSubjects.contains(Substring(word).lowercased())
        }
    }

    private static func isOfWord(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"): true
        default: false
        }
    }

    /// Returns the names behind `struct`, `class`, `enum`, `actor`, `protocol` and `typealias`.
    private static func declaredTypes(in file: String) -> [String] {
        let kinds: Set<Substring> = ["struct", "class", "enum", "actor", "protocol", "typealias"]
        return Repository.lines(of: file).flatMap { line -> [String] in
            let words = line.text.split { !$0.isLetter && !$0.isNumber && $0 != "_" && $0 != "/" }
            if words.first?.hasPrefix("/") == true { return [] }
            return zip(words, words.dropFirst()).compactMap { kind, name in
                kinds.contains(kind) && name.first?.isUppercase == true ? String(name) : nil
            }
        }
    }

    /// Returns the words of a name: `HostedRoom` is `Hosted` and `Room`. Plural is the same as singular.
    private static func words(of name: String) -> [String] {
        var words: [String] = []
        for character in name {
            if character.isUppercase || words.isEmpty { words.append("") }
            words[words.count - 1].append(character)
        }
        return words.map { $0.count > 4 && $0.hasSuffix("s") ? String($0.dropLast()) : $0 }
    }

    private static func contains(_ words: [String], _ wanted: [String]) -> Bool {
        guard words.count >= wanted.count else { return false }
        return (0...(words.count - wanted.count)).contains { start in
            Array(words[start..<start + wanted.count]) == wanted
        }
    }
}
