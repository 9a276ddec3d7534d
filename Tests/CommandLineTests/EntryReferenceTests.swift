import ClientTesting
import Contract
import Testing

@testable import letsswitch

@Suite("A word that names an entry")
struct EntryReferenceTests {
    @Test(
        "is an id, a number of three digits at most, or the beginning of an id",
        arguments: [
            ("0198C0DE-0000-7000-8000-000000000001", .id(EntryReferenceTests.id)), ("1", .number(1)),
            ("999", .number(999)), ("1234", .prefix("1234")), ("0198", .prefix("0198")),
            ("0198C0DE-00", .prefix("0198c0de00")), ("beef", .prefix("beef")),
            ("0198c0de0000700080000000000000ff", .prefix("0198c0de0000700080000000000000ff")),
        ] as [(String, EntryReference)])
    func valid(text: String, reference: EntryReference) {
        #expect(EntryReference(text) == reference)
    }

    private static let id = Identifier("0198c0de-0000-7000-8000-000000000001") ?? Sample.me

    @Test(
        "is nothing else",
        arguments: [
            "", "0", "01", "007", "-1", "+1", "1.5", "abc", "a-b-c", "----", "xyz1", "019g", "１２",
            "0198c0d\u{0}",
            "0198c0de-0000-7000-8000-0000000000012", String(repeating: "a", count: 33), "#1",
        ])
    func invalid(text: String) {
        #expect(EntryReference(text) == nil)
    }

    @Test("is the beginning of an id whatever its hyphens are")
    func prefix() {
        for text in ["0198", "0198c0de", "0198c0de-0000-7", "0198c0de00007"] {
            guard case .prefix(let prefix) = EntryReference(text) else {
                Issue.record("\(text)")
                continue
            }
            #expect(EntryReference.matches(prefix, Self.id))
        }
        #expect(!EntryReference.matches("198c", Self.id))
    }
}
