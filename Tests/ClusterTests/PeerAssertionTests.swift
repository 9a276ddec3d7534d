import Codecs
import Contract
import Testing

@testable import Cluster

@Suite("An assertion of one server to another")
struct PeerAssertionTests {
    private static let (from, to) = (Identifier(value: 1), Identifier(value: 2))
    private static let key = PeerKey("a key of the operator, of 32 characters")
    private static let at = Timestamp(seconds: 1_800_000_000)

    private static func assertion(
        _ purpose: PeerAssertion.Purpose = .probe, body: [UInt8] = [], seed: UInt64 = 1
    ) -> PeerAssertion {
        var random = SplitMix64(seed: seed)
        let claim = PeerAssertion.SocketClaim(
            room: Identifier(value: 3), user: Identifier(value: 4), tokenVersion: -5, term: 6, version: 2,
            client: "2001:db8::1")
        return PeerAssertion(
            purpose, from: from, to: to, nonce: PeerNonce(using: &random), at: at, body: body,
            socket: purpose == .socket ? claim : nil)
    }

    @Test("is read as it was signed", arguments: ["socket", "probe", "reach", "terms"])
    func read(purpose: String) throws {
        let purpose = try #require(PeerAssertion.Purpose(rawValue: purpose))
        let assertion = Self.assertion(purpose, body: [1, 2])
        #expect(PeerAssertion(assertion.signed(with: Self.key), key: Self.key) == assertion)
        #expect(assertion.isAbout([1, 2]) && !assertion.isAbout([]) && !assertion.isAbout([1]))
    }

    @Test("is not read if anything in it was changed")
    func changed() {
        let signed = Array(Self.assertion(.socket).signed(with: Self.key).utf8)
        for index in signed.indices {
            for bit in [1, 2, 4, 64] as [UInt8] {
                var other = signed
                other[index] ^= bit
                #expect(PeerAssertion(String(decoding: other, as: UTF8.self), key: Self.key) == nil)
            }
        }
        for length in signed.indices {
            #expect(PeerAssertion(String(decoding: signed[..<length], as: UTF8.self), key: Self.key) == nil)
        }
    }

    @Test("is not read with another key")
    func otherKey() {
        let signed = Self.assertion().signed(with: PeerKey("another key"))
        #expect(PeerAssertion(signed, key: Self.key) == nil)
    }

    @Test(
        "is not read if its payload is not one, even with a right signature",
        arguments: [
            "", "{}", "[]", #"{"purpose":"probe"}"#,
            #"{"purpose":"socket","from":"00000000-0000-0000-0000-000000000001","#
                + #""to":"00000000-0000-0000-0000-000000000002","nonce":"00000000000000000000000000000001","#
                + #""at":1,"digest":"","term":99999999999}"#,
        ])
    func unreadable(payload: String) {
        let bytes = Array(payload.utf8)
        let signed = "\(Base64URL.encode(bytes)).\(Base64URL.encode(Self.key.sign(bytes)))"
        #expect(PeerAssertion(signed, key: Self.key) == nil)
    }

    @Test(
        "is accepted for ten seconds before and after the time that it says",
        arguments: [(-10_001, false), (-10_000, true), (0, true), (10_000, true), (10_001, false)])
    func window(milliseconds: Int, isCurrent: Bool) {
        let now = Self.at.adding(.milliseconds(milliseconds))
        #expect(Self.assertion().isCurrent(at: now) == isCurrent)
    }

    @Test("the address of a client cannot change the rest of the payload")
    func client() {
        var assertion = Self.assertion(.socket)
        assertion.socket?.client = #"1","term":9,"x":"\"# + "\u{0}é"
        let read = PeerAssertion(assertion.signed(with: Self.key), key: Self.key)
        #expect(read?.socket?.term == 6)
        #expect(read?.socket?.client == "1,term:9,x:")
    }

    @Test("its answer is of the asked server, to this request, with this body")
    func answered() {
        let assertion = Self.assertion()
        let answer = assertion.answer(by: Self.to, body: [7], key: Self.key)
        #expect(assertion.isAnswered(by: Self.to, answer, body: [7], key: Self.key))
        #expect(!assertion.isAnswered(by: Self.to, answer, body: [8], key: Self.key))
        #expect(!assertion.isAnswered(by: Self.to, answer, key: Self.key))
        #expect(!assertion.isAnswered(by: Self.from, answer, body: [7], key: Self.key))
        #expect(!assertion.isAnswered(by: Self.to, answer, body: [7], key: PeerKey("another key")))
        let other = Self.assertion(seed: 2)
        #expect(!other.isAnswered(by: Self.to, answer, body: [7], key: Self.key))
    }

    @Test("a number is read as it was written, and nothing else is one")
    func nonces() {
        var random = SplitMix64(seed: 3)
        for _ in 0..<100 {
            let nonce = PeerNonce(using: &random)
            #expect(PeerNonce(nonce.text) == nonce)
        }
        for text in ["", "0", String(repeating: "G", count: 32), "+" + String(repeating: "0", count: 31)] {
            #expect(PeerNonce(text) == nil)
        }
    }
}
