import Contract
import Glibc
import OutboundHTTP
import Outbox
import Reactor
import SocketTesting
import TLS
import TLSTesting
import TestKit
import Testing

@testable import Push

/// Requests to receivers through a real proxy on loopback, whose own address is private.
@Suite("The outbound proxy")
struct OutboundProxyTests {
    private static let name = "receiver.example.org"

    /// Runs the body with a session that trusts the authority.
    private func with<Value: Sendable>(
        _ authority: TestAuthority? = nil, version: HTTPSessionConfiguration.Version = .http1,
        _ body: (HTTPSession) async throws -> Value
    ) async throws -> Value {
        let file = authority.map { TemporaryFile($0.pem) }
        defer { withExtendedLifetime(file) {} }
        var configuration = HTTPSessionConfiguration()
        configuration.authorities = file?.path
        configuration.version = version
        let session = try #require(HTTPSession(configuration, on: TestLoops.nextPeer()))
        let result: Result<Value, any Error>
        do { result = .success(try await body(session)) } catch { result = .failure(error) }
        await session.close()
        return try result.get()
    }

    /// Returns an address book whose name service gives the addresses for each name, and counts questions.
    private func book(
        _ proxy: ConnectProxy, user: String = "", securely port: UInt16? = nil, except entries: [String] = [],
        addresses: [String]?,
        looksUpPublicNames: Bool = true, allowsPrivate: Bool = false, questions: Lock<Int> = Lock(0)
    ) throws -> AddressBook {
        var exceptions = HostList()
        for entry in entries {
            let isEntry = exceptions.add(entry)
            try #require(isEntry)
        }
        let (scheme, port) = (port == nil ? "http" : "https", port ?? proxy.port)
        let url = try #require(ProxyURL("\(scheme)://\(user)127.0.0.1:\(port)"))
        return AddressBook(
            allowsPrivate: allowsPrivate,
            proxy: OutboundProxy(
                url, except: exceptions, publicNames: PublicNames { looksUpPublicNames })
        ) { _, port, over throws(Resolver.Failure) in
            defer { over() }
            questions.withLock { $0 += 1 }
            guard let addresses else { throw .notFound("no such name") }
            return addresses.compactMap { SocketAddress(numeric: $0, port: port) }
        }
    }

    @Test("the address of a named proxy is kept for minutes, although it is private")
    func namedProxy() async throws {
        let url = try #require(ProxyURL("http://proxy.example.org:3128"))
        let (questions, instant) = (Lock(0), Lock<UInt64>(0))
        let service: AddressBook.Service = { host, port, over throws(Resolver.Failure) in
            defer { over() }
            if host == url.host { questions.withLock { $0 += 1 } }
            let address = host == url.host ? "10.0.0.8" : "8.8.8.8"
            return [SocketAddress(numeric: address, port: port)].compactMap(\.self)
        }
        let book = AddressBook(
            allowsPrivate: false, proxy: OutboundProxy(url), now: { instant.withLock { $0 } }, asking: service
        )
        for _ in 0..<3 {
            #expect(try await book.pin(for: WebURL("https://\(Self.name)/")) != nil)
            instant.withLock { $0 += 60_000_000_000 }
        }
        #expect(questions.withLock { $0 } == 1)
    }

    private func deliver(_ url: String, _ book: AddressBook, over session: HTTPSession) async -> Outcome {
        await WebhookSink(
            session: session, addresses: book,
            now: { Timestamp(microseconds: WallClock.microseconds()) }
        ).deliver(
            .test(endpoint: Identifier(value: 7), writtenAt: Timestamp(seconds: 0)), id: 7, to: url,
            secrets: [])
    }

    private static let isPrivate = AddressBook.Failure.notPublic.outcome

    @Test("opens a tunnel for a webhook, to the receiver's TLS, and gives its credentials to the proxy alone")
    func webhook() async throws {
        let authority = TestAuthority()
        let received = Lock("")
        let receiver = try await TLSEndpoint(authority.issue("DNS:\(Self.name)")) { talk, event in
            guard case .received(let bytes) = event, bytes.last == UInt8(ascii: "}") else { return }
            received.withLock { $0 = String(decoding: talk.received, as: UTF8.self) }
            talk.stream?.write(Array("HTTP/1.1 204 Fine\r\n\r\n".utf8))
        }
        let proxy = try await ConnectProxy(
            to: ["\(Self.name):443": receiver.port], credentials: "Basic YW5uYTpzZWNyZXQ=")
        let questions = Lock(0)
        let book = try self.book(
            proxy, user: "anna:secret@", addresses: ["93.184.216.34"], questions: questions)
        let outcomes = try await with(authority) { session in
            let stranger = try self.book(proxy, addresses: ["93.184.216.34"])
            var outcomes = [await deliver("https://\(Self.name)/hook", stranger, over: session)]
            outcomes.append(await deliver("https://\(Self.name)/hook", book, over: session))
            outcomes.append(await deliver("https://other.example.org/hook", book, over: session))
            outcomes.append(await deliver("https://\(Self.name)/hook", book, over: session))
            return outcomes
        }
        func refused(_ status: Int) -> Outcome {
            WebhookSink.outcome(of: .unreachable("the proxy answers \(status)"))
        }
        #expect(outcomes == [refused(407), .delivered("204"), refused(502), .delivered("204")])
        #expect(proxy.requests[0].hasPrefix("CONNECT \(Self.name):443 HTTP/1.1\r\n"))
        let request = received.withLock { $0 }
        #expect(request.hasPrefix("POST /hook HTTP/1.1\r\n"))
        #expect(!request.lowercased().contains("proxy-"))
        #expect(!proxy.requests.joined().contains("webhook-"))
        // Each request looks its target up: no answer is kept.
        #expect(questions.withLock { $0 } == 3)
    }

    @Test("forwards a webhook without TLS as a request with its whole URL")
    func plain() async throws {
        let receiver = try await AnsweringServer { received, stream in
            guard received.firstRange(of: Array("}".utf8)) != nil else { return }
            stream.write(Array("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n".utf8))
        }
        let proxy = try await ConnectProxy(to: ["\(Self.name):80": receiver.port])
        let book = try self.book(proxy, addresses: ["93.184.216.34"])
        let outcome = try await with { await deliver("http://\(Self.name)/hook", book, over: $0) }
        #expect(outcome == .delivered("200"))
        #expect(proxy.requests.first?.hasPrefix("POST http://\(Self.name)/hook HTTP/1.1\r\n") == true)
    }

    @Test(
        "can be reached over TLS itself, with a certificate of its own name",
        arguments: [("IP:127.0.0.1", true), ("DNS:proxy.example.org", false)])
    func secureProxy(name: String, isTrusted: Bool) async throws {
        let authority = TestAuthority()
        let receiver = try await AnsweringServer { received, stream in
            guard received.firstRange(of: Array("}".utf8)) != nil else { return }
            stream.write(Array("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n".utf8))
        }
        let proxy = try await ConnectProxy(to: ["\(Self.name):80": receiver.port])
        let front = try await TLSRelay(authority.issue(name), to: proxy.port)
        let book = try self.book(proxy, securely: front.port, addresses: ["93.184.216.34"])
        let outcome = try await with(authority) { await deliver("http://\(Self.name)/hook", book, over: $0) }
        #expect((outcome == .delivered("200")) == isTrusted, "\(outcome)")
        #expect(proxy.requests.count == (isTrusted ? 1 : 0))
    }

    @Test(
        "is not asked for a private target, whether an address, a name, or a name with one private address",
        arguments: [
            ("https://127.0.0.1/", []), ("https://10.0.0.7/", []), ("https://[::1]/", []),
            ("https://receiver.example.org/", ["10.0.0.7"]),
            ("https://receiver.example.org/", ["93.184.216.34", "192.168.0.1"]),
        ] as [(String, [String])])
    func privateTarget(url: String, addresses: [String]) async throws {
        let proxy = try await ConnectProxy(to: [:])
        for looksUp in [true, false] {
            let book = try self.book(proxy, addresses: addresses, looksUpPublicNames: looksUp)
            let outcome = try await with { await deliver(url, book, over: $0) }
            #expect(outcome == Self.isPrivate)
        }
        #expect(proxy.requests.isEmpty)
    }

    @Test("is no permitted target itself, although requests connect to it")
    func itself() async throws {
        let proxy = try await ConnectProxy(to: [:])
        let book = try self.book(proxy, addresses: [])
        let outcome = try await with { await deliver("http://127.0.0.1:\(proxy.port)/", book, over: $0) }
        #expect(outcome == Self.isPrivate && proxy.requests.isEmpty)
    }

    @Test("gets a name that is not found only if this machine cannot look up public names")
    func withoutNameService() async throws {
        let proxy = try await ConnectProxy(to: [:])
        let refusing = try self.book(proxy, addresses: nil)
        #expect(
            try await with { await deliver("https://\(Self.name)/", refusing, over: $0) } == Self.isPrivate)
        #expect(proxy.requests.isEmpty)
        let trusting = try self.book(proxy, addresses: nil, looksUpPublicNames: false)
        let outcome = try await with { await deliver("https://\(Self.name)/", trusting, over: $0) }
        #expect(outcome == WebhookSink.outcome(of: .unreachable("the proxy answers 502")))
        #expect(proxy.requests.count == 1)
    }

    @Test("gets no such name any more within 30 seconds after this machine can look up public names")
    func recoveredNameService() async throws {
        let url = try #require(ProxyURL("http://127.0.0.1:3128"))
        let (instant, isUp, questions) = (Lock<UInt64>(0), Lock(false), Lock(0))
        let ask: @Sendable () async -> Bool = {
            questions.withLock { $0 += 1 }
            return isUp.withLock { $0 }
        }
        let names = PublicNames(now: { instant.withLock { $0 } }, asking: ask)
        let book = AddressBook(allowsPrivate: false, proxy: OutboundProxy(url, publicNames: names)) {
            _, _, over throws(Resolver.Failure) in
            defer { over() }
            throw .notFound("no such name")
        }
        let target = try WebURL("https://\(Self.name)/")
        func isRefused(after nanoseconds: UInt64) async -> Bool {
            instant.withLock { $0 += nanoseconds }
            do throws(AddressBook.Failure) {
                _ = try await book.pin(for: target)
                return false
            } catch {
                return error == .notPublic
            }
        }
        #expect(await !isRefused(after: 0))
        isUp.withLock { $0 = true }
        #expect(await !isRefused(after: PublicNames.pause - 1))
        #expect(await isRefused(after: 1))
        isUp.withLock { $0 = false }
        #expect(await isRefused(after: PublicNames.pause))
        #expect(questions.withLock { $0 } == 2)
    }

    @Test("is bypassed for a host among the exceptions, to which the usual check applies")
    func exceptions() async throws {
        let receiver = try await AnsweringServer { received, stream in
            guard received.firstRange(of: Array("}".utf8)) != nil else { return }
            stream.write(Array("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n".utf8))
        }
        let proxy = try await ConnectProxy(to: [:])
        let url = "http://127.0.0.1:\(receiver.port)/"
        let open = try self.book(proxy, except: ["127.0.0.0/8"], addresses: [], allowsPrivate: true)
        #expect(try await with { await deliver(url, open, over: $0) } == .delivered("200"))
        let closed = try self.book(proxy, except: ["127.0.0.0/8"], addresses: [])
        #expect(try await with { await deliver(url, closed, over: $0) } == Self.isPrivate)
        #expect(proxy.requests.isEmpty)
    }

    @Test("carries HTTP/2 for pushes, which share one tunnel", .enabled(if: Nghttpd.program != nil))
    func http2() async throws {
        let authority = TestAuthority()
        let identity = authority.issue("DNS:\(Self.name)")
        let files = [identity.key, identity.chain].map { TemporaryFile($0) }
        defer { withExtendedLifetime(files) {} }
        let (service, port) = try await Nghttpd.start(key: files[0].path, certificate: files[1].path)
        let proxy = try await ConnectProxy(to: ["\(Self.name):443": port])
        let book = try self.book(proxy, addresses: ["93.184.216.34"])
        let statuses = try await with(authority, version: .http2) { session in
            var statuses: [Int] = []
            for _ in 0..<3 {
                let request = OutboundRequest(
                    url: "https://\(Self.name)/3/device/0a", headers: [], body: Array("{}".utf8),
                    pin: try await book.pin(for: WebURL("https://\(Self.name)")))
                statuses.append(try await session.perform(request).status)
            }
            return statuses
        }
        service.signal(SIGTERM)
        _ = await service.ending()
        #expect(statuses == [200, 200, 200] && proxy.requests.count == 1)
        #expect(service.output(.standardOutput).contains(":path: /3/device/0a"))
    }
}
