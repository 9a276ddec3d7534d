import Codecs
import Contract
import Crypto
import Glibc
import OutboundHTTP
import Outbox
import Reactor
import SocketTesting
import TLSTesting
import TestKit
import Testing

@testable import Push
@testable import Settings

@Suite(.enabled(if: Nghttpd.program != nil, "nghttpd is not installed")) struct APNsServiceTests {
    private static let pushes = 50

    @Test("pushes share one connection, the first of them alone until it is answered")
    func multiplexing() async throws {
        let authority = TestAuthority()
        let identity = authority.issue()
        let files = [authority.pem, identity.key, identity.chain].map { TemporaryFile($0) }
        // Optimized code would remove them after the last use of their paths, before libcurl reads them.
        defer { withExtendedLifetime(files) {} }
        let (service, port) = try await Nghttpd.start(key: files[1].path, certificate: files[2].path)
        let loop = TestLoops.nextPeer()
        var configuration = HTTPSessionConfiguration()
        configuration.version = .http2
        configuration.connectionsPerHost = 1
        configuration.authorities = files[0].path
        let session = try #require(HTTPSession(configuration, on: loop))
        let key = try P256PrivateKey()
        let body = Base64.encode(try Self.der(key))
        let pem = "-----BEGIN EC PRIVATE KEY-----\n\(body)\n-----END EC PRIVATE KEY-----"
        let sink = try APNsSink(
            APNsConfiguration(
                key: pem, keyID: "KEYKEYKEY1", teamID: "TEAMTEAM12", topic: "org.example.app",
                url: "https://127.0.0.1:\(port)"),
            session: session, addresses: AddressBook(on: loop, allowsPrivate: true),
            now: { Timestamp(microseconds: WallClock.microseconds()) })
        let outcomes = await withTaskGroup(of: Outcome.self) { group in
            for number in 0..<Self.pushes {
                group.addTask {
                    await sink.deliver(
                        .test(endpoint: Identifier(value: UInt128(number)), writtenAt: Timestamp(seconds: 0)),
                        to: "0a\(number)", .production, expiresAt: nil, in: .english)
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        await session.close()
        service.signal(SIGTERM)
        _ = await service.ending()
        #expect(outcomes == Array(repeating: .delivered("200"), count: Self.pushes))
        let lines = service.output(.standardOutput).split(separator: "\n").map(String.init)
        let paths = lines.filter { $0.contains(":path: /3/device/0a") }
        try #require(paths.count == Self.pushes)
        // nghttpd numbers its connections, and each line begins with the number.
        #expect(Set(paths.map { String($0.prefix { $0 != "]" }) }).count == 1)
        let second = try #require(lines.firstIndex(of: paths[1]))
        let answered = lines.firstIndex { $0.contains("send HEADERS frame") } ?? lines.endIndex
        #expect(answered < second)
        #expect(lines.filter { $0.contains("apns-topic: org.example.app") }.count == Self.pushes)
        #expect(lines.filter { $0.contains("apns-push-type: alert") }.count == Self.pushes)
    }

    /// Returns the key as an ECPrivateKey: RFC 5915.
    private static func der(_ key: P256PrivateKey) throws -> [UInt8] {
        [0x30, 0x31, 2, 1, 1, 4, 0x20] + (try key.bytes())
            + [0xA0, 0x0A, 6, 8, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 3, 1, 7]
    }
}
