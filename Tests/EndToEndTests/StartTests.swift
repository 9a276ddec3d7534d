import Client
import Contract
import Glibc
import PostgresTesting
import Reactor
import TestKit
import Testing

@Suite("A server that cannot start", .timeLimit(.minutes(5)))
struct StartTests {
    /// Runs the server to its end, and expects that it logs only errors.
    private func run(_ arguments: [String] = [], _ settings: [String: String]) async throws -> Finished {
        try await Finished.run(
            try BuiltProgram.server.path(), arguments,
            environment: ["LOG_LEVEL": "error"].merging(settings) { $1 })
    }

    @Test(
        "because its configuration makes no sense says which and why in one line, and exits with 2",
        arguments: [
            ("PORT", "70000"), ("PORT", "http"), ("SLOT_SECONDS", "7"), ("LEAD_SECONDS", "2000"),
            ("SLOT_LENGTHS", "25,3"), ("SLOT_GRID", "15"),
            ("LATE_SECONDS", "2000"), ("WORKERS", "0"), ("ROOM_SIZE", "1"), ("ROOM_SIZE", "65"),
            ("MAX_DAYS_AHEAD", "0"), ("PING_SECONDS", "0"), ("ALES_PER_SECOND", "-1"),
            ("REQUESTS_PER_SECOND", "x"), ("TICKET_KEY", "short"), ("LOG_LEVEL", "loud"),
            ("LOG_FORMAT", "xml"), ("DATABASE_URL", "mysql://x"), ("PUBLIC_URL", "nowhere"),
        ])
    func nonsense(name: String, value: String) async throws {
        let end = try await run([], [name: value])
        #expect(end.status == 2, "\(end)")
        #expect(end.errorLines.count == 1, "\(end)")
        #expect(end.errors.contains(name))
        let flag = "--" + name.lowercased().split(separator: "_").joined(separator: "-")
        #expect(try await run(["serve", flag, value], [:]).status == 2)
    }

    @Test("because a setting and its file are both given, or a flag is unknown, exits with 2")
    func twice() async throws {
        let folder = TemporaryFolder()
        let file = try folder.file("size", "3\n")
        let both = try await run([], ["ROOM_SIZE": "2", "ROOM_SIZE_FILE": file])
        #expect(both.status == 2)
        #expect(both.errorLines.count == 1)
        #expect(both.errors.contains("ROOM_SIZE_FILE"))
        #expect(try await run(["--prot", "1"], [:]).errors.contains("--port"))
        #expect(try await run(["sevre"], [:]).status == 2)
    }

    @Test(
        "a command that cannot write its result says so and exits with 1, or ends by SIGPIPE",
        arguments: ["--version", "--help"])
    func fullOutput(argument: String) async throws {
        let server = try BuiltProgram.server.path()
        func shell(_ script: String) async throws -> Finished {
            try await Finished.run(
                "/usr/bin/env", ["--default-signal=PIPE", "/bin/bash", "-c", script], environment: [:])
        }
        for redirection in [">/dev/full", ">&-"] {
            let end = try await shell("exec '\(server)' \(argument) \(redirection)")
            #expect(end.status == 1, "\(end)")
            #expect(end.errors.contains("Standard output cannot be written"), "\(end)")
        }
        let end = try await shell("exec 3> >(exit 0); wait $!; '\(server)' \(argument) >&3; exit $?")
        #expect(end.status == 141, "\(end)")
    }

    @Test("because its limit of open files is too low says which limit it needs, and exits with 1")
    func openFiles() async throws {
        let end = try await Finished.run(
            "prlimit", ["--nofile=120:120", try BuiltProgram.server.path()],
            environment: ["LOG_LEVEL": "error", "PORT": "0"])
        #expect(end.status == 1, "\(end)")
        #expect(end.errorLines.count == 1, "\(end)")
        #expect(end.errors.contains("open files is 120, and these settings need at least"), "\(end)")
    }

    @Test("because another program has its port says so in one line, and exits with 1")
    func portTaken() async throws {
        // This server listens, and never answers.
        let descriptor = socket(AF_INET, CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue), 0)
        defer { close(descriptor) }
        try #require(listen(descriptor, 8) == 0)
        var address = sockaddr_in()
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let code = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &length) }
        }
        try #require(code == 0)
        let end = try await run([], ["PORT": "\(UInt16(bigEndian: address.sin_port))", "HOST": "0.0.0.0"])
        #expect(end.status == 1, "\(end)")
        #expect(end.errorLines.count == 1, "\(end)")
        #expect(end.errors.contains("Another program"))
    }

    @Test("because another Let's Switch has its port says so in one line, and exits with 1")
    func portOurs() async throws {
        try await Stage.withServer { stage, server in
            let end = try await run([], ["PORT": "\(server.port)", "DATABASE_URL": stage.database.url])
            #expect(end.status == 1, "\(end)")
            #expect(end.errorLines.count == 1, "\(end)")
            #expect(end.errors.contains("Another Let's Switch"))
            #expect(try await Curl("\(server.url)/readyz").status == 200)
        }
    }

    @Test("because its DATA_DIR cannot be written says so in one line, and exits with 1")
    func unwritable() async throws {
        for path in ["/proc/letsswitch", "/dev/null/letsswitch"] {
            let end = try await run([], ["PORT": "0", "DATA_DIR": path])
            #expect(end.status == 1, "\(end)")
            #expect(end.errorLines.count == 1, "\(end)")
            #expect(end.errors.contains("DATA_DIR"))
        }
    }

    @Test("because another server has its DATA_DIR says so in one line; that one goes on, and its data stay")
    func sameDataDirectory() async throws {
        try await Permits.shared.with {
            let folder = TemporaryFolder()
            let settings = ["DATA_DIR": "\(folder.path)/data"]
            let first = try await ServerProcess.ready(settings)
            let ada = try await Person(named: "Ada", on: first)
            let end = try await run([], settings.merging(["PORT": "0"]) { $1 })
            #expect(end.status == 1, "\(end)")
            #expect(end.errorLines.count == 1, "\(end)")
            #expect(end.errors.contains("DATA_DIR"))
            #expect(try await ada.api.me().name == "Ada")
            // A killed server leaves its PostgreSQL, which the next one takes over; an orderly stop ends
            // both.
            await first.kill()
            let second = try await ServerProcess.ready(settings)
            #expect(try await ada.at(second).api.me().name == "Ada")
            #expect(await second.stop() == .exited(0), "\(second.log)")
            let third = try await ServerProcess.ready(settings)
            #expect(try await ada.at(third).api.me().name == "Ada")
            #expect(await third.stop() == .exited(0), "\(third.log)")
        }
    }
}
