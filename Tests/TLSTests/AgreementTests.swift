import COpenSSL
import TLS
import TLSTesting
import Testing

@Suite("A session of TLS")
struct AgreementTests {
    private let authority = TestAuthority()
    private let file: TemporaryFile

    init() { file = TemporaryFile(authority.pem) }

    private var trust: TLSConfiguration { TLSConfiguration(authorities: .file(file.path)) }

    @Test("carries bytes both ways, however they are cut", arguments: [1, 2, 7, 1000, 20_000, 1_000_000])
    func bothWays(pieceBytes: Int) throws {
        let pair = try Pair(authority.issue(), trusting: trust, pieceBytes: pieceBytes)
        let long = (0..<100_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        pair.client.write("early")
        pair.talk()
        pair.client.write(long)
        pair.server.write("answer")
        pair.talk()
        #expect(pair.server.heard == Array("early".utf8) + long)
        #expect(pair.client.heard == Array("answer".utf8))
    }

    @Test("tells the version, the certificate, the protocol and the name")
    func peer() throws {
        let pair = try Pair(authority.issue(), host: "LocalHost.", trusting: trust)
        pair.talk()
        let peer = try #require(pair.client.peer)
        let certificate = try #require(peer.certificate)
        #expect(peer.version == "TLSv1.3")
        #expect(peer.applicationProtocol == "http/1.1")
        #expect(certificate.issuer == "CN = Test Authority")
        #expect(certificate.names == ["localhost", "127.0.0.1", "::1"])
        #expect(certificate.notAfter - certificate.notBefore == 31 * 86_400)
        #expect(pair.server.peer?.serverName == "localhost")
        #expect(pair.server.peer?.certificate == nil)
    }

    @Test("speaks TLS 1.2 where the server has nothing newer")
    func olderVersion() throws {
        let pair = try Pair(authority.issue(), trusting: trust, maximumVersion: TLS1_2_VERSION)
        pair.talk()
        #expect(pair.client.peer?.version == "TLSv1.2")
    }

    @Test("to an address looks for the address, and sends no name", arguments: ["127.0.0.1", "::1"])
    func address(host: String) throws {
        let pair = try Pair(authority.issue(), host: host, trusting: trust)
        pair.talk()
        #expect(pair.client.phase == .open)
        let peer = try #require(pair.server.peer)
        #expect(peer.serverName == nil)
    }

    @Test("can end in one direction and go on in the other")
    func halfClose() throws {
        let pair = try Pair(authority.issue(), trusting: trust)
        pair.talk()
        pair.client.write("question")
        pair.client.finishWriting()
        pair.talk()
        #expect(pair.server.hasEnded)
        pair.server.write("answer")
        pair.talk()
        #expect(!pair.client.hasEnded)
        pair.server.finishWriting()
        pair.talk()
        #expect(pair.client.hasEnded)
        #expect(pair.client.heard == Array("answer".utf8))
        #expect(pair.server.heard == Array("question".utf8))
    }

    @Test(
        "takes new keys in the middle", arguments: [SSL_KEY_UPDATE_REQUESTED, SSL_KEY_UPDATE_NOT_REQUESTED])
    func newKeys(kind: Int32) throws {
        let pair = try Pair(authority.issue(), trusting: trust)
        pair.talk()
        #expect(pair.server.updateKeys(kind))
        pair.server.write("after")
        pair.talk()
        pair.client.write("too")
        pair.talk()
        #expect(pair.client.heard == Array("after".utf8))
        #expect(pair.server.heard == Array("too".utf8))
    }

    @Test("does not take a connection that just ends for one that was ended")
    func truncation() throws {
        let pair = try Pair(authority.issue(), trusting: trust)
        pair.talk()
        pair.server.write("half of")
        pair.talk()
        pair.client.receiveEnd()
        #expect(!pair.client.hasEnded)
        #expect(pair.client.phase == .open)
    }
}
