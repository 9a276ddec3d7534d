import Contract
import Crypto
import OutboundHTTP
import Outbox
import Reactor
import SocketTesting
import TestKit
import Testing

@testable import BackendTesting
@testable import Push

@Suite struct AddressBookTests {
    private static let url = "http://hooks.example.org/"

    /// A name service that resolves every name to the same addresses, and counts the questions.
    private final class NameService: Sendable {
        private let addresses: [String]
        private let count = Lock(0)

        init(_ addresses: [String]) { self.addresses = addresses }

        var timesAsked: Int { count.withLock { $0 } }

        func book(allowsPrivate: Bool = false) -> AddressBook {
            AddressBook(allowsPrivate: allowsPrivate) { _, port throws(Resolver.Failure) in
                self.count.withLock { $0 += 1 }
                return self.addresses.compactMap { SocketAddress(numeric: $0, port: port) }
            }
        }
    }

    @Test("of the addresses that a name stands for only the public ones are connected to")
    func mixed() async throws {
        let service = NameService(["127.0.0.1", "8.8.8.8", "::1", "::ffff:10.0.0.1", "2606:4700::1111"])
        let pin = try #require(try await service.book().pin(for: WebURL(Self.url)))
        #expect(pin.host == "hooks.example.org" && pin.port == 80)
        #expect(pin.addresses == ["8.8.8.8", "2606:4700::1111"])
    }

    @Test(
        "a name that stands for the inside of a network alone is refused",
        arguments: [
            "127.0.0.1", "10.0.0.7", "169.254.169.254", "::1", "fe80::1", "::ffff:127.0.0.1",
            "64:ff9b::a00:1",
        ])
    func inside(address: String) async throws {
        let book = NameService([address]).book()
        await #expect(throws: AddressBook.Failure.notPublic) {
            try await book.pin(for: WebURL(Self.url))
        }
    }

    @Test("a name without an address is a failure, which tells it from one of the inside to intranets alone")
    func nothing() async throws {
        let missing: @Sendable (String, UInt16) async throws(Resolver.Failure) -> [SocketAddress] = {
            _, _ throws(Resolver.Failure) in
            throw .notFound("no such name")
        }
        for (isIntranet, failure) in [
            (false, .notPublic), (true, .unknown("no such name")),
        ] as [(Bool, AddressBook.Failure)] {
            await #expect(throws: failure) {
                try await AddressBook(allowsPrivate: isIntranet, asking: missing).pin(for: WebURL(Self.url))
            }
        }
        await #expect(throws: AddressBook.Failure.notPublic) {
            try await NameService([]).book().pin(for: WebURL(Self.url))
        }
    }

    @Test("a look-up without a descriptor says nothing of the name, which is looked up again at once")
    func outOfDescriptors() async throws {
        let asked = Lock(0)
        let book = AddressBook(allowsPrivate: false) { _, port throws(Resolver.Failure) in
            let count = asked.countUp()
            guard count > 1, let address = SocketAddress(numeric: "8.8.8.8", port: port) else {
                throw .outOfDescriptors
            }
            return [address]
        }
        await #expect(throws: AddressBook.Failure.outOfDescriptors) {
            try await book.pin(for: WebURL(Self.url))
        }
        #expect(try await book.pin(for: WebURL(Self.url))?.addresses == ["8.8.8.8"])
    }

    @Test(
        "an address needs no pin, however it is written",
        arguments: [
            "http://8.8.8.8/", "http://[2606:4700:0:0:0:0:0:1111]:8080/", "https://[2606:4700::1111]/",
        ])
    func numeric(url: String) async throws {
        let service = NameService([])
        #expect(try await service.book().pin(for: WebURL(url)) == nil)
        #expect(service.timesAsked == 0)
    }

    @Test("the name service is asked once for all who ask at about the same time")
    func once() async throws {
        let service = NameService(["8.8.8.8"])
        let book = service.book()
        try await withThrowingTaskGroup(of: [String].self) { group in
            for _ in 0..<20 {
                group.addTask { try await book.addresses(of: "hooks.example.org", port: 80) }
            }
            for try await found in group { #expect(found == ["8.8.8.8"]) }
        }
        #expect(service.timesAsked == 1)
    }

    @Test("a name that is not found is asked for once, too")
    func failureOnce() async throws {
        let count = Lock(0)
        let book = AddressBook(allowsPrivate: false) { _, _ throws(Resolver.Failure) in
            count.withLock { $0 += 1 }
            throw .timedOut
        }
        for _ in 0..<3 {
            await #expect(throws: AddressBook.Failure.self) {
                try await book.addresses(of: "hooks.example.org", port: 80)
            }
        }
        #expect(count.withLock { $0 } == 1)
    }

    /// A clock, and a name service that answers for some names, never in time for `slow…`, and for `held…`
    /// once it is released.
    private final class SlowService: Sendable {
        let time = Lock<UInt64>(0)
        let asked = Lock<[String: Int]>([:])
        private let released = Signal<Void>()

        /// The number of names whose answers were held back.
        var heldCount: Int { asked.withLock { $0.keys.count { $0.hasPrefix("held") } } }

        func book(_ descriptors: DescriptorBudget.Share? = nil, waits: Bool = true) -> AddressBook {
            let now: @Sendable () -> UInt64 = { self.time.withLock { $0 } }
            return AddressBook(
                allowsPrivate: false, descriptors: descriptors, waitsForDescriptors: waits, now: now
            ) {
                host, port, over throws(Resolver.Failure) in
                defer { over() }
                self.asked.withLock { $0[host, default: 0] += 1 }
                if host.hasPrefix("held") { await self.released.value() }
                if host.hasPrefix("slow") { throw .timedOut }
                return [SocketAddress(numeric: "8.8.8.8", port: port)].compactMap(\.self)
            }
        }

        func advance(bySeconds seconds: UInt64) { time.withLock { $0 += seconds * 1_000_000_000 } }

        /// Answers from now on, also the questions that come later: those that wait for a place.
        func letGo() { released.send() }

        func timesAsked(_ host: String) -> Int { asked.withLock { $0[host] ?? 0 } }
    }

    @Test("what was found is good for minutes, unless there is no connection; what timed out for one")
    func freshness() async throws {
        let service = SlowService()
        let book = service.book()
        for (seconds, good, slow) in [(0, 1, 1), (59, 1, 1), (1, 1, 2), (239, 1, 3), (1, 2, 3)]
            as [(UInt64, Int, Int)]
        {
            service.advance(bySeconds: seconds)
            _ = try await book.addresses(of: "good.example.org", port: 80)
            _ = try? await book.addresses(of: "slow.example.org", port: 80)
            #expect(service.timesAsked("good.example.org") == good)
            #expect(service.timesAsked("slow.example.org") == slow)
        }
        await book.distrust("good.example.org")
        _ = try await book.addresses(of: "good.example.org", port: 80)
        #expect(service.timesAsked("good.example.org") == 3)
    }

    @Test("names that are never found do not hold up those found before, and waiting can be given up")
    func reserved() async throws {
        let service = SlowService()
        let book = service.book()
        _ = try await book.addresses(of: "good.example.org", port: 80)
        service.advance(bySeconds: 301)
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<LookUpPlaces.all + 10 {
                group.addTask { _ = try? await book.addresses(of: "held\(number)", port: 80) }
            }
            while await book.waitingCount < 42 { await Task.yield() }
            // Of those that have a place some may be about to ask.
            while service.heldCount < LookUpPlaces.forNew { await Task.yield() }
            #expect(service.heldCount == LookUpPlaces.forNew)
            let found = try? await book.addresses(of: "good.example.org", port: 80)
            #expect(found == ["8.8.8.8"])
            let given = await withTaskGroup(of: [String]?.self) { group in
                for _ in 0..<3 { group.addTask { try? await book.addresses(of: "new", port: 80) } }
                while await book.waitingCount < 45 { await Task.yield() }
                group.cancelAll()
                return await group.reduce(into: []) { $0.append($1) }
            }
            #expect(given == [nil, nil, nil])
            service.letGo()
        }
        #expect(try await book.addresses(of: "new", port: 80) == ["8.8.8.8"])
    }

    @Test("a name for which there is no descriptor waits, and all are given back")
    func descriptors() async throws {
        let budget = DescriptorBudget.opened(for: 5)
        let service = SlowService()
        let book = service.book(DescriptorBudget.Share(of: budget, for: .lookUps))
        await withTaskGroup(of: Int.self) { group in
            for number in 0..<20 {
                group.addTask {
                    (try? await book.addresses(of: "held\(number).org", port: 80).count) ?? 0
                }
            }
            while await book.waitingCount < 18 { await Task.yield() }
            while service.heldCount < 2 { await Task.yield() }
            #expect(service.heldCount == 2 && budget.held[.lookUps] == 4)
            service.letGo()
            #expect(await group.reduce(0, +) == 20)
        }
        while budget.held[.lookUps] != 0 { await Task.yield() }
    }

    @Test("names that wait when descriptors have run out are looked up once there are some again")
    func starved() async throws {
        let budget = DescriptorBudget.opened(for: 5)
        let book = SlowService().book(DescriptorBudget.Share(of: budget, for: .lookUps))
        budget.ranOut()
        #expect(try await book.addresses(of: "good.example.org", port: 80) == ["8.8.8.8"])
    }

    @Test("a name fails at once where others hold the descriptors that are shared with them")
    func sharedDescriptors() async throws {
        let budget = DescriptorBudget.opened(for: 2)
        let share = DescriptorBudget.Share(of: budget, for: .names)
        let service = SlowService()
        let book = service.book(share, waits: false)
        #expect(share.take())
        await #expect(throws: AddressBook.Failure.outOfDescriptors) {
            try await book.pin(for: WebURL(Self.url))
        }
        #expect(service.timesAsked("hooks.example.org") == 0)
        share.giveBack()
        #expect(try await book.pin(for: WebURL(Self.url))?.addresses == ["8.8.8.8"])
    }

    @Test("so many names are looked up at once, and the others wait for them")
    func together() async throws {
        let sight = Lock((now: 0, most: 0))
        let book = AddressBook(allowsPrivate: true) { _, port throws(Resolver.Failure) in
            sight.withLock { $0 = ($0.now + 1, max($0.most, $0.now + 1)) }
            for _ in 0..<100 { await Task.yield() }
            sight.withLock { $0.now -= 1 }
            return [SocketAddress(numeric: "8.8.8.8", port: port)].compactMap(\.self)
        }
        await withTaskGroup(of: Int.self) { group in
            for number in 0..<500 {
                group.addTask {
                    (try? await book.addresses(of: "host\(number).example.org", port: 80).count) ?? 0
                }
            }
            #expect(await group.reduce(0, +) == 500)
        }
        #expect(sight.withLock { $0.most } == LookUpPlaces.forNew)
    }

    @Test("a webhook whose name stands for 127.0.0.1 has an outcome that says so, and no connection is made")
    func recorded() async throws {
        let receiver = try await WebhookReceiver()
        let port = try WebURL(receiver.url).port
        let session = try #require(HTTPSession(HTTPSessionConfiguration(), on: TestLoops.nextPeer()))
        let service = NameService(["127.0.0.1"])
        func deliver(_ id: Int64, allowsPrivate: Bool) async -> Outcome {
            let sink = WebhookSink(
                session: session, addresses: service.book(allowsPrivate: allowsPrivate),
                now: { Timestamp(seconds: 1_800_000_000) })
            return await sink.deliver(
                .test(endpoint: Identifier(value: 1), writtenAt: Timestamp(seconds: 0)), id: id,
                to: "http://hooks.example.org:\(port)/", secrets: [.make()])
        }
        let refused = await deliver(1, allowsPrivate: false)
        // The receiver's first request is the delivery that is allowed.
        let allowed = await deliver(2, allowsPrivate: true)
        await session.close()
        #expect(refused.detail == "the host has no address of the public Internet")
        #expect(allowed == .delivered("200"))
        var requests = receiver.requests.makeAsyncIterator()
        #expect(await requests.next()?.id == "msg_2")
    }
}
