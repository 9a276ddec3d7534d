import Client
import Contract
import TLS
import TLSTesting
import Testing

@Suite("A client believes a server")
struct TrustTests {
    private let authority = TestAuthority()
    private let file: TemporaryFile

    init() { file = TemporaryFile(authority.pem) }

    private var trust: TLSConfiguration { TLSConfiguration(authorities: .file(file.path)) }

    /// Returns the client's error after the handshake; nil when it accepts the server.
    private func verdict(
        _ identity: Identity, host: String = "localhost", _ configuration: TLSConfiguration? = nil
    ) throws -> TLSError? {
        let pair = try Pair(identity, host: host, trusting: configuration ?? trust)
        pair.client.write("secret")
        pair.talk()
        if pair.client.failure != nil { #expect(pair.server.heard.isEmpty) }
        return pair.client.failure
    }

    @Test(
        "for the names of its certificate, and a star for one label",
        arguments: [
            ("DNS:a.example.org", "a.example.org", true), ("DNS:a.example.org", "A.EXAMPLE.ORG", true),
            ("DNS:*.example.org", "a.example.org", true), ("DNS:*.example.org", "a.b.example.org", false),
            ("DNS:*.example.org", "example.org", false), ("DNS:a*.example.org", "ab.example.org", false),
            ("DNS:a.example.org", "b.example.org", false), ("IP:127.0.0.1", "127.0.0.1", true),
            ("IP:127.0.0.1", "127.0.0.2", false), ("DNS:127.0.0.1", "127.0.0.1", false),
            ("IP:::1", "::1", true), ("", "localhost", false),
        ])
    func names(names: String, host: String, isRight: Bool) throws {
        let failure = try verdict(authority.issue(names, commonName: host), host: host)
        if isRight {
            #expect(failure == nil)
        } else if case .otherHost(let asked, _) = failure {
            #expect(asked == host)
        } else {
            Issue.record("\(String(describing: failure))")
        }
    }

    @Test("not if the certificate is for another host, and names that host")
    func otherHost() throws {
        let identity = authority.issue("DNS:a.org,DNS:b.org,DNS:c.org,DNS:d.org,DNS:e.org,IP:10.0.0.1")
        let failure = try #require(try verdict(identity))
        #expect(
            failure.text.description.contains(
                "not for localhost: it is for a.org, b.org, c.org, d.org, e.org and 1 more"))
    }

    @Test("not after its time, and says since when")
    func expired() throws {
        let failure = try #require(try verdict(authority.issue(days: -9 ... -2)))
        guard case .expired(let whose, let date) = failure else {
            Issue.record("\(failure)")
            return
        }
        #expect(whose == "CN = test server")
        #expect(date.hasSuffix(" UTC"))
        #expect(failure.text.description.contains(date))
    }

    @Test("not before its time, and says to look at the clock")
    func early() throws {
        let failure = try #require(try verdict(authority.issue(days: 2...9)))
        guard case .notYetValid = failure else {
            Issue.record("\(failure)")
            return
        }
        #expect(failure.text.description.contains("clock"))
    }

    @Test("not on its own word, unless that is what it was told to trust")
    func selfSigned() throws {
        let identity = TestAuthority.selfSigned()
        let failure = try #require(try verdict(identity))
        #expect(failure == .selfSigned(host: "localhost"))
        #expect(failure.text.description.contains("--cacert"))
        let own = TemporaryFile(identity.chain)
        #expect(try verdict(identity, TLSConfiguration(authorities: .file(own.path))) == nil)
    }

    @Test("not by an unknown authority, unless that very certificate was given")
    func unknownAuthority() throws {
        let identity = TestAuthority(name: "Somebody").issue()
        let failure = try #require(try verdict(identity))
        #expect(failure == .unknownAuthority(host: "localhost", issuer: "CN = Somebody"))
        #expect(failure.text.description.contains("--cacert"))
        let own = TemporaryFile(identity.chain)
        #expect(try verdict(identity, TLSConfiguration(authorities: .file(own.path))) == nil)
    }

    @Test("not on the word of the system where a file was given, nor the other way round")
    func replaces() throws {
        #expect(try verdict(authority.issue(), TLSConfiguration()) != nil)
    }

    @Test("with one of the pinned keys, also when it changes to the next")
    func pins() throws {
        let (key, next) = (TestKey(), TestKey())
        let (identity, renewed) = (authority.issue(key: key), authority.issue(key: next))
        var pinned = trust
        pinned.pins = [try pin(of: identity)]
        #expect(try verdict(identity, pinned) == nil)
        #expect(try verdict(authority.issue(key: key), pinned) == nil)
        let found = try pin(of: renewed)
        let failure = try verdict(renewed, pinned)
        #expect(failure == .pinMismatch(host: "localhost", found: found))
        #expect(failure?.text.description.contains(found.description) == true)
        pinned.pins.insert(found)
        #expect(try verdict(renewed, pinned) == nil)
    }

    @Test("not for a pinned key alone")
    func pinIsNoTrust() throws {
        let identity = TestAuthority.selfSigned()
        var pinned = trust
        pinned.pins = [try pin(of: identity)]
        #expect(try verdict(identity, pinned) == .selfSigned(host: "localhost"))
    }

    private func pin(of identity: Identity) throws -> TLSPin {
        let own = TemporaryFile(identity.chain)
        let pair = try Pair(identity, trusting: TLSConfiguration(authorities: .file(own.path)))
        pair.talk()
        return try #require(pair.client.peer?.certificate?.pin)
    }
}
