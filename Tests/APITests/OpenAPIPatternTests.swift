import Contract
import Testing

@testable import API
@testable import BackendTesting
@testable import Database

@Suite("The regular expressions of the OpenAPI document")
struct OpenAPIPatternTests {
    private static func matches(_ text: String, _ pattern: String) throws -> Bool {
        try Regex(pattern).matchingSemantics(.unicodeScalar).firstMatch(in: text) != nil
    }

    private static let samples = [
        "a", " a ", "\ta\n", "a b", "a\tb", "a\nb", "a\u{0}", "\u{0}", "\u{7F}", "a\u{9F}b", "\u{85}a\u{85}",
        "", " ", "\u{3000}", "\u{A0}\u{2003}x\u{202F}", "a\u{2028}b", "\u{2028}a", "a\u{2029}", "🦊",
        "é\u{301}",
        "\u{200E}a", "\u{FEFF}", "a\u{1C}", "\u{1C}a", "a\r\nb", "a\rb", "\u{B}a\u{C}", "\u{180E}",
        "\u{1680}a",
        "a\u{200B}", "\u{61C}", "x\u{E000}",
    ]

    @Test(
        "accept the texts that the server accepts", arguments: [TextRule.task, .tag, .name, .report], samples)
    func accepted(rule: TextRule, text: String) throws {
        // The expression does not say that something has to be seen: that takes the tables of Unicode.
        var rule = rule
        rule.isVisible = false
        let isAccepted = (try? rule.read(text)) != nil
        #expect(
            try Self.matches(text, OpenAPILimitTests.pattern(rule)) == isAccepted,
            "\(text.unicodeScalars.map(\.value))")
    }

    @Test(
        "accept the recovery codes that the server accepts",
        arguments: [
            "00000-00000-00000-00000-00000", "abcdefghjkmnpqrstvwxyzOIL", " 0000000000 00000-00000-00000 ",
            "00000-00000-00000-00000-0000", "00000-00000-00000-00000-000000", "u0000-00000-00000-00000-00000",
            "",
            "00000_00000-00000-00000-00000",
        ])
    func codes(text: String) throws {
        let schema = try SchemaCheck().document["components"]?["schemas"]?["Recovery"]
        let pattern = try #require(schema?["properties"]?["recoveryCode"]?["pattern"]?.string)
        #expect(try Self.matches(text, pattern) == (AccessCode(text, for: .recovery) != nil))
    }

    @Test(
        "accept the codes of operators that the server accepts",
        arguments: [
            "0000-0000-0000-0000", "abcdefghjkmnOILz", " 00000000 0000-0000 ", "0000-0000-0000-000",
            "0000-0000-0000-00000", "u000-0000-0000-0000", "", "0000_0000-0000-0000",
        ])
    func accessCodes(text: String) throws {
        let schemas = try SchemaCheck().document["components"]?["schemas"]
        for name in ["NewUser", "FirstSignIn"] {
            let pattern = try #require(schemas?[name]?["properties"]?["code"]?["pattern"]?.string)
            #expect(try Self.matches(text, pattern) == (AccessCode(text, for: .signUp) != nil))
        }
    }
}
