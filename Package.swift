// swift-tools-version: 6.2

import PackageDescription

/// Whether the fuzz targets are built as a program (`FUZZ=1`), by `swift build --sanitize=fuzzer
/// --sanitize=address`, for `script/dev/fuzz`. All code then counts which of its edges were taken. Otherwise
/// they are tests.
let isFuzzing = Context.environment["FUZZ"] == "1"
let coverage = "-sanitize-coverage=edge,indirect-calls,trace-cmp,inline-8bit-counters,pc-table"

/// One set of rules for all Swift code: Swift 6 mode, and warnings are errors.
///
/// There are no unsafe flags: a package that has some cannot be another's dependency. `script/dev/release`
/// has the further flags of the release.
let swiftSettings: [SwiftSetting] =
    [
        .swiftLanguageMode(.v6),
        .treatAllWarnings(as: .error),
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    ] + (isFuzzing ? [.unsafeFlags([coverage])] : [])

func target(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
    .target(name: name, dependencies: dependencies, swiftSettings: swiftSettings)
}

func executable(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
    .executableTarget(name: name, dependencies: dependencies, swiftSettings: swiftSettings)
}

func tests(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
    .testTarget(name: name, dependencies: dependencies, swiftSettings: swiftSettings)
}

let package = Package(
    name: "letsswitch",
    products: [
        .executable(name: "letsswitch-server", targets: ["letsswitch-server"]),
        .executable(name: "letsswitch", targets: ["letsswitch"]),
        .executable(name: "bench", targets: ["bench"]),
        .executable(name: "floor", targets: ["floor"]),
        .executable(name: "ring-floor", targets: ["ring-floor"]),
        // The library for an app or a bot.
        .library(name: "Client", targets: ["Client", "Contract"]),
        // A flaky network for the tests of an app or a bot.
        .library(name: "FlakyNetwork", targets: ["FlakyNetwork"]),
    ],
    targets: [
        // System libraries: C headers, and no logic.
        .systemLibrary(name: "CBuild"),
        .systemLibrary(name: "CLinux"),
        .systemLibrary(name: "CPostgres", pkgConfig: "libpq", providers: [.apt(["libpq-dev"])]),
        .systemLibrary(
            name: "CCurl", pkgConfig: "libcurl", providers: [.apt(["libcurl4-openssl-dev"])]),
        .systemLibrary(name: "COpenSSL", pkgConfig: "openssl", providers: [.apt(["libssl-dev"])]),

        // Pure leaves: values in, values out.
        target("Codecs"),
        target("Matching", ["Codecs"]),
        target("HTTP1", ["Codecs"]),
        target("WebSocket", ["Codecs"]),
        .target(
            name: "Contract", dependencies: ["CBuild", "Codecs"], exclude: ["Documents"],
            swiftSettings: swiftSettings, plugins: ["Embed"]),

        // Mechanisms: they know the system, and not the domain.
        target("Reactor", ["CLinux"]),
        target("Tracing", ["Codecs", "Reactor"]),
        target("Postgres", ["Codecs", "Reactor", "Tracing", "CPostgres"]),
        target("HTTPServer", ["Codecs", "Reactor", "Tracing", "HTTP1", "WebSocket"]),
        target("TLS", ["Codecs", "Reactor", "COpenSSL"]),
        target("Crypto", ["Codecs", "COpenSSL"]),
        target("OutboundHTTP", ["Reactor", "CCurl"]),

        target("Logging", ["CLinux", "Reactor"]),
        target("Settings", ["CLinux", "Contract", "Crypto", "Logging", "Reactor"]),
        target("PrivatePostgres", ["CLinux", "Codecs", "Logging", "Reactor", "Settings"]),

        // The domain.
        target("Rooms", ["Codecs", "Contract"]),
        target("Outbox", ["Codecs", "Contract", "Crypto", "Reactor"]),
        target("Scheduling", ["Codecs", "Contract", "Logging", "Matching", "Reactor", "Tracing"]),
        .target(
            name: "Database",
            dependencies: [
                "Codecs", "Contract", "Crypto", "Logging", "Matching", "Outbox", "Postgres", "Reactor",
                "Rooms",
                "Scheduling", "Settings",
            ],
            exclude: ["Migrations/README.md"],
            resources: [
                .embedInCode("Migrations"), .embedInCode("People/time-zone-links.zi"),
                .embedInCode("Verification/verify.sql"),
            ],
            swiftSettings: swiftSettings),
        target(
            "Push",
            [
                "Codecs", "Contract", "Crypto", "Logging", "Outbox", "OutboundHTTP", "Reactor", "Settings",
                "Tracing",
            ]),
        target(
            "Cluster",
            [
                "Codecs", "Contract", "Crypto", "Database", "HTTP1", "HTTPServer", "Logging", "Postgres",
                "Reactor", "Tracing",
            ]),
        .target(
            name: "API",
            dependencies: [
                "Cluster", "Codecs", "Contract", "Crypto", "Database", "HTTP1", "HTTPServer", "Logging",
                "Matching", "Outbox",
                "OutboundHTTP", "Postgres", "Reactor", "Rooms", "Scheduling", "Settings", "WebSocket",
            ],
            exclude: ["Documents"], swiftSettings: swiftSettings, plugins: ["Embed"]),
        .target(
            name: "Web", dependencies: ["Codecs", "Crypto", "HTTP1", "HTTPServer", "PageFiles"],
            exclude: ["Page"],
            swiftSettings: swiftSettings, plugins: ["Embed"]),
        target("PageFiles", ["API", "Codecs", "HTTP1", "HTTPServer"]),
        .target(
            name: "Console",
            dependencies: [
                "API", "Codecs", "Contract", "Crypto", "Database", "HTTP1", "HTTPServer", "Logging",
                "PageFiles",
                "Postgres", "Reactor", "Rooms", "Scheduling", "Settings",
            ],
            exclude: ["Page"], swiftSettings: swiftSettings, plugins: ["Embed"]),
        .plugin(name: "Embed", capability: .buildTool()),
        target(
            "Backend",
            [
                "API", "CLinux", "Cluster", "Codecs", "Console", "Contract", "Crypto", "Database", "HTTP1",
                "HTTPServer", "Logging", "Matching",
                "Outbox", "OutboundHTTP", "Postgres", "PrivatePostgres", "Push", "Reactor", "Rooms",
                "Scheduling", "Settings", "Tracing", "Web",
            ]),
        target("Client", ["CLinux", "Codecs", "Contract", "HTTP1", "Reactor", "TLS", "WebSocket"]),
        target("FlakyNetwork", ["Client", "Codecs", "Contract", "Reactor"]),

        executable("letsswitch-server", ["Backend"]),
        .executableTarget(
            name: "letsswitch", dependencies: ["Client", "Contract", "Crypto", "Reactor"],
            exclude: ["Documents"], swiftSettings: swiftSettings, plugins: ["Embed"]),

        // Benchmarks and tests.
        .executableTarget(
            name: "bench",
            dependencies: [
                "CLinux", "COpenSSL", "Client", "Codecs", "Contract", "HTTP1", "HTTPServer",
                "PrivatePostgres", "Reactor", "WebSocket",
            ],
            path: "Benchmarks/bench", swiftSettings: swiftSettings),
        .executableTarget(name: "floor", dependencies: ["COpenSSL"], path: "Benchmarks/floor"),
        .executableTarget(name: "ring-floor", dependencies: ["COpenSSL"], path: "Benchmarks/ring-floor"),

        tests("BenchTests", ["bench", "Client", "Codecs", "Contract"]),
        tests("TidyTests", ["Contract"]),
        tests("CodecsTests", ["Codecs"]),
        tests("MatchingTests", ["Codecs", "Matching"]),
        tests("CryptoTests", ["COpenSSL", "Codecs", "Crypto"]),
        tests("HTTP1Tests", ["Codecs", "HTTP1"]),
        tests("WebSocketTests", ["Codecs", "WebSocket"]),
        tests("ContractTests", ["Codecs", "Contract"]),
        tests("ReactorTests", ["CLinux", "Codecs", "Reactor", "SocketTesting", "TestKit"]),
        tests("RoomsTests", ["Codecs", "Contract", "Rooms"]),
        tests(
            "OutboxTests",
            ["Codecs", "Contract", "Outbox", "OutboxTesting", "Reactor", "SocketTesting", "TestKit"]),
        // The requirements of every store of deliveries, and a store in memory.
        .target(
            name: "OutboxTesting", dependencies: ["Contract", "Outbox"], path: "Tests/OutboxTesting",
            swiftSettings: swiftSettings),
        tests(
            "HTTPServerTests",
            [
                "CLinux", "Codecs", "HTTP1", "HTTPServer", "Reactor", "SocketTesting", "TestKit", "WebSocket",
            ]),

        // Helpers of the tests of several targets: folders, loops, one-time signals.
        .target(
            name: "TestKit", dependencies: ["CLinux", "Codecs", "Contract", "Reactor"], path: "Tests/TestKit",
            swiftSettings: swiftSettings),

        // The far end of a socket, for tests.
        .target(
            name: "SocketTesting", dependencies: ["CLinux", "Reactor", "TestKit"],
            path: "Tests/SocketTesting",
            swiftSettings: swiftSettings),

        tests(
            "OutboundHTTPTests",
            ["OutboundHTTP", "Reactor", "SocketTesting", "TLS", "TLSTesting", "TestKit"]),
        tests(
            "TLSTests", ["COpenSSL", "Client", "Codecs", "Contract", "SocketTesting", "TLS", "TLSTesting"]),
        // Certificates that are made on demand, and a TLS relay for a server without TLS.
        .target(
            name: "TLSTesting", dependencies: ["COpenSSL", "Reactor", "TLS"], path: "Tests/TLSTesting",
            swiftSettings: swiftSettings),

        tests(
            "ClientTests",
            [
                "CLinux", "Client", "ClientTesting", "Codecs", "Contract", "FlakyNetwork", "HTTP1",
                "HTTPServer",
                "Reactor", "SocketTesting", "TLS", "TLSTesting", "TestKit", "WebSocket", "queue-probe",
            ]),
        tests(
            "FlakyNetworkTests",
            [
                "Client", "ClientTesting", "Contract", "FlakyNetwork", "HTTP1", "HTTPServer", "Reactor",
                "SocketTesting", "TLSTesting", "TestKit", "WebSocket",
            ]),
        tests(
            "CommandLineTests",
            [
                "letsswitch", "Client", "ClientTesting", "Codecs", "Contract", "Crypto", "HTTP1",
                "HTTPServer", "Reactor", "TLS", "SocketTesting", "TLSTesting", "TestKit", "WebSocket",
            ]),

        // A program that runs against a limit that the kernel sets to a whole process. It is run, and not
        // linked.
        .executableTarget(
            name: "queue-probe", dependencies: ["CLinux", "Client", "Contract", "Reactor"],
            path: "Tests/QueueProbe", swiftSettings: swiftSettings),

        // A server whose answers a test scripts.
        .target(
            name: "ClientTesting",
            dependencies: ["Contract", "HTTP1", "HTTPServer", "Reactor", "TestKit", "WebSocket"],
            path: "Tests/ClientTesting", swiftSettings: swiftSettings),
        // The programs are run, and not linked: as dependencies they are built before.
        tests(
            "ReadmeTests", ["Client", "Contract", "Reactor", "TestKit", "letsswitch", "letsswitch-server"]),
        tests(
            "PostgresTests",
            ["Codecs", "Postgres", "PostgresFaults", "PostgresTesting", "Reactor", "TestKit"]),
        .target(
            name: "PostgresTesting", dependencies: ["CLinux", "Postgres", "Reactor", "TestKit"],
            path: "Tests/PostgresTesting",
            swiftSettings: swiftSettings),
        // A server whose statements fail, or are mistaken, as a test asks. It is run, and not linked.
        .executableTarget(
            name: "faulty-server", dependencies: ["Backend", "PostgresFaults"], path: "Tests/FaultyServer",
            swiftSettings: swiftSettings),
        .target(
            name: "PostgresFaults", dependencies: ["Codecs", "Postgres", "Reactor"],
            path: "Tests/PostgresFaults", swiftSettings: swiftSettings),
        // Tests of real processes, from outside: the executables are dependencies so that they are built
        // beside the tests.
        tests("TracingTests", ["Codecs", "Tracing"]),
        tests(
            "EndToEndTests",
            [
                "API", "Client", "CLinux", "Codecs", "Contract", "Database", "FlakyNetwork", "HTTP1",
                "Postgres",
                "PostgresFaults", "PostgresTesting",
                "Reactor", "SocketTesting", "TestKit", "WebSocket", "faulty-server", "letsswitch",
                "letsswitch-server",
            ]),
        tests(
            "ClusterTests",
            [
                "API", "Cluster", "Codecs", "Contract", "Database", "HTTP1", "HTTPServer", "Logging",
                "Postgres",
                "PostgresTesting", "Reactor", "Rooms", "SocketTesting", "TestKit",
            ]),
        // The service on a schema of its own, and what several targets ask of it.
        .target(
            name: "BackendTesting",
            dependencies: [
                "API", "Backend", "Codecs", "Console", "Contract", "Crypto", "Database", "HTTP1",
                "HTTPServer", "Matching", "Outbox", "PageFiles", "Postgres", "PostgresTesting", "Reactor",
                "Rooms", "Scheduling", "Settings", "SocketTesting", "TestKit", "Web",
            ],
            path: "Tests/BackendTesting", swiftSettings: swiftSettings),
        tests(
            "BackendTests",
            [
                "API", "Backend", "BackendTesting", "CLinux", "Cluster", "Codecs", "Contract", "Crypto",
                "Database", "HTTP1", "HTTPServer", "Logging", "Matching", "Postgres", "PostgresTesting",
                "PrivatePostgres", "Reactor", "Rooms", "Scheduling", "Settings", "SocketTesting", "TestKit",
            ]),
        tests(
            "APITests",
            [
                "API", "Backend", "BackendTesting", "Codecs", "Console", "Contract", "Crypto", "Database",
                "HTTP1", "HTTPServer", "Matching", "OutboundHTTP", "Outbox", "PageFiles", "Postgres",
                "PostgresTesting", "Push", "Reactor", "Rooms", "Scheduling", "Settings", "SocketTesting",
                "TestKit", "Web", "WebSocket",
            ]),
        tests(
            "DatabaseTests",
            [
                "API", "Backend", "BackendTesting", "Codecs", "Contract", "Database", "Matching", "Outbox",
                "OutboxTesting", "Postgres", "PostgresTesting", "Push", "Reactor", "Scheduling", "Settings",
                "TestKit",
            ]),
        tests(
            "SchedulingTests",
            [
                "API", "Backend", "BackendTesting", "Codecs", "Contract", "Database", "Logging", "Matching",
                "Postgres", "PostgresTesting", "Reactor", "Scheduling", "Settings", "TestKit",
            ]),
        tests(
            "PushTests",
            [
                "API", "Backend", "BackendTesting", "Codecs", "Contract", "Crypto", "Database", "HTTP1",
                "HTTPServer", "OutboundHTTP", "Outbox", "Postgres", "Push", "Reactor", "Settings",
                "SocketTesting", "TLS", "TLSTesting", "TestKit", "Web",
            ]),
        tests(
            "DeskTests",
            [
                "API", "Backend", "BackendTesting", "Codecs", "Console", "Contract", "Crypto", "Database",
                "HTTP1", "HTTPServer", "Outbox", "PageFiles", "Postgres", "Reactor", "Rooms", "Scheduling",
                "Settings",
            ]),
        tests("SettingsTests", ["Backend", "CLinux", "Contract", "Reactor", "Settings"]),
    ]
)

let fuzzed: [Target.Dependency] = [
    "Codecs", "Contract", "Crypto", "Database", "HTTP1", "Outbox", "Rooms", "WebSocket",
]
package.targets.append(
    isFuzzing
        ? .executableTarget(
            name: "fuzz", dependencies: fuzzed, path: "Fuzz", exclude: ["corpus", "CorpusTests.swift"],
            swiftSettings: swiftSettings,
            // The default linker fails on so many symbols of the sanitizers.
            linkerSettings: [.unsafeFlags(["-use-ld=lld"])])
        : .testTarget(
            name: "FuzzTests", dependencies: fuzzed, path: "Fuzz",
            exclude: ["corpus", "EntryPoints.swift"], swiftSettings: swiftSettings))

if Context.environment["SANITIZE"] == "thread" {
    // Swift 6.3 makes a broken module of the load generator under the thread sanitizer. It has one thread.
    package.targets.removeAll { ["bench", "BenchTests"].contains($0.name) }
    package.products.removeAll { $0.name == "bench" }
}
