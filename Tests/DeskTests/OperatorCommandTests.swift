import Contract
import Testing

@testable import Settings

@Suite("The commands about operators")
struct OperatorCommandTests {
    private static func request(_ words: String) throws -> OperatorRequest {
        var flags = words.split(separator: " ").map(String.init)
        let request = try OperatorRequest(takingFrom: &flags)
        #expect(flags.isEmpty)
        return request
    }

    @Test("are read")
    func read() throws {
        #expect(try Self.request("list") == .list)
        #expect(try Self.request("disable anna") == .disable("anna"))
        #expect(
            try Self.request("add anna --role admin --password-file p --code")
                == .add("anna", role: "admin", .init(file: "p", hasCode: true)))
        #expect(try Self.request("reset anna") == .reset("anna", .init()))
    }

    @Test(
        "are refused where something is missing",
        arguments: ["", "remove anna", "add", "add --role admin", "add anna", "reset", "disable --role x"])
    func wrong(words: String) {
        var flags = words.split(separator: " ").map(String.init)
        #expect(throws: ConfigurationError.self) { try OperatorRequest(takingFrom: &flags) }
    }

    @Test("about codes for sign-ups are read, and refused if something is missing or wrong")
    func signUpCodes() throws {
        for (words, request) in [
            ("list", .list), ("add", .add(uses: 1, until: nil)), ("end 3", .end(3)),
            (
                "add --until 2027-01-01T00:00:00Z --uses 20",
                .add(uses: 20, until: Timestamp(seconds: 1_798_761_600))
            ),
        ] as [(String, SignUpCodeRequest)] {
            var flags = words.split(separator: " ").map(String.init)
            #expect(try SignUpCodeRequest(takingFrom: &flags) == request)
            #expect(flags.isEmpty)
            #expect(request.makesCode == words.hasPrefix("add"))
        }
        let wrong = ["", "make", "end", "end x", "end 0", "add --uses 0", "add --uses x", "add --until soon"]
        for words in wrong {
            var flags = words.split(separator: " ").map(String.init)
            #expect(throws: ConfigurationError.self) { try SignUpCodeRequest(takingFrom: &flags) }
        }
    }

    @Test("about the audit log are read, and refused without a time")
    func audit() throws {
        var flags = ["verify"]
        #expect(try AuditRequest(takingFrom: &flags) == .verify())
        flags = ["verify", "--head", String(repeating: "0f", count: 32)]
        #expect(try AuditRequest(takingFrom: &flags) == .verify(head: [UInt8](repeating: 15, count: 32)))
        flags = ["cut", "--before", "2027-01-01T00:00:00Z"]
        #expect(
            try AuditRequest(takingFrom: &flags) == .cut(before: Timestamp(seconds: 1_798_761_600)))
        for words in [
            [], ["cut"], ["cut", "--before", "x"], ["look"], ["verify", "--head", "0f"],
            ["verify", "--head", String(repeating: "+1", count: 32)], ["verify", "--head"],
        ] {
            var flags = words
            #expect(throws: ConfigurationError.self) { try AuditRequest(takingFrom: &flags) }
        }
    }
}
