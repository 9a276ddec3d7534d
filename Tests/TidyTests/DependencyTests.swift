import Testing

/// Checks of the dependency graph of the targets, which is the architecture of the whole.
@Suite("The targets")
struct DependencyTests {
    /// The targets that each target may import, without those of the system.
    private static let allowed: [String: Set<String>] = [
        // Pure leaves: values in, values out.
        "Codecs": [],
        "Matching": ["Codecs"],
        "HTTP1": ["Codecs"],
        "WebSocket": ["Codecs"],
        "Contract": ["CBuild", "Codecs"],
        // Mechanisms: they know the system, and not the domain.
        "Reactor": ["CLinux"],
        "Logging": ["CLinux", "Reactor"],
        "Settings": ["CLinux", "Contract", "Crypto", "Logging", "Reactor"],
        "Tracing": ["Codecs", "Reactor"],
        "Postgres": ["Codecs", "CPostgres", "Reactor", "Tracing"],
        "TLS": ["Codecs", "COpenSSL", "Reactor"],
        "Crypto": ["Codecs", "COpenSSL"],
        "OutboundHTTP": ["CCurl", "Reactor"],
        "HTTPServer": ["Codecs", "HTTP1", "Reactor", "Tracing", "WebSocket"],
        "PrivatePostgres": ["CLinux", "Codecs", "Logging", "Reactor", "Settings"],
        // The domain: no SQL, no sockets. Outbox and Scheduling wait by a signal from Reactor, and Scheduling
        // has a thread from it for large matches.
        "Rooms": ["Codecs", "Contract"],
        "Outbox": ["Codecs", "Contract", "Crypto", "Reactor"],
        "Scheduling": ["Codecs", "Contract", "Logging", "Matching", "Reactor", "Tracing"],
        // The service.
        "Database": [
            "Codecs", "Contract", "Crypto", "Logging", "Matching", "Outbox", "Postgres", "Reactor", "Rooms",
            "Scheduling", "Settings",
        ],
        "Push": [
            "Codecs", "Contract", "Crypto", "Logging", "OutboundHTTP", "Outbox", "Reactor", "Settings",
            "Tracing",
        ],
        "Cluster": [
            "Codecs", "Contract", "Crypto", "Database", "HTTP1", "HTTPServer", "Logging", "Postgres",
            "Reactor", "Tracing",
        ],
        "API": [
            "Cluster", "Codecs", "Contract", "Crypto", "Database", "HTTP1", "HTTPServer", "Logging",
            "Matching", "OutboundHTTP", "Outbox", "Postgres", "Reactor", "Rooms", "Scheduling", "Settings",
            "WebSocket",
        ],
        "Console": [
            "API", "Codecs", "Contract", "Crypto", "Database", "HTTP1", "HTTPServer", "Logging",
            "PageFiles", "Postgres", "Reactor", "Rooms", "Scheduling", "Settings",
        ],
        "Backend": [
            "API", "CLinux", "Cluster", "Codecs", "Console", "Contract", "Crypto", "Database", "HTTP1",
            "HTTPServer",
            "Logging", "Matching", "OutboundHTTP", "Outbox", "Postgres", "PrivatePostgres", "Push", "Reactor",
            "Rooms", "Scheduling", "Settings", "Tracing", "Web",
        ],
        "PageFiles": ["API", "Codecs", "HTTP1", "HTTPServer"],
        "Web": ["Codecs", "Crypto", "HTTP1", "HTTPServer", "PageFiles"],
        "Client": ["CLinux", "Codecs", "Contract", "HTTP1", "Reactor", "TLS", "WebSocket"],
        "FlakyNetwork": ["Client", "Codecs", "Contract", "Reactor"],
        "letsswitch-server": ["Backend"],
        "letsswitch": ["Client", "Contract", "Crypto", "Reactor"],
    ]

    private static let ofTheSystem: Set<String> = [
        "FoundationEssentials", "Glibc", "Synchronization", "Testing",
    ]

    private static let folders = Repository.names(in: "Sources").filter {
        !Repository.swiftFiles(below: "Sources/\($0)").isEmpty
    }

    @Test("are those of the table", arguments: folders)
    func known(target: String) {
        #expect(Self.allowed[target] != nil, "\(target) has no line in the table of this test")
    }

    @Test("import what the table allows, and all of it", arguments: folders)
    func imports(target: String) {
        let imported = Repository.imports(of: "Sources/\(target)").subtracting(Self.ofTheSystem)
        let allowed = Self.allowed[target] ?? []
        #expect(imported.subtracting(allowed).sorted() == [], "\(target) must not import them")
        #expect(allowed.subtracting(imported).sorted() == [], "\(target) does not import them: take them out")
    }

    @Test("have no SQL, but for Database and what knows only PostgreSQL itself", arguments: folders)
    func statements(target: String) {
        if ["Database", "Postgres", "PrivatePostgres"].contains(target) { return }
        for file in Repository.swiftFiles(below: "Sources/\(target)") {
            let found = Repository.lines(of: file).filter {
                $0.text.contains(/(?:^ *|")(?:SELECT |WITH [a-z]+ AS|INSERT INTO |UPDATE [a-z]|DELETE FROM )/)
            }
            #expect(found.isEmpty, "\(file), lines \(found.map(\.number)): move the statements to Database")
        }
    }

    /// `accounts` is without the accounts that are deleted, whose rows are still being removed.
    @Test("read people from the view of accounts, and not from its table")
    func people() {
        let removal = ["/AccountRemoval.swift", "/AccountErasure.swift"]
        for file in Repository.swiftFiles(below: "Sources/Database")
        where !removal.contains(where: { file.contains($0) }) {
            let found = Repository.lines(of: file).filter { $0.text.contains(/(?:FROM|JOIN|UPDATE) users\b/) }
            #expect(found.isEmpty, "\(file), lines \(found.map(\.number)): use accounts")
        }
    }

    /// The key of a slot, which a row has, may be a little later than the start: see `SlotKey`.
    @Test("show the start of a slot, and never the key that Database reads")
    func keys() {
        for file in Repository.swiftFiles(below: "Sources/Database") {
            let found = Repository.lines(of: file).filter { $0.text.contains("SlotSpan(startsAt:") }
            #expect(found.isEmpty, "\(file), lines \(found.map(\.number)): use SlotSpan(key:endsAt:)")
        }
    }

    @Test("depend in Package.swift on what they import, and on nothing else", arguments: folders)
    func manifest(target: String) throws {
        let manifest = try #require(Repository.text(of: "Package.swift"))
        let declared = try #require(Self.dependencies(of: target, in: manifest), "\(target) is not declared")
        let imported = Repository.imports(of: "Sources/\(target)").subtracting(Self.ofTheSystem)
        #expect(declared.subtracting(imported).sorted() == [], "Package.swift: \(target) does not need them")
        #expect(imported.subtracting(declared).sorted() == [], "Package.swift: \(target) imports them")
    }

    private static let testFolders = Repository.names(in: "Tests").filter {
        !Repository.swiftFiles(below: "Tests/\($0)").isEmpty
    }

    /// A module that another target happens to build first is found without a declaration, and is missing in
    /// a clean clone.
    @Test("of tests depend in Package.swift on what they import", arguments: testFolders)
    func testManifest(folder: String) throws {
        let manifest = try #require(Repository.text(of: "Package.swift"))
        let names = ["FaultyServer": "faulty-server", "QueueProbe": "queue-probe"]
        let target = names[folder] ?? folder
        let declared = try #require(Self.dependencies(of: target, in: manifest), "\(target) is not declared")
        let imported = Repository.imports(of: "Tests/\(folder)").subtracting(Self.ofTheSystem)
        #expect(imported.subtracting(declared).sorted() == [], "Package.swift: \(target) imports them")
    }

    /// Returns the names between the target's own and the end of its declaration.
    private static func dependencies(of target: String, in manifest: String) -> Set<String>? {
        let flat = manifest.split(separator: "\n").filter { !$0.contains("//") }.joined().filter { $0 != " " }
        let kinds = ["tests(", "target(", "executable(", "target(name:", "executableTarget(name:"]
        for opening in kinds.map({ "\($0)\"\(target)\"" }) {
            guard let found = flat.firstRange(of: opening) else { continue }
            let rest = flat[found.upperBound...]
            guard rest.first == "," else { return [] }
            guard let open = rest.firstIndex(of: "["), let close = rest.firstIndex(of: "]") else { return [] }
            return Set(
                rest[rest.index(after: open)..<close].split(separator: ",").map { $0.filter { $0 != "\"" } })
        }
        return nil
    }
}
