import Reactor
import Testing

@testable import Push

@Suite("Zones that do not answer")
struct SilentZonesTests {
    /// A name service that answers for `good…`, and never in time for all others, whose threads end when they
    /// are released.
    private final class DeadService: Sendable {
        let time = Lock<UInt64>(0)
        let asked = Lock<[String]>([])
        private let threads = Lock<[@Sendable () -> Void]>([])

        var threadCount: Int { threads.withLock { $0.count } }

        func book() -> AddressBook {
            let now: @Sendable () -> UInt64 = { self.time.withLock { $0 } }
            return AddressBook(allowsPrivate: false, now: now) { host, port, over throws(Resolver.Failure) in
                self.asked.withLock { $0.append(host) }
                guard host.hasPrefix("good") else {
                    self.threads.withLock { $0.append(over) }
                    throw .timedOut
                }
                over()
                return [SocketAddress(numeric: "8.8.8.8", port: port)].compactMap(\.self)
            }
        }

        func advance(bySeconds seconds: UInt64) { time.withLock { $0 += seconds * 1_000_000_000 } }

        func endThreads() {
            let all = threads.withLock { threads in
                defer { threads = [] }
                return threads
            }
            for over in all { over() }
        }
    }

    @Test("threads that hang are bounded, whatever is asked for, and names that were found go on")
    func threads() async throws {
        let service = DeadService()
        let book = service.book()
        _ = try await book.addresses(of: "good.example.org", port: 80)
        service.advance(bySeconds: 301)
        let most = LookUpPlaces.overdue + LookUpPlaces.forNew
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<most + 50 {
                group.addTask { _ = try? await book.addresses(of: "dead.zone\(number).org", port: 80) }
            }
            while await book.waitingCount < 50 { await Task.yield() }
            #expect(service.threadCount == most)
            #expect((try? await book.addresses(of: "good.example.org", port: 80)) == ["8.8.8.8"])
            while await book.waitingCount > 0 {
                service.endThreads()
                await Task.yield()
            }
        }
        #expect(service.asked.withLock { Set($0).count } == most + 51)
    }

    @Test("a zone that was silent three times is left alone, but for one question after each pause")
    func backOff() async throws {
        let service = DeadService()
        let book = service.book()
        func ask(_ host: String) async -> Bool {
            let before = service.asked.withLock { $0.count }
            _ = try? await book.addresses(of: host, port: 80)
            return service.asked.withLock { $0.count } > before
        }
        for number in 0..<3 { #expect(await ask("dead\(number).example.org")) }
        #expect(await !ask("dead3.example.org"))
        #expect(await ask("dead.example.net"))
        service.advance(bySeconds: 10)
        #expect(await ask("dead3.example.org"))
        #expect(await !ask("dead4.example.org"))
        service.advance(bySeconds: 19)
        #expect(await !ask("dead4.example.org"))
        service.advance(bySeconds: 1)
        // An answer opens the zone again.
        #expect(await ask("good.example.org"))
        #expect(await ask("dead5.example.org"))
    }

    @Test(
        "a zone is what is delegated as one, as a rule",
        arguments: [
            ("a.b.example.org", "example.org"), ("Example.ORG", "example.org"),
            ("shop.example.co.uk", "example.co.uk"),
            ("example.de", "example.de"), ("a.example.de", "example.de"), ("localhost", "localhost"),
        ])
    func zones(host: String, zone: String) {
        #expect(SilentZones.zone(of: host) == zone)
    }
}
