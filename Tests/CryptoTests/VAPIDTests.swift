import Codecs
import Testing

@testable import Crypto

@Suite struct VAPIDTests {
    @Test("the example of RFC 8292, section 2.4, is signed by its key")
    func example() throws {
        let content =
            "eyJ0eXAiOiJKV1QiLCJhbGciOiJFUzI1NiJ9.eyJhdWQiOiJodHRwczovL3B1c2guZXhhbXBsZS5uZXQiLCJl"
            + "eHAiOjE0NTM1MjM3NjgsInN1YiI6Im1haWx0bzpwdXNoQGV4YW1wbGUuY29tIn0"
        let signature =
            "i3CYb7t4xfxCDquptFOepC9GAu_HLGkMlMuCGSK2rpiUfnK9ojFwDXb1JrErtmysazNjjvW2L9OkSSHzvoD1oA"
        let point =
            "BA1Hxzyi1RUM1b5wjxsn7nGxAszw2u61m164i3MrAIxHF6YK5h4SDYic-dRuU_RCPCfA5aq9ojSwk5Y2EmClBPs"
        let key = try P256PublicKey(bytes: #require(Base64URL.decode(point)))
        let signed = try #require(Base64URL.decode(signature))
        #expect(key.isSignature(signed, of: Array(content.utf8)))
        #expect(!key.isSignature(signed, of: Array((content + "x").utf8)))
    }

    @Test("a header is signed by the key that it names, for the service and for twelve hours")
    func authorization() throws {
        let key = try P256PrivateKey()
        let vapid = VAPID(key: key, subject: "mailto:ops@example.org")
        let header = try vapid.authorization(audience: "https://push.example.net", at: 1_000_000)
        let parts = header.dropFirst("vapid t=".count).split(separator: ", k=")
        #expect(header.hasPrefix("vapid t="))
        #expect(String(try #require(parts.last)) == vapid.publicKey)
        let token = try #require(parts.first).split(separator: ".")
        let claims = try #require(Base64URL.decode(token[1]))
        #expect(
            String(decoding: claims, as: UTF8.self)
                == #"{"aud":"https://push.example.net","exp":1043200,"sub":"mailto:ops@example.org"}"#)
        let signature = try #require(Base64URL.decode(token[2]))
        #expect(key.publicKey.isSignature(signature, of: Array("\(token[0]).\(token[1])".utf8)))
    }

    @Test("operators who do not say how to reach them are not named")
    func noSubject() throws {
        let header = try VAPID(key: P256PrivateKey(), subject: nil).authorization(
            audience: "https://push.example.net", at: 1_000_000)
        let token = try #require(header.dropFirst("vapid t=".count).split(separator: ",").first).split(
            separator: ".")
        let claims = try #require(Base64URL.decode(token[1]))
        #expect(
            String(decoding: claims, as: UTF8.self) == #"{"aud":"https://push.example.net","exp":1043200}"#)
    }

    @Test("nothing ends a string of JSON from inside")
    func quoting() {
        #expect(JSONWebToken.quoted("a\"b\\c\n\u{1}é") == #""a\"b\\c\u000a\u0001é""#)
    }
}
