import Testing

/// Checks that the documents name everything there is.
@Suite("Documents")
struct DocumentTests {
    @Test("list every migration")
    func migrations() {
        let page = Repository.text(of: "migrations/README.md") ?? ""
        let migrations = Repository.names(in: "migrations").filter { $0.hasSuffix(".sql") }
        #expect(migrations.count >= 20)
        for migration in migrations {
            #expect(page.contains("`\(migration)`"), "migrations/README.md does not name \(migration)")
        }
    }

    /// The names of all settings, as they stand in the environment.
    private static let settings = (Repository.text(of: "Sources/Settings/Setting.swift") ?? "")
        .split(separator: "static let ").dropFirst().compactMap { row -> Substring? in
            let parts = row.split(separator: "\"", maxSplits: 2)
            return parts.count > 1 && parts[0].contains("(") ? parts[1] : nil
        }

    @Test("docker-compose.yml hands every setting on to the server")
    func compose() throws {
        let file = try #require(Repository.text(of: "docker-compose.yml"))
        #expect(Self.settings.count > 40)
        // The image has the first, and in a container the server listens at an address.
        for setting in Self.settings where !["DATA_DIR", "SOCKET_MODE", "SOCKET_GROUP"].contains(setting) {
            #expect(
                file.contains(" \(setting):") || file.contains(" \(setting)_FILE:"), "\(setting) is missing")
        }
    }

    @Test("the image is built from every folder of the package")
    func folders() throws {
        let package = try #require(Repository.text(of: "Package.swift"))
        let folders = Set(package.matches(of: /path: "([A-Za-z]+)[\/"]/).map { String($0.1) })
            .union(["Plugins", "Sources", "Tests"])
        let image = try #require(Repository.text(of: "Dockerfile"))
        let context = try #require(Repository.text(of: ".dockerignore"))
        #expect(folders.count > 3)
        for folder in folders {
            #expect(image.contains("\nCOPY \(folder) \(folder)\n"), "\(folder) is missing")
            #expect(context.contains("\n!\(folder)\n"), "\(folder) is missing")
        }
    }

    @Test("the version of the product stands in one place", arguments: ["Dockerfile", "Package.swift"])
    func version(file: String) throws {
        let source = try #require(Repository.text(of: "Sources/Contract/Version.swift"))
        let version = try #require(source.firstMatch(of: /product = "([0-9.]+)(-dev)?"/)?.1)
        let text = try #require(Repository.text(of: file))
        #expect(!text.contains(version))
    }

    @Test(
        "name only files that exist",
        arguments: ["CONTRIBUTING.md", "docs/internals/architecture.md"])
    func files(document: String) throws {
        let text = try #require(Repository.text(of: document))
        var count = 0
        for part in text.split(separator: "`", omittingEmptySubsequences: false) {
            let isPath = part.contains("/") && !part.contains(" ") && !part.contains("*")
            guard isPath, part.hasSuffix(".swift") || part.hasPrefix("script/") || part.hasSuffix(".sql")
            else {
                continue
            }
            if part.contains("NNNN") { continue }
            count += 1
            let exists = Repository.exists(String(part)) || Repository.exists("Sources/\(part)")
            #expect(exists, "\(document) names \(part), which does not exist")
        }
        #expect(count > 20)
    }

    /// The most lines of each document.
    private static let budgets = [
        "README.md": 120, "CONTRIBUTING.md": 180, "SECURITY.md": 70, "docs/cli.md": 110,
        "docs/concepts.md": 80,
        "docs/integrate/authentication.md": 110, "docs/integrate/browsers.md": 60,
        "docs/integrate/notifications.md": 170, "docs/integrate/quickstart.md": 80,
        "docs/integrate/reliability.md": 110, "docs/integrate/room-protocol.md": 150,
        "docs/integrate/sessions.md": 140, "docs/integrate/swift.md": 60,
        "docs/internals/architecture.md": 250, "docs/internals/performance.md": 90,
        "docs/internals/promises.md": 280, "docs/internals/testing.md": 200, "docs/operate/backup.md": 150,
        "docs/operate/capacity.md": 90, "docs/operate/cluster.md": 110, "docs/operate/compose.md": 180,
        "docs/operate/desk.md": 90, "docs/operate/kubernetes.md": 70, "docs/operate/observability.md": 120,
        "docs/operate/proxy.md": 110, "docs/operate/runbook.md": 700, "docs/operate/systemd.md": 60,
        "docs/operate/troubleshooting.md": 60, "docs/operate/upgrading.md": 80,
    ]

    /// The documents without a budget: a reference, and pages that lead on from a former address.
    private static let references: Set = [
        "docs/operate/settings.md", "docs/settings.md", "docs/guarantees.md",
    ]

    @Test("have no more lines than a reader finishes")
    func budgets() throws {
        let pages = Repository.files(below: "docs", ending: ".md")
        #expect(pages.allSatisfy { Self.budgets[$0] != nil || Self.references.contains($0) }, "\(pages)")
        for (document, most) in Self.budgets {
            let text = try #require(Repository.text(of: document), "\(document)")
            let lines = text.count { $0 == "\n" }
            #expect(lines <= most, "\(document) has \(lines) lines")
        }
    }

    @Test("name only suites and planted bugs that exist, on the page of promises")
    func suites() throws {
        let page = try #require(Repository.text(of: "docs/internals/promises.md"))
        let suites = page.split(separator: "`").filter { span in
            span.hasSuffix("Tests") && span.allSatisfy { $0.isLetter || $0.isNumber || $0 == "." }
        }.compactMap { $0.split(separator: ".").last }
        let bugs = page.matches(of: /`(?:crash|simulate)[a-z ]*` \(([^)]+)\)/).flatMap { match in
            match.1.split(separator: "`").filter { $0.allSatisfy(\.isLetter) }
        }
        #expect(suites.count > 200)
        #expect(bugs.count > 60)
        var words: Set<Substring> = []
        for file in Repository.swiftFiles(below: "Tests") {
            for line in Repository.code(of: file) {
                words.formUnion(line.text.split { !$0.isLetter && !$0.isNumber })
            }
        }
        for name in suites + bugs { #expect(words.contains(name), "no test has the name \(name)") }
    }

    @Test("walk through functions that exist")
    func walks() throws {
        let text = try #require(Repository.text(of: "docs/internals/architecture.md"))
        var declared: Set<Substring> = ["init"]
        for file in Repository.swiftFiles(below: "Sources") {
            for line in Repository.code(of: file) {
                let words = line.text.split { !$0.isLetter && !$0.isNumber && $0 != "_" }
                for (keyword, name) in zip(words, words.dropFirst())
                where ["func", "var", "let", "case"].contains(keyword) { declared.insert(name) }
            }
        }
        let spans = text.split(separator: "`", omittingEmptySubsequences: false)
        // Every second part stands between two marks.
        let functions = stride(from: 1, to: spans.count, by: 2).compactMap { index -> Substring? in
            let parts = spans[index].split(separator: ".", omittingEmptySubsequences: false)
            guard parts.count == 2, !spans[index].contains("/"), parts[1] != "swift",
                parts[1].first?.isLowercase == true
            else { return nil }
            return parts[1]
        }
        #expect(functions.count > 100)
        for name in functions { #expect(declared.contains(name), "no function has the name \(name)") }
    }
}
