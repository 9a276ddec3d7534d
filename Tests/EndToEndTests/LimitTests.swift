import Client
import Contract
import Glibc
import Reactor
import TestKit
import Testing

@Suite("Limits of a server", .timeLimit(.minutes(5)))
struct LimitTests {
    private static let clock = ContinuousClock()

    @Test("half-open connections are gone in time, and people in a room and on REST notice nothing")
    func halfOpen() async throws {
        // Ada's socket is not read meanwhile, and answers no pings.
        let settings = ["HEADER_TIMEOUT_SECONDS": "5", "PING_SECONDS": "60"]
        try await Stage.withServer(.openNow, settings) { stage, server in
            let (ada, bea, room) = try await SocketVersion2Tests.two(stage, server)
            let adas = try await RoomSocket.open(room, as: ada)
            let beas = try await RoomSocket.open(room, as: bea)
            try await withThrowingTaskGroup(of: Void.self) { group in
                let beginnings = ["", "GET /socket?id=", "GET / HTTP/1.1\r\nHost: h\r\nUpgrade: web"]
                for index in 0..<300 {
                    let begin = beginnings[index % beginnings.count]
                    group.addTask { try await Self.holdOn(server, begin, drips: index % 2 == 0) }
                }
                for _ in 0..<30 {
                    await adas.cheer()
                    _ = try await beas.skip(to: "aleResponse")
                    #expect(try await ada.api.registrations().registrations.count == 1)
                    try await Self.clock.sleep(for: .milliseconds(100))
                }
                try await group.waitForAll()
            }
            await beas.cheer("the end")
            _ = try await adas.skip(to: "aleResponse")
            #expect(try await Metric.read("requests_timed_out_total{part=\"header\"}", from: server) == 300)
            #expect(try await Metric.read("connections_refused_total{limit=\"server\"}", from: server) == 0)
        }
    }

    /// Begins a request and never ends it; returns when the server has closed the connection.
    private static func holdOn(_ server: ServerProcess, _ begin: String, drips: Bool) async throws {
        let wire = try await Wire.connect(port: server.port)
        await wire.write(begin)
        let dripping = Task {
            while drips && !begin.isEmpty {
                try await clock.sleep(for: .milliseconds(500))
                await wire.write("x")
            }
        }
        defer { dripping.cancel() }
        let answer = try await wire.readAll()
        #expect(answer.isEmpty == begin.isEmpty, "\(answer)")
        if !begin.isEmpty {
            #expect(answer.hasPrefix("HTTP/1.1 408"), "\(answer)")
            #expect(answer.contains("/problems/request-timeout"))
        }
        await wire.close()
    }

    @Test("a client that calls as fast as it may goes as slowly as the account's limit, and is not refused")
    func pace() async throws {
        try await Stage.withPerson(.openNow, ["ACCOUNT_REQUESTS_PER_SECOND": "10"]) { _, server, ada in
            for _ in 0..<45 { _ = try await ada.api.me() }
            #expect(try await Metric.read("requests_limited_total{limit=\"account\"}", from: server) == 0)
        }
    }

    @Test("400 connections that ask at the same time are served by all loops, and none is turned away")
    func balance() async throws {
        try await Stage.withPerson(.openNow, ["WORKERS": "4"]) { _, server, ada in
            var wires: [Wire] = []
            for _ in 0..<400 {
                let wire = try await Wire.connect(port: server.port)
                await wire.write("GET /livez HTTP/1.1\r\nHost: h\r\n\r\n")
                _ = try await wire.read()
                wires.append(wire)
            }
            let text =
                "GET /v1/slots HTTP/1.1\r\nHost: h\r\nAuthorization: Bearer \(ada.token)\r\n"
                + "Connection: close\r\n\r\n"
            for wire in wires { await wire.write(text) }
            var refused = 0
            for wire in wires where try await !wire.readAll().hasPrefix("HTTP/1.1 200") { refused += 1 }
            #expect(refused == 0)
        }
    }

    @Test(
        "by default an address and an account have limits that no person meets, each with 429 and Retry-After"
    )
    func defaults() async throws {
        try await Stage.with(.openNow, ServerProcess.unlimited.mapValues { _ in "" }) { stage in
            let server = try await stage.startOne()
            let ada = try await Person(named: "Ada", on: server)
            var streams: [Wire] = []
            for _ in 0..<17 { streams.append(try await Wire.events(of: ada)) }
            // The newest has the place of the oldest, which ends and is told so; no second one does so soon.
            let oldest = try await streams.removeFirst().readAll()
            #expect(oldest.contains("event: replaced\ndata: {}\n\n"))
            #expect(try await Metric.read("event_streams_replaced_total", from: server) == 1)
            let events = try await Curl("\(server.url)/v1/events", "-H", "Authorization: Bearer \(ada.token)")
            #expect(events.status == 429)
            #expect(try events.json["type"]?.string == "/problems/too-many-streams")
            await streams.removeLast().close()
            #expect(
                try await Self.eventually {
                    let stream = try await Wire.connect(port: server.port)
                    await stream.write(
                        "GET /v1/events HTTP/1.1\r\nHost: h\r\nAuthorization: Bearer \(ada.token)\r\n\r\n")
                    let answer = String(decoding: try await stream.read() ?? [], as: UTF8.self)
                    if !answer.hasPrefix("HTTP/1.1 200") { await stream.close() }
                    return answer.hasPrefix("HTTP/1.1 200")
                })

            // The requests exceed the bursts, and come as fast as one connection carries them.
            let made = try await Self.statuses(
                of: "POST /v1/users HTTP/1.1\r\nHost: h\r\nContent-Type: application/json\r\n"
                    + "Content-Length: 14\r\n\r\n{\"name\":\"Bea\"}", times: 150, server)
            #expect(made.count { $0 == 201 } >= 59 && made.contains(429), "\(made)")
            let head = "Host: h\r\nAuthorization: Bearer \(ada.token)\r\n"
            let mine = "GET /v1/me HTTP/1.1\r\n\(head)\r\n"
            let statuses = try await Self.statuses(of: mine, times: 1000, server)
            #expect(statuses.contains(200) && statuses.contains(429))
            // The sign-ups have used up most of the address's burst. It refills faster than the account's, so
            // that further requests use up that one too.
            #expect(
                try await Self.eventually {
                    _ = try await Self.statuses(of: mine, times: 100, server)
                    let name = "requests_limited_total{limit=\"account\"}"
                    return try await Metric.patiently(name, from: server) > 0
                })
            for limit in ["streams", "signUps", "account", "address"] {
                let name = "requests_limited_total{limit=\"\(limit)\"}"
                #expect(try await Metric.patiently(name, from: server) > 0, "\(limit)")
            }
            for stream in streams { await stream.close() }
        }
    }

    /// Sends requests one behind the other on one connection, and returns their statuses.
    private static func statuses(of text: String, times: Int, _ server: ServerProcess) async throws -> [Int] {
        let wire = try await Wire.connect(port: server.port)
        await wire.write(String(repeating: text, count: times))
        await wire.write("GET /livez HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n")
        let answer = try await wire.readAll()
        await wire.close()
        return answer.split(separator: "HTTP/1.1 ").compactMap { Int($0.prefix(3)) }
    }

    @Test(
        "behind a trusted proxy people have their own limits; other such headers are logged once"
    )
    func forwarded() async throws {
        let settings = ["SIGNUPS_PER_MINUTE": "1", "TRUSTED_PROXIES": "127.0.0.1, fd00::/8"]
        try await Stage.with(.openNow, settings) { stage in
            let server = try await stage.startOne()
            let signUp = { (client: String, arguments: [String]) async throws -> Int in
                try await Curl(
                    arguments + [
                        "\(server.url)/v1/users", "-H", "Content-Type: application/json", "-d",
                        "{\"name\":\"Ada\"}", "-H", client,
                    ]
                ).status
            }
            for client in ["192.0.2.1", "192.0.2.2", "2001:db8::1"] {
                #expect(try await signUp("X-Forwarded-For: 203.0.113.1, \(client)", []) == 201)
                #expect(try await signUp("X-Forwarded-For: 203.0.113.2, \(client)", []) == 429)
            }
            #expect(try await signUp("Forwarded: for=\"[2001:db8::2]:80\"", []) == 429, "the same /64")
            #expect(!server.log.contains("TRUSTED_PROXIES"))
            let elsewhere = ["--interface", "127.0.0.2"]
            #expect(try await signUp("X-Forwarded-For: 192.0.2.3", elsewhere) == 201)
            #expect(try await signUp("X-Forwarded-For: 192.0.2.4", elsewhere) == 429)
            #expect(await server.child.hasPrinted("TRUSTED_PROXIES", on: .standardError))
            #expect(server.log.occurrences(of: "TRUSTED_PROXIES") == 1, "\(server.log)")
        }
    }

    @Test("every refusal is in the metrics, also where no handler saw the request, under few labels")
    func refusalsAreCounted() async throws {
        try await Stage.withServer(.openNow, ["BODY_TIMEOUT_SECONDS": "1"]) { _, server in
            let head = "Host: h\r\nConnection: close\r\n"
            let json = "Content-Type: application/json\r\n"
            let requests = [
                ("GET", 404, "GET /nothing HTTP/1.1\r\n\(head)\r\n"),
                ("PUT", 405, "PUT /v1/me HTTP/1.1\r\n\(head)\r\n"),
                ("other", 405, "BREW /v1/me HTTP/1.1\r\n\(head)\r\n"),
                ("other", 405, "BOIL /v1/me HTTP/1.1\r\n\(head)\r\n"),
                ("GET", 400, "GET /%ff HTTP/1.1\r\n\(head)\r\n"),
                ("none", 400, "rubbish\r\n\r\n"),
                ("none", 431, "GET / HTTP/1.1\r\nx: \(String(repeating: "x", count: 20_000))\r\n\r\n"),
                ("none", 414, "GET /\(String(repeating: "x", count: 10_000)) HTTP/1.1\r\n\r\n"),
                ("POST", 413, "POST /v1/users HTTP/1.1\r\n\(head)Content-Length: 999999999\r\n\r\n"),
                ("POST", 408, "POST /v1/users HTTP/1.1\r\n\(head)Content-Length: 10\r\n\r\n{"),
                ("POST", 415, "POST /v1/users HTTP/1.1\r\n\(head)Content-Length: 2\r\n\r\n{}"),
                ("POST", 422, "POST /v1/users HTTP/1.1\r\n\(head)\(json)Content-Length: 2\r\n\r\n{}"),
                ("GET", 426, "GET /socket HTTP/1.1\r\n\(head)\r\n"),
            ]
            var expected: [String: Int] = [:]
            for (method, status, text) in requests {
                let wire = try await Wire.connect(port: server.port)
                await wire.write(text)
                let answer = try await wire.readAll()
                #expect(answer.hasPrefix("HTTP/1.1 \(status)"), "\(answer)")
                await wire.close()
                expected["{method=\"\(method)\",status=\"\(status)\"}", default: 0] += 1
            }
            for (labels, count) in expected {
                #expect(
                    try await Metric.read("http_requests_total\(labels)", from: server) == count, "\(labels)")
            }
        }
    }

    @Test("a body that drips is a 408")
    func body() async throws {
        try await Stage.withServer(.openNow, ["BODY_TIMEOUT_SECONDS": "1"]) { _, server in
            let wire = try await Wire.connect(port: server.port)
            await wire.write(
                "POST /v1/users HTTP/1.1\r\nHost: h\r\nContent-Type: application/json\r\n"
                    + "Content-Length: 1000\r\n\r\n{")
            let dripping = Task {
                while true {
                    try await Self.clock.sleep(for: .milliseconds(200))
                    await wire.write(" ")
                }
            }
            defer { dripping.cancel() }
            let answer = try await wire.readAll()
            #expect(answer.hasPrefix("HTTP/1.1 408"), "\(answer)")
            #expect(answer.contains(Problem.mediaType))
        }
    }

    @Test("beyond MAX_CONNECTIONS there is a problem that says when to come back, and one line in the log")
    func full() async throws {
        // Soon after its start a server connects to itself; it does so at a port without this limit.
        let settings = ["MAX_CONNECTIONS": "4", "INTERNAL_PORT": "0"]
        try await Stage.with(.openNow, settings) { stage in
            let server = try await stage.startOne()
            var wires: [Wire] = []
            for _ in 0..<4 { wires.append(try await Self.inside(server)) }
            for _ in 0..<5 {
                let refused = try await Curl("\(server.url)/livez")
                #expect(refused.status == 503)
                #expect(refused.headers["retry-after"] != nil)
                #expect(refused.headers["connection"] == "close")
                #expect(refused.headers["content-type"] == Problem.mediaType)
                #expect(try refused.json["type"]?.string == "/problems/unavailable")
            }
            // An EventSource never reconnects after another status than 200.
            let postponed = try await Curl("\(server.url)/v1/events")
            #expect(postponed.status == 200 && postponed.body.contains("\nretry: "), "\(postponed)")
            #expect(postponed.headers["content-type"] == "text/event-stream")
            await wires.removeLast().close()
            #expect(
                try await Self.eventually { try await Curl("\(server.url)/livez").status == 200 })
            #expect(try await Metric.read("connections_refused_total{limit=\"server\"}", from: server) >= 5)
            #expect(try await Metric.read("connections_maximum", from: server) == 4)
            #expect(try await Metric.read("descriptors{holder=\"connections\"}", from: server) >= 4)
            #expect(try await Metric.read("descriptors{holder=\"database\"}", from: server) == 40)
            #expect(server.log.occurrences(of: "connections refused") == 1, "\(server.log)")
            for wire in wires { await wire.close() }
        }
    }

    @Test("beyond MAX_CONNECTIONS_PER_ADDRESS there is a 429 for that address, and no other")
    func addressFull() async throws {
        // Soon after its start a server connects to itself; it does so at a port without this limit.
        let settings = ["MAX_CONNECTIONS_PER_ADDRESS": "2", "INTERNAL_PORT": "0"]
        try await Stage.with(.openNow, settings) { stage in
            let server = try await stage.startOne()
            let wires = [try await Self.inside(server), try await Self.inside(server)]
            let refused = try await Curl("\(server.url)/livez")
            #expect(refused.status == 429)
            #expect(refused.headers["retry-after"] != nil)
            #expect(try refused.json["type"]?.string == "/problems/too-many-connections")
            #expect(try await Curl("--interface", "127.0.0.2", "\(server.url)/livez").status == 200)
            for wire in wires { await wire.close() }
            #expect(
                try await Self.eventually { try await Curl("\(server.url)/livez").status == 200 })
        }
    }

    @Test("a limit of open files lowers MAX_CONNECTIONS, and the log says so")
    func openFiles() async throws {
        try await Stage.with { stage in
            let server = try await stage.start(["MAX_CONNECTIONS": "1000000"])
            #expect(server.log.contains("fewer connections than MAX_CONNECTIONS"), "\(server.log)")
            let maximum = try await Metric.read("connections_maximum", from: server)
            #expect(maximum > 0 && maximum < 1_000_000)
        }
    }

    @Test("out of descriptors, the server waits without spinning, says so once, and serves again")
    func outOfDescriptors() async throws {
        try await Stage.with { stage in
            // A request of a ring that accepts keeps the limit of the moment at which it was made.
            let server = try await stage.startOne(["REACTOR": "epoll"])
            let figures = ProcessFigures(processID: server.child.processID)
            // The server's pools are open, so that the database does not lack descriptors.
            let ada = try await Person(named: "Ada", on: server)
            // The limit applies to the highest descriptor plus one.
            let limit = try figures.descriptorCount() + 30
            let lowered = try await Finished.run(
                "prlimit", ["--pid", "\(server.child.processID)", "--nofile=\(limit):"])
            #expect(lowered.status == 0, "\(lowered)")
            var wires: [Wire] = []
            for _ in 0..<40 { wires.append(try await Wire.connect(port: server.port)) }
            for wire in wires { await wire.write("GET /livez HTTP/1.1\r\nHost: h\r\n\r\n") }
            #expect(await server.child.hasPrinted("descriptors ran out", on: .standardError))
            let before = try figures.processorTime()
            let start = Self.clock.now
            try await Self.clock.sleep(for: .seconds(2))
            let busy = try figures.processorTime() - before
            #expect(busy < (Self.clock.now - start) * 0.2, "\(busy)")
            #expect(server.log.occurrences(of: "descriptors ran out") == 1, "\(server.log)")
            // The connected peers close, and those that wait are served in their place, with no request lost.
            for wire in wires {
                let answer = String(decoding: try await wire.read() ?? [], as: UTF8.self)
                #expect(answer.hasPrefix("HTTP/1.1 200"), "\(answer)")
                await wire.close()
            }
            #expect(try await ada.api.registrations().registrations.isEmpty)
            #expect(try await Metric.read("accept_pauses_total", from: server) >= 1)
            #expect(await server.child.hasPrinted("descriptors are free again", on: .standardError))
        }
    }

    /// Opens a connection that the server has accepted and keeps.
    private static func inside(_ server: ServerProcess) async throws -> Wire {
        let wire = try await Wire.connect(port: server.port)
        await wire.write("GET /livez HTTP/1.1\r\nHost: h\r\n\r\n")
        let answer = String(decoding: try await wire.read() ?? [], as: UTF8.self)
        guard answer.hasPrefix("HTTP/1.1 200") else { throw TestError(answer) }
        return wire
    }

    /// Waits until the condition holds, since the server sees the end of a connection a moment later.
    private static func eventually(_ condition: () async throws -> Bool) async throws -> Bool {
        for _ in 0..<200 where try await condition() { return true }
        return false
    }
}

extension String {
    /// Returns the number of occurrences of the text.
    fileprivate func occurrences(of text: String) -> Int {
        let (all, wanted) = (Array(utf8), Array(text.utf8))
        guard all.count >= wanted.count else { return 0 }
        return (0...(all.count - wanted.count)).count { all[$0..<($0 + wanted.count)].elementsEqual(wanted) }
    }
}
