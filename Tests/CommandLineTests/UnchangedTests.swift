import Codecs
import Reactor
import Testing

@testable import Contract
@testable import letsswitch

/// Holds the help of all commands, and all sentences in all languages, to `Tests/unchanged.txt`: a change of
/// the code's shape changes none of them. A line of the file is a name and a hash of the text.
@Suite("What people read")
struct UnchangedTests {
    private static let tests = "/" + #filePath.split(separator: "/").dropLast(2).joined(separator: "/")

    /// Returns the hashes of the file whose names begin so.
    private static func expected(_ beginning: String) throws -> [String: String] {
        let lines = try SmallFile.read("\(tests)/unchanged.txt", limit: 1 << 20).split(separator: "\n")
        return Dictionary(
            uniqueKeysWithValues: lines.filter { $0.hasPrefix(beginning) }.map { line in
                let words = line.split(separator: " ")
                return (words.dropLast().joined(separator: " "), String(words.last ?? ""))
            })
    }

    /// Returns the lines of the file that the names would have.
    private static func lines(_ hashes: [String: String]) -> [String] {
        hashes.map { "\($0) \($1)" }.sorted()
    }

    @Test("the help of each command is the same as before", arguments: ["C", "de_DE.UTF-8", "ja_JP.UTF-8"])
    func help(locale: String) async throws {
        let process = CommandProcess()
        var hashes: [String: String] = [:]
        for name in CommandTree.commands.map(\.name) {
            let words = name.split(separator: " ").map(String.init)
            let outcome = try await process.run(
                words + ["--help"], server: "http://127.0.0.1:1", environment: ["LANG=\(locale)"])
            #expect(outcome.status == 0, "\(outcome)")
            hashes["help \(locale) \(name)"] = FNV1a(outcome.output.utf8).hexadecimal
        }
        let expected = try Self.expected("help \(locale) ")
        #expect(hashes.count > 50)
        #expect(
            hashes == expected, "\(Self.lines(hashes.filter { expected[$0.key] != $0.value }))")
    }

    @Test(
        "each sentence of a catalogue is the same as before",
        arguments: ["Contract/Documents/service", "letsswitch/Documents/command"])
    func sentences(program: String) throws {
        var hashes: [String: String] = [:]
        for language in ["de", "ja"] {
            let file = "\(program).\(language).po"
            let entries = Catalogue.entries(
                of: try SmallFile.read("\(Self.tests)/../Sources/\(file)", limit: 4 << 20))
            #expect(entries.count > 500)
            let text = entries.map { "\($0.key)\n\($0.text)\n" }.sorted().joined()
            hashes["sentences \(file)"] = FNV1a(text.utf8).hexadecimal
        }
        let expected = try Self.expected("sentences \(program)")
        #expect(hashes == expected, "\(Self.lines(hashes))")
    }
}
