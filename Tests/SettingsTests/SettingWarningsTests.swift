import Testing

@testable import Backend
@testable import Settings

@Suite("Warnings about settings")
struct SettingWarningsTests {
    @Test(
        "name a public URL that no client can reach",
        arguments: [
            (["HOST": "0.0.0.0"], true), (["HOST": "::"], true), (["HOST": "127.0.0.1"], false),
            (["HOST": "::1"], false), (["HOST": "10.0.0.7"], false),
            (["HOST": "0.0.0.0", "PUBLIC_URL": "https://switch.example.org"], false),
            (["HOST": "::", "PUBLIC_URL": "http://192.168.1.20:8080"], false),
        ])
    func wildcard(environment: [String: String], isNamed: Bool) throws {
        let configuration = try ServerConfiguration(arguments: [], environment: environment)
        let url = configuration.publicURL(boundTo: 8080)
        let warnings = SettingWarnings.find(configuration, publicURL: url)
        #expect(warnings.contains { $0.contains("no client can reach") } == isNamed, "\(url)")
    }

    @Test("name MISPLACED=x-accel, which does nothing")
    func misplaced() throws {
        for (value, isNamed) in [("x-accel", true), ("off", false)] {
            let configuration = try ServerConfiguration(arguments: [], environment: ["MISPLACED": value])
            let warnings = SettingWarnings.find(configuration, publicURL: "https://switch.example.org")
            #expect(warnings.contains { $0.hasPrefix("MISPLACED=x-accel does nothing") } == isNamed)
        }
    }
}
