import Testing

@Suite("The documentation of the Swift library")
struct ClientDocumentationTests {
    private static let folder = "Sources/Client/Client.docc"
    private static let client = Repository.swiftFiles(below: "Sources/Client")

    /// The declarations of one file.
    private struct Declarations {
        var types: Set<String> = []
        /// The types of the file and those that it extends.
        var holders: Set<String> = []
        /// The labels of each member's parameters, by its name; empty for a property.
        var members: [Substring: [[String]]] = [:]

        private static let types = ["struct", "class", "enum", "actor", "protocol", "typealias"]

        init(_ text: String) {
            let declaration =
                /\b(struct|class|enum|actor|protocol|typealias|extension|func|var|let|case) ([A-Za-z]\w*)/
            for match in text.matches(of: declaration) {
                let (kind, name) = (String(match.1), String(match.2))
                if Self.types.contains(kind) { types.insert(name) }
                if Self.types.contains(kind) || kind == "extension" {
                    holders.insert(name)
                } else {
                    members[match.2, default: []].append(Self.labels(after: text[match.range.upperBound...]))
                }
            }
        }

        /// Returns the labels of the parameters in the parentheses at the beginning of a text, which generic
        /// parameters can precede.
        private static func labels(after rest: Substring) -> [String] {
            let text = rest.first == "<" ? rest.drop { $0 != "(" } : rest
            guard text.first == "(" else { return [] }
            var (depth, parameter, parameters) = (0, "", [String]())
            for character in text {
                if "([".contains(character) { depth += 1 }
                if ")]".contains(character) { depth -= 1 }
                if depth == 0 || (depth == 1 && character == ",") {
                    parameters.append(parameter)
                    parameter = ""
                } else if depth > 1 || character != "(" {
                    parameter.append(character)
                }
                if depth == 0 { break }
            }
            return parameters.filter { !$0.isEmpty }.map { text in
                // A parameter without a label, as of a case, is a type alone.
                let words = text.split { " \n".contains($0) }
                guard let first = words.first, words.count > 1 else { return "_" }
                return first.hasSuffix(":") ? String(first.dropLast()) : String(first)
            }
        }
    }

    private static let declarations = (client + Repository.swiftFiles(below: "Sources/Contract"))
        .compactMap { Repository.text(of: $0) }.map(Declarations.init)

    /// Whether a type has that name, and a member of it or of its extensions the name and labels, as in
    /// `RoomConnection/send(_:by:retrying:)`.
    private static func exists(_ symbol: String) -> Bool {
        let parts = symbol.split(separator: "/").suffix(2)
        let (type, member) = (String(parts.first ?? ""), parts.dropFirst().first)
        guard declarations.contains(where: { $0.types.contains(type) }) else { return false }
        guard let member else { return true }
        let name = member.prefix { $0 != "(" }
        let labels = member.dropFirst(name.count).split { "(:)".contains($0) }.map(String.init)
        return declarations.contains {
            $0.holders.contains(type) && $0.members[name]?.contains(labels) == true
        }
    }

    private static let articles = Repository.names(in: folder).filter { $0.hasSuffix(".md") }
        .map { (name: $0, text: Repository.text(of: "\(folder)/\($0)") ?? "") }

    @Test("links to symbols that exist only")
    func links() {
        var count = 0
        for (name, text) in Self.articles {
            for match in text.matches(of: /(?:^|[^`])``([^`\s]+)``/) where match.1 != "Client" {
                let symbol = match.1.hasPrefix("Client/") ? match.1.dropFirst(7) : match.1
                #expect(Self.exists(String(symbol)), "\(name): \(symbol)")
                count += 1
            }
        }
        #expect(count > 150)
        for wrong in ["RoomConnektion", "RoomConnection/sent(_:)", "RoomConnection/send(_:with:)"] {
            #expect(!Self.exists(wrong), "\(wrong)")
        }
    }

    @Test("lists every public type")
    func types() {
        let page = Self.articles.first { $0.name == "Client.md" }?.text ?? ""
        let types = Self.client.flatMap { Repository.lines(of: $0) }
            .compactMap { $0.text.firstMatch(of: /^public (?:struct|enum|actor|typealias) (\w+)/)?.1 }
        #expect(types.count > 20)
        for type in types { #expect(page.contains("- ``\(type)``\n"), "\(type)") }
    }

    @Test("shows code that is compiled")
    func code() {
        let compiled = ["Articles", "GettingStarted"].map {
            Self.unindented((Repository.text(of: "Tests/ReadmeTests/\($0).swift") ?? "")[...])
        }
        var count = 0
        for (name, text) in Self.articles {
            let parts = text.split(separator: "```", omittingEmptySubsequences: false)
            // Every second part stands between two fences.
            for index in stride(from: 1, to: parts.count, by: 2) where parts[index].hasPrefix("swift\n") {
                let block = parts[index].dropFirst(6)
                #expect(compiled.contains { $0.contains(Self.unindented(block)) }, "\(name): \(block)")
                count += 1
            }
        }
        #expect(count > 8)
    }

    private static func unindented(_ text: Substring) -> String {
        text.split(separator: "\n").map { $0.drop { $0 == " " } + "\n" }.joined()
    }

    @Test("has a comment at every public declaration of the client")
    func comments() {
        let (bare, count) = Self.uncommented(Self.client)
        #expect(bare.isEmpty, "\(bare)")
        #expect(count > 300)
    }

    /// The most public members of Contract without a comment, because their names say all. It may only fall.
    private static let mostBareMembers = 366

    @Test("has a comment at every public type of Contract, and at its members as before")
    func contract() {
        let (bare, count) = Self.uncommented(Repository.swiftFiles(below: "Sources/Contract"))
        let types = bare.filter { $0.contains(/public (struct|class|enum|actor|protocol|typealias)\b/) }
        #expect(types.isEmpty, "\(types)")
        #expect(bare.count <= Self.mostBareMembers)
        #expect(count > 900)
    }

    private static let keywords: Set<Substring> = [
        "actor", "class", "enum", "func", "init", "let", "protocol", "struct", "subscript", "typealias",
        "var",
    ]

    /// Returns the public declarations, with the cases of public enumerations, that have no comment; and the
    /// number of all. A case belongs to the nearest line above that is less indented.
    private static func uncommented(_ files: [String]) -> (bare: [String], count: Int) {
        var (bare, count) = ([String](), 0)
        for file in files {
            let lines = Repository.lines(of: file).map(\.text)
            for (index, line) in lines.enumerated() {
                let margin = line.prefix { $0 == " " }
                let code = line.dropFirst(margin.count)
                let words = code.split { " (<?".contains($0) }.drop { $0.hasPrefix("@") }
                if code.hasPrefix("case "), code.contains(/^case [a-z]\w*($|\(| =|,)/) {
                    let outer = lines[..<index].last { !$0.isEmpty && !$0.hasPrefix(margin) } ?? ""
                    guard outer.drop(while: { $0 == " " }).hasPrefix("public enum ") else { continue }
                } else {
                    guard words.first == "public", !keywords.isDisjoint(with: words) else { continue }
                }
                count += 1
                // An attribute can have a line of its own.
                let above = lines[..<index].last {
                    !$0.drop { $0 == " " }.hasPrefix("@") || $0.contains(" var ")
                }
                if above?.contains("///") != true { bare.append("\(file):\(index + 1): \(code)") }
            }
        }
        return (bare, count)
    }
}
