import TestKit
import Testing

@Suite("script/setup")
struct SecretsScriptTests {
    private static let root = "/" + #filePath.split(separator: "/").dropLast(3).joined(separator: "/")

    @Test(
        "writes a name of volumes that Docker takes, whatever the folder is called",
        arguments: [
            ("switch", "switch"), ("Let's Switch_2", "letsswitch_2"), ("_work", "work"), ("-a-", "a-"),
            ("日本", nil), ("___", nil),
        ])
    func names(folder: String, name: String?) async throws {
        let parent = TemporaryFolder()
        let end = try await Finished.run(
            "bash",
            [
                "-ec",
                """
                mkdir -p "$1/script"
                cp "$0/script/setup" "$1/script/"
                cp "$0/.env.example" "$1/"
                "$1/script/setup"
                sed -n 's/^VOLUMES=//p' "$1/.env"
                sed -n 's/^COMPOSE_PROJECT_NAME=//p' "$1/.env"
                """, Self.root, "\(parent.path)/\(folder)",
            ])
        #expect(end.status == 0, "\(end)")
        let names = end.output.split(separator: "\n")
        if let name {
            #expect(names == [Substring(name)], "\(end)")
        } else {
            // Compose finds no name of its own for such a folder.
            #expect(names.count == 2 && names[0] == names[1], "\(end)")
            #expect(names[0].wholeMatch(of: /letsswitch-[0-9]+/) != nil, "\(end)")
        }
    }
}
