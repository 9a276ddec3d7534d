import Client
import ClientTesting
import Contract
import HTTP1
import HTTPServer
import Reactor
import TestKit
import Testing

@Suite("The stream of notifications")
struct NotificationStreamTests {
    @Test("resumes after the last one, and tells nothing twice")
    func resumes() async throws {
        let server = try await ScriptedServer(.get, Routes.events) { request in
            let after = request.head.headers.first("last-event-id").flatMap { Int64($0) } ?? 0
            // Earlier notifications are sent again, as a server may that was cut off in between.
            let ids = after == 0 ? [1, 2] : [after, after + 1]
            return .events { stream in
                for id in ids { try? await stream.write(Self.event(id)) }
            }
        }
        let api = try APIClient(server: Server(server.url), token: "t")
        var ids: [Int64] = []
        for try await event in api.events() {
            if case .notification(let notification) = event { ids.append(notification.id) }
            if ids.count == 4 { break }
        }
        #expect(ids == [1, 2, 3, 4])
    }

    @Test("goes on from the position of the server if that is below its own, as after a restore")
    func restored() async throws {
        let asked = Lock<[String?]>([])
        let server = try await ScriptedServer(.get, Routes.events) { request in
            asked.withLock { $0.append(request.head.headers.first("last-event-id")) }
            return .events { stream in
                var bytes = Array(": 90 is above the newest id; going on from now\nid: 7\n\n".utf8)
                bytes += Self.event(8)
                try? await stream.write(bytes)
            }
        }
        let api = try APIClient(server: Server(server.url), token: "t")
        var ids: [Int64] = []
        for try await event in api.events(after: 90) {
            if case .notification(let notification) = event { ids.append(notification.id) }
            if case .interrupted = event { break }
        }
        #expect(ids == [8])
        #expect(asked.withLock { $0 }.first == "90")
    }

    @Test(
        "begins again where the server said it was, where nothing was told or only the beginning came",
        arguments: [false, true])
    func position(isCutOff: Bool) async throws {
        let asked = Lock<[String?]>([])
        let server = try await ScriptedServer(.get, Routes.events) { request in
            let after = request.head.headers.first("last-event-id")
            asked.withLock { $0.append(after) }
            return .events { stream in
                let event = Self.event(8)
                if after == nil {
                    let greeting = Array(": welcome\nid: 7\n\n".utf8)
                    try? await stream.write(greeting + (isCutOff ? event.dropLast() : []))
                } else {
                    try? await stream.write(event)
                }
            }
        }
        let api = try APIClient(server: Server(server.url), token: "t")
        var ids: [Int64] = []
        for try await event in api.events() {
            if case .notification(let notification) = event { ids.append(notification.id) }
            if !ids.isEmpty { break }
        }
        #expect(ids == [8])
        #expect(asked.withLock { $0 } == [nil, "7"])
    }

    @Test("of some types asks for these, passes over others, and goes on after what it was spared")
    func types() async throws {
        let asked = Lock<[String?]>([])
        let server = try await ScriptedServer(.get, Routes.events) { request in
            let after = request.head.headers.first("last-event-id")
            let types = request.query.first("types")
            asked.withLock { $0.append("\(types ?? "all") \(after ?? "now")") }
            return .events { stream in
                // A server of an earlier release sends all, and this one the position alone.
                try? await stream.write(Self.event(after == nil ? 1 : 5, "slot.partnered"))
                try? await stream.write(Array("id: \(after == nil ? 3 : 6)\n\n".utf8))
                if after == "3" { try? await stream.write(Self.event(9, "slot.alone")) }
            }
        }
        let api = try APIClient(server: Server(server.url), token: "t")
        var ids: [Int64] = []
        for try await event in api.events(types: [.slotAlone, .sessionMissed]) {
            if case .notification(let notification) = event { ids.append(notification.id) }
            if !ids.isEmpty { break }
        }
        #expect(ids == [9])
        #expect(asked.withLock { $0 } == ["slot.alone,session.missed now", "slot.alone,session.missed 3"])
    }

    @Test("throws what the server says where it refuses")
    func refused() async throws {
        let server = try await ScriptedServer(.get, Routes.events) { _ in .problem(.unauthenticated, "No.") }
        let api = try APIClient(server: Server(server.url))
        var events = api.events().makeAsyncIterator()
        await #expect(throws: ClientError.self) { try await events.next() }
    }

    @Test("waits for a place where the account has too many streams, and says so", .timeLimit(.minutes(1)))
    func tooMany() async throws {
        let isFull = Lock(true)
        let server = try await ScriptedServer(.get, Routes.events) { _ in
            let isFull = isFull.withLock { isFull in
                defer { isFull = false }
                return isFull
            }
            if isFull { return .problem(.tooManyStreams, "Close one of them.") }
            return .events { stream in
                try? await stream.write(Self.event(1))
            }
        }
        let api = try APIClient(server: Server(server.url), token: "t")
        var events = api.events().makeAsyncIterator()
        guard case .interrupted(let reason, _)? = try await events.next() else {
            throw TestError("no word of it")
        }
        #expect(reason == "Close one of them.")
        #expect(try await events.next() == .connected)
    }

    @Test("ends where newer streams have taken its place, after what came before, and does not reconnect")
    func replaced() async throws {
        let connections = Lock(0)
        let server = try await ScriptedServer(.get, Routes.events) { _ in
            connections.withLock { $0 += 1 }
            return .events { stream in
                let end = Array("event: replaced\ndata: {}\n\n".utf8)
                try? await stream.write(Self.event(1) + end)
            }
        }
        let api = try APIClient(server: Server(server.url), token: "t")
        var events = api.events().makeAsyncIterator()
        #expect(try await events.next() == .connected)
        guard case .notification(let notification)? = try await events.next() else {
            throw TestError("no notification")
        }
        #expect(notification.id == 1)
        let error = await #expect(throws: ClientError.self) { try await events.next() }
        #expect(error?.kind == "problem:too-many-streams")
        #expect(try await events.next() == nil)
        #expect(connections.withLock { $0 } == 1)
    }

    @Test("follows Retry-After of a busy server, also the first time", .timeLimit(.minutes(1)))
    func busy() async throws {
        let refusals = Lock(2)
        let server = try await ScriptedServer(.get, Routes.events) { _ in
            let isBusy = refusals.withLock { left in
                left -= 1
                return left >= 0
            }
            if isBusy {
                var refusal = HTTPResponse.problem(.unavailable, "Later.")
                refusal.headers.append("Retry-After", "1")
                return refusal
            }
            return .events { stream in
                try? await stream.write(Self.event(1))
            }
        }
        let api = try APIClient(server: Server(server.url), token: "t")
        var events = api.events().makeAsyncIterator()
        var waits: [Duration] = []
        while case .interrupted(let reason, let wait)? = try await events.next() {
            #expect(reason == "Later.")
            waits.append(wait)
        }
        #expect(waits.count == 2)
        #expect(waits.allSatisfy { $0 >= .seconds(1) }, "\(waits)")
        #expect(Set(waits).count == 2, "each has its own jitter: \(waits)")
    }

    @Test(
        "is not connected by the empty stream of a busy server, and waits as that asks",
        .timeLimit(.minutes(1)))
    func postponed() async throws {
        let isBusy = Lock(true)
        let asked = Lock<[String?]>([])
        let server = try await ScriptedServer(.get, Routes.events) { request in
            asked.withLock { $0.append(request.head.headers.first("last-event-id")) }
            let isBusy = isBusy.withLock { isBusy in
                defer { isBusy = false }
                return isBusy
            }
            let headers: HTTPHeaders = ["Content-Type": "text/event-stream"]
            if isBusy {
                let body = Array(": busy\nretry: 1234\n".utf8)
                return HTTPResponse(status: 200, headers: headers, body: body)
            }
            return HTTPResponse(status: 200, headers: headers) { stream in
                try? await stream.write(Self.event(1))
            }
        }
        let api = try APIClient(server: Server(server.url), token: "t")
        var events = api.events().makeAsyncIterator()
        guard case .interrupted(_, let wait)? = try await events.next() else {
            throw TestError("no word of it")
        }
        #expect(wait >= .milliseconds(1234))
        #expect(try await events.next() == .connected)
        #expect(asked.withLock { $0 } == [nil, nil])
    }

    private static func event(_ id: Int64, _ type: String = "session.missed") -> [UInt8] {
        let slot = NotificationData.SlotDetails(
            registrationId: Sample.me, startsAt: Sample.start, endsAt: Sample.start)
        let about: NotificationData =
            switch type {
            case "session.missed": .sessionMissed(.init(registrationId: Sample.me, startsAt: Sample.start))
            case "slot.alone": .slotAlone(slot)
            default: .slotPartnered(slot)
            }
        let notification = UserNotification(id: id, createdAt: Sample.start, data: about)
        let data = (try? JSON.encode(notification)) ?? []
        return Array("id: \(id)\nevent: \(notification.type)\ndata: ".utf8) + data + Array("\n\n".utf8)
    }
}
