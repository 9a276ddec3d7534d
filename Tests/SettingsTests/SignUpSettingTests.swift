import Contract
import Testing

@testable import Settings

@Suite("The setting of sign-ups")
struct SignUpSettingTests {
    private static func ways(_ text: String) throws(ConfigurationError) -> [SignUpWay] {
        try ServerConfiguration(arguments: [], environment: ["SIGNUPS": text]).signUps
    }

    @Test("is open, closed, or a list of code and invite")
    func read() throws {
        #expect(try ServerConfiguration(arguments: [], environment: [:]).signUps == [.open])
        #expect(try Self.ways("open") == [.open])
        #expect(try Self.ways("closed") == [])
        #expect(try Self.ways("Code") == [.code])
        #expect(try Self.ways("invite,code") == [.invite, .code])
        #expect(try Self.ways("code, invite") == [.code, .invite])
    }

    @Test(
        "is refused otherwise", arguments: ["shut", "open,code", "code,code", "closed,code", ",", "code,x"])
    func wrong(text: String) {
        let reason = "is not one of these: use open, closed, code, invite or code,invite"
        #expect(throws: ConfigurationError.invalid(name: "SIGNUPS", value: text, reason: reason)) {
            try Self.ways(text)
        }
    }
}
