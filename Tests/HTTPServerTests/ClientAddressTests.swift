import Codecs
import Reactor
import Testing

@testable import HTTPServer

@Suite("The address that a request is counted for")
struct ClientAddressTests {
    private static let proxy = "10.0.0.1"

    private func read(_ forwarded: [String], _ forwardedFor: [String]) throws -> String {
        let proxy = try #require(IPAddress(Self.proxy))
        let trusted = try ["10.0.0.0/8", "fd00::/8"].map { try #require(IPNetwork($0)) }
        return ClientAddress.read(
            forwarded: forwarded, forwardedFor: forwardedFor, behind: proxy, trusted: trusted
        ).description
    }

    @Test(
        "behind a Unix socket the first address that is not trusted counts, and without one all are alike",
        arguments: [
            (["192.0.2.1"], "192.0.2.1"), (["203.0.113.9, 192.0.2.1, 10.0.0.2"], "192.0.2.1"),
            (["10.0.0.3, 10.0.0.2"], "10.0.0.3"), (["rubbish"], "not clear, behind a Unix socket"),
            ([], "a Unix socket"),
        ])
    func behindSocket(lines: [String], client: String) throws {
        let trusted = [try #require(IPNetwork("10.0.0.0/8"))]
        let address = ClientAddress.read(forwarded: [], forwardedFor: lines, behind: nil, trusted: trusted)
        #expect(address.description == client)
    }

    @Test(
        "X-Forwarded-For is read from the right, past those that are trusted",
        arguments: [
            (["192.0.2.1"], "192.0.2.1"),
            (["192.0.2.1:4711"], "192.0.2.1"),
            (["203.0.113.9, 192.0.2.1"], "192.0.2.1"),
            (["203.0.113.9, 192.0.2.1, 10.0.0.2,10.9.9.9"], "192.0.2.1"),
            (["203.0.113.9", "192.0.2.1", "10.0.0.2"], "192.0.2.1"),
            (["rubbish, 192.0.2.1"], "192.0.2.1"),
            (["2001:db8:1:2:3::4"], "2001:db8:1:2::/64"),
            (["[2001:db8:1:2:3::4]:80"], "2001:db8:1:2::/64"),
            (["::ffff:192.0.2.1"], "192.0.2.1"),
            (["10.0.0.3, 10.0.0.2"], "10.0.0.3"),
            (["192.0.2.1, unknown"], "not clear, behind 10.0.0.1"),
            (["192.0.2.1,"], "not clear, behind 10.0.0.1"),
            ([""], "not clear, behind 10.0.0.1"),
            ([], "10.0.0.1"),
        ])
    func forwardedFor(lines: [String], client: String) throws {
        #expect(try read([], lines) == client)
    }

    @Test(
        "so is Forwarded, RFC 7239",
        arguments: [
            (["for=192.0.2.1"], "192.0.2.1"),
            (["For=\"192.0.2.1:4711\";proto=https;by=10.0.0.1"], "192.0.2.1"),
            (["proto=http; for=\"[2001:db8:1:2:3::4]:80\""], "2001:db8:1:2::/64"),
            (["for=203.0.113.9, for=192.0.2.1;by=10.0.0.2, for=10.0.0.2"], "192.0.2.1"),
            (["for=203.0.113.9", "for=192.0.2.1"], "192.0.2.1"),
            (["for=\"a, for=203.0.113.9", "for=192.0.2.1"], "192.0.2.1"),
            (["for=\"\\1\\92.0.2.1\""], "192.0.2.1"),
            (["for=\"a, for=192.0.2.1"], "not clear, behind 10.0.0.1"),
            (["for=_hidden"], "not clear, behind 10.0.0.1"),
            (["for=unknown"], "not clear, behind 10.0.0.1"),
            (["proto=https"], "not clear, behind 10.0.0.1"),
            (["for=192.0.2.1;for=192.0.2.2"], "not clear, behind 10.0.0.1"),
            (["for=192.0.2.1,"], "not clear, behind 10.0.0.1"),
            (["=", "for"], "not clear, behind 10.0.0.1"),
        ])
    func forwarded(lines: [String], client: String) throws {
        #expect(try read(lines, []) == client)
    }

    @Test("where the two do not agree neither is believed: one may be the client's own invention")
    func both() throws {
        #expect(try read(["for=192.0.2.1"], ["192.0.2.1"]) == "192.0.2.1")
        #expect(try read(["for=192.0.2.1"], ["192.0.2.2"]) == "not clear, behind 10.0.0.1")
        #expect(try read(["for=unknown"], ["192.0.2.2"]) == "not clear, behind 10.0.0.1")
    }

    @Test(
        "whatever the client wrote in front, what the proxy has added counts", arguments: [UInt64(1), 2, 3])
    func garbage(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let pieces = [
            "for", "=", "\"", "\\", ";", ",", "[", "]", ":", "192.0.2.9", "10.0.0.2", "::1", " ", "é", "",
        ]
        for _ in 0..<5000 {
            let text = (0..<Int.random(in: 0..<12, using: &random)).map { _ in
                pieces[Int.random(in: 0..<pieces.count, using: &random)]
            }.joined()
            #expect(try read([], [text + ", 192.0.2.1"]) == "192.0.2.1", "seed \(seed): \(text)")
            #expect(try read([], [text, "192.0.2.1"]) == "192.0.2.1", "seed \(seed): \(text)")
            #expect(try read([text, "for=192.0.2.1"], []) == "192.0.2.1", "seed \(seed): \(text)")
            // On one line an unclosed quote hides the rest: then no address is believed.
            let joined = try read([text + ", for=192.0.2.1"], [])
            #expect(["192.0.2.1", "not clear, behind 10.0.0.1"].contains(joined), "seed \(seed): \(text)")
        }
    }

    @Test(
        "networks",
        arguments: [
            ("10.0.0.0/8", "10.255.0.1", true), ("10.0.0.0/8", "11.0.0.1", false),
            ("10.1.2.3", "10.1.2.3", true), ("10.1.2.3", "10.1.2.4", false), ("0.0.0.0/0", "192.0.2.1", true),
            ("fd00::/8", "fd12::1", true), ("fd00::/8", "fe00::1", false), ("::1", "::1", true),
            ("2001:db8::/65", "2001:db8::7fff:0:0:1", true), ("2001:db8::/65", "2001:db8::8000:0:0:1", false),
            ("::ffff:10.0.0.0/104", "10.3.0.1", true), ("0.0.0.0/0", "::1", false),
        ])
    func networks(network: String, address: String, isInside: Bool) throws {
        let address = try #require(IPAddress(address))
        #expect(try #require(IPNetwork(network)).contains(address) == isInside)
    }

    @Test(
        "what is no network",
        arguments: [
            "", "/8", "10.0.0.0/33", "10.0.0.0/", "10.0.0.0/-1", "10.0.0.0/+8", "::/129", "host", "[::1]",
        ])
    func noNetwork(text: String) { #expect(IPNetwork(text) == nil) }

    @Test("behind a trusted proxy each client has its own limit, and the proxy its own")
    func limits() async throws {
        var configuration = HTTPServerConfiguration.patient
        configuration.requestsPerSecond = 1
        configuration.trustedProxies = [try #require(IPNetwork("127.0.0.1"))]
        let fixture = try await Fixture.timeless(configuration)
        let ask = { (field: String) async throws -> Int? in
            let text = request("GET /now/x", "Connection: close", field)
            return try await fixture.exchange(text).first?.status
        }
        for client in ["192.0.2.1", "192.0.2.2"] {
            // Only the address that the proxy has added counts, whatever the client writes in front.
            for number in 0..<2 {
                #expect(try await ask("X-Forwarded-For: 203.0.113.\(number), \(client)") == 200)
            }
            #expect(try await ask("X-Forwarded-For: 203.0.113.9, \(client)") == 429)
            #expect(try await ask("Forwarded: for=\(client)") == 429)
        }
        #expect(try await ask("Accept: */*") == 200, "the proxy itself, such as a health check")
        #expect((fixture.server.limitCounts[.addressRate] ?? 0) >= 4)
        #expect(fixture.server.limitCounts[.untrustedProxy] == nil)
    }

    @Test("of an untrusted client such a header changes nothing, and each address is logged once")
    func untrusted() async throws {
        var configuration = HTTPServerConfiguration.patient
        configuration.requestsPerSecond = 1
        configuration.trustedProxies = [try #require(IPNetwork("10.0.0.0/8"))]
        let fixture = try await Fixture.timeless(configuration)
        var statuses: [Int] = []
        for number in 0..<3 {
            let text = request("GET /now/x", "Connection: close", "X-Forwarded-For: 192.0.2.\(number)")
            statuses += try await fixture.exchange(text).map(\.status)
        }
        #expect(statuses.last == 429)
        #expect(fixture.server.limitCounts[.untrustedProxy] == 3)
        let ledger = LimitLedger()
        for number in 1...LimitLedger.maximumNames {
            #expect(ledger.add(.untrustedProxy, "192.0.2.\(number)", now: 1))
            #expect(!ledger.add(.untrustedProxy, "192.0.2.\(number)", now: 10 * Rate.onceAMinute.interval))
        }
        // Anybody can send such a header from anywhere: beyond a number it is only counted.
        #expect(!ledger.add(.untrustedProxy, "192.0.2.99", now: 1))
        #expect(ledger.counts[.untrustedProxy] == 2 * LimitLedger.maximumNames + 1)
    }
}
