import Testing

@testable import Crypto

@Suite struct PasswordHashTests {
    @Test("the example of RFC 7914, section 12, comes out")
    func example() throws {
        let key = try PasswordHash.derive(
            "pleaseletmein", Array("SodiumChloride".utf8),
            PasswordHash.Parameters(cost: 14, blockSize: 8, parallelism: 1), length: 64)
        let expected: [UInt8] = [
            0x70, 0x23, 0xBD, 0xCB, 0x3A, 0xFD, 0x73, 0x48, 0x46, 0x1C, 0x06, 0xCD, 0x81, 0xFD, 0x38, 0xEB,
            0xFD, 0xA8, 0xFB, 0xBA, 0x90, 0x4F, 0x8E, 0x3E, 0xA9, 0xB5, 0x43, 0xF6, 0x54, 0x5D, 0xA1, 0xF2,
            0xD5, 0x43, 0x29, 0x55, 0x61, 0x3F, 0x0F, 0xCF, 0x62, 0xD4, 0x97, 0x05, 0x24, 0x2A, 0x9A, 0xF9,
            0xE6, 0x1E, 0x85, 0xDC, 0x0D, 0x65, 0x1E, 0x40, 0xDF, 0xCF, 0x01, 0x7B, 0x45, 0x57, 0x58, 0x87,
        ]
        #expect(key == expected)
    }

    @Test("a hash is of its password alone, and has a salt of its own")
    func matching() throws {
        let cheap = PasswordHash.Parameters(cost: 10, blockSize: 8, parallelism: 1)
        let (one, other) = (
            try PasswordHash(of: "correct horse", parameters: cheap),
            try PasswordHash(of: "correct horse", parameters: cheap)
        )
        #expect(try one.isOf("correct horse"))
        #expect(try !one.isOf("correct hors") && !one.isOf("") && !one.isOf("Correct horse"))
        #expect(one.salt != other.salt && one.hash != other.hash)
    }
}

@Suite struct OneTimeCodeTests {
    private static let example = OneTimeCode(secret: Array("12345678901234567890".utf8))

    @Test(
        "the examples of RFC 6238, appendix B, come out",
        arguments: [
            (59, "287082"), (1_111_111_109, "081804"), (1_111_111_111, "050471"), (1_234_567_890, "005924"),
            (2_000_000_000, "279037"), (20_000_000_000, "353130"),
        ] as [(Int64, String)])
    func examples(seconds: Int64, code: String) {
        #expect(Self.example.code(of: OneTimeCode.step(at: seconds)) == code)
    }

    @Test("a code counts in its half minute and in those beside it, and once")
    func steps() {
        let step = OneTimeCode.step(at: 1_111_111_109)
        let code = Self.example.code(of: step)
        for (shift, isTaken) in [(-60, false), (-30, true), (0, true), (30, true), (60, false)] {
            let found = Self.example.step(of: code, at: 1_111_111_109 + Int64(shift), after: 0)
            #expect(found == (isTaken ? step : nil), "\(shift)")
        }
        #expect(Self.example.step(of: code, at: 1_111_111_109, after: step) == nil)
        #expect(Self.example.step(of: "", at: 1_111_111_109, after: 0) == nil)
    }

    @Test("a secret is shown in base 32")
    func text() {
        #expect(Self.example.text == "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ")
        #expect(OneTimeCode(secret: Array("foob".utf8)).text == "MZXW6YQ")
    }
}
