import Client
import Contract
import TLS
import TLSTesting
import Testing

@Suite("What a context is made from")
struct TLSContextTests {
    @Test("authorities that are not there are named, with the reason")
    func missingFile() {
        let error = #expect(throws: TLSError.self) {
            _ = try TLSContext(TLSConfiguration(authorities: .file("/nonexistent/ca.pem")))
        }
        #expect(error?.text.description.contains("/nonexistent/ca.pem") == true)
        #expect(error?.text.description.contains("No such file") == true)
    }

    @Test(
        "a file without a certificate is refused",
        arguments: ["", "hello", "-----BEGIN CERTIFICATE-----\nAA"])
    func emptyFile(text: String) {
        let file = TemporaryFile(Array(text.utf8))
        let error = #expect(throws: TLSError.self) {
            _ = try TLSContext(TLSConfiguration(authorities: .file(file.path)))
        }
        #expect(error?.isAboutTrust == true)
        #expect(error?.text.description.contains("PEM") == true)
    }

    @Test("a server's key has to be the one of its certificate, and both have to be there")
    func identity() {
        let authority = TestAuthority()
        let (one, other) = (authority.issue(), authority.issue())
        #expect(throws: TLSError.self) { _ = try TLSContext(chain: one.chain, key: other.key) }
        #expect(throws: TLSError.self) { _ = try TLSContext(chain: [], key: one.key) }
        #expect(throws: TLSError.self) { _ = try TLSContext(chain: one.chain, key: one.chain) }
    }
}
