import Glibc
import Reactor
import Testing

@testable import Settings

/// Compares the tables of docs/operate/settings.md with the settings. With WRITE_SETTINGS, which
/// script/dev/settings sets, it writes them.
@Suite("The page of settings")
struct SettingsPageTests {
    private static let path =
        "/" + #filePath.split(separator: "/").dropLast(3).joined(separator: "/") + "/docs/operate/settings.md"

    @Test("has the table of each group of settings below the group's heading")
    func tables() throws {
        let stored = try SmallFile.read(Self.path, limit: 1 << 20)
        var page = stored
        for (title, settings) in Setting.groups {
            let heading = try #require(
                page.firstRange(of: "\n## \(title)\n\n"), "\(title) has no heading")
            let rest = page[heading.upperBound...]
            #expect(rest.hasPrefix("| setting |"), "\(title) has no table")
            let end = rest.firstRange(of: "\n\n")?.lowerBound ?? page.index(before: page.endIndex)
            page.replaceSubrange(heading.upperBound..<end, with: Self.table(of: settings))
        }
        if page != stored, getenv("WRITE_SETTINGS") != nil {
            let file = try #require(fopen(Self.path, "w"))
            defer { fclose(file) }
            #expect(fputs(page, file) >= 0)
        } else {
            #expect(page == stored, "docs/operate/settings.md differs: run script/dev/settings")
        }
    }

    private static func table(of settings: [Setting]) -> String {
        let rows = settings.map { setting in
            let anchor = "<a id=\"\(setting.name.lowercased())\"></a>"
            let standard = setting.standard.replacing(",", with: ", ")
            return "| \(anchor)`\(setting.name)` | \(standard) | \(setting.meaning) |"
        }
        return (["| setting | default | meaning |", "|---|---|---|"] + rows).joined(separator: "\n")
    }
}
