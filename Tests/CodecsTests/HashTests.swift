import Codecs
import Testing

struct HashTests {
    @Test(
        "SHA-1 of the examples of FIPS 180",
        arguments: [
            ("", "da39a3ee5e6b4b0d3255bfef95601890afd80709"),
            ("abc", "a9993e364706816aba3e25717850c26c9cd0d89d"),
            (
                "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
                "84983e441c3bd26ebaae4aa1f95129e5e54670f1"
            ),
            (String(repeating: "a", count: 119), "ee971065aaa017e0632a8ca6c77bb3bf8b1dfc56"),
        ])
    func sha1(text: String, digest: String) {
        let hash = SHA1Digest.hash(Array(text.utf8)).map { byte in
            String(byte >> 4, radix: 16) + String(byte & 15, radix: 16)
        }
        #expect(hash.joined() == digest)
    }

    @Test(
        "FNV-1a of the examples of its draft",
        arguments: [("", "cbf29ce484222325"), ("foobar", "85944171f73967e8")])
    func fnv1a(text: String, hash: String) {
        #expect(FNV1a(text.utf8).hexadecimal == hash)
    }
}
