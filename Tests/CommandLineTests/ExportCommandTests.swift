import ClientTesting
import Contract
import Glibc
import HTTP1
import HTTPServer
import Testing

@testable import letsswitch

@Suite("letsswitch export")
struct ExportCommandTests {
    private struct Broken: Error {}
    private static let document = "{\"exportedAt\":\"2027-01-15T08:00:00Z\"}\n"

    /// Runs the command in a folder of its own; with `{}` in the arguments for a path there.
    private static func run(
        _ arguments: [String], isCut: Bool = false, before: (String) -> Void = { _ in }
    ) async throws -> (outcome: CommandProcess.Outcome, folder: String) {
        let server = try await ScriptedServer(.get, Routes.export) { _ in
            HTTPResponse(
                status: 200, headers: [:],
                document: { stream in
                    try await stream.write(Array(document.utf8))
                    if isCut { throw Broken() }
                })
        }
        let process = try CommandProcess.signedIn()
        var template = Array("/tmp/letsswitch-export-XXXXXX".utf8CString)
        let folder = String(cString: try #require(mkdtemp(&template)))
        before(folder)
        let arguments = arguments.map { $0 == "{}" ? "\(folder)/me.json" : $0 }
        return (try await process.run(["export"] + arguments, server: server.url), folder)
    }

    private static func names(in folder: String) throws -> [String] {
        let directory = try #require(opendir(folder))
        defer { closedir(directory) }
        var names: [String] = []
        while let entry = readdir(directory) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if !name.hasPrefix(".") { names.append(name) }
        }
        return names
    }

    private static func content(_ path: String) throws -> (text: String, mode: mode_t) {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        try #require(file >= 0)
        defer { close(file) }
        var status = stat()
        #expect(fstat(file, &status) == 0)
        var bytes = [UInt8](repeating: 0, count: 4096)
        let count = read(file, &bytes, bytes.count)
        return (String(decoding: bytes.prefix(max(0, count)), as: UTF8.self), status.st_mode & 0o777)
    }

    @Test("writes the document to standard output, and nothing else")
    func output() async throws {
        let outcome = try await Self.run([]).outcome
        #expect(outcome.status == 0 && outcome.output == Self.document && outcome.errors.isEmpty)
    }

    @Test("writes a file for its owner alone, in place of another one")
    func file() async throws {
        let (outcome, folder) = try await Self.run(["--output", "{}"]) { folder in
            let old = open("\(folder)/me.json", O_WRONLY | O_CREAT | O_CLOEXEC, 0o644)
            close(old)
        }
        #expect(outcome.status == 0 && outcome.errors.isEmpty, "\(outcome.errors)")
        #expect(outcome.output.contains("\(folder)/me.json, \(Self.document.utf8.count) bytes"))
        let (text, mode) = try Self.content("\(folder)/me.json")
        #expect(text == Self.document && mode == 0o600)
        #expect(try Self.names(in: folder) == ["me.json"])
        let json = try await Self.run(["-o", "{}", "--json"])
        #expect(
            json.outcome.output
                == "{\"bytes\":\(Self.document.utf8.count),\"file\":\"\(json.folder)/me.json\"}\n")
    }

    @Test("leaves nothing, and the file that there was, where the document is cut")
    func cut() async throws {
        let (outcome, folder) = try await Self.run(["--output", "{}"], isCut: true)
        #expect(outcome.status == 7 && outcome.errors.contains("in the middle of an answer"))
        #expect(try Self.names(in: folder) == [])
    }

    @Test("says which file cannot be written")
    func unwritable() async throws {
        let outcome = try await Self.run(["--output", "/nowhere/me.json"]).outcome
        #expect(
            outcome.status == 1 && outcome.errors.contains("/nowhere/me.json cannot be written: No such file")
        )
    }
}
