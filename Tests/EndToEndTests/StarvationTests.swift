import Client
import Contract
import Postgres
import PostgresTesting
import Reactor
import SocketTesting
import Testing

/// A server that has few descriptors, and more connections and deliveries than fit.
///
/// `STARVATION_ROUNDS` (1) is the number of rounds at each limit, and `STARVATION_SECONDS` (2) how long
/// connections come and go in each.
@Suite("A server at its limit of open files", .timeLimit(.minutes(10)))
struct StarvationTests {
    private static let rounds = setting("STARVATION_ROUNDS", or: 1)
    private static let seconds = setting("STARVATION_SECONDS", or: 2)
    /// The loopback addresses that people name as their receivers.
    private static let hosts = 25
    private static let people = 20
    private static let endpoints = 5

    @Test("stays alive, refuses connections by its budget, and recovers by itself", arguments: [1_024, 256])
    func lives(limit: Int) async throws {
        for _ in 0..<Self.rounds { try await Self.round(at: limit) }
    }

    private static func round(at limit: Int) async throws {
        let settings = ["ALLOW_PRIVATE_WEBHOOKS": "true", "WORKERS": "2"]
        try await Stage.with(.openNow, settings) { stage in
            let server = try await stage.startOne(openFiles: limit)
            let figures = ProcessFigures(processID: server.child.processID)
            let receiver = try await HoldingReceiver(
                paths: people * endpoints, holding: .seconds(min(seconds, 8)))
            let crowd = try await Person.crowd(people, on: server)
            for (index, person) in crowd.enumerated() {
                for number in index * endpoints..<(index + 1) * endpoints {
                    let url = "http://127.0.0.\(2 + number % hosts):\(receiver.port)/\(number)"
                    let made = try await Curl.post(
                        "\(server.url)/v1/endpoints",
                        #"{"kind":"webhook","url":"\#(url)","types":["room.opened"]}"#, token: person.token)
                    #expect(made.status == 201, "\(made.body)")
                }
            }
            for person in crowd { try await person.register(stage.grid.openSlot) }
            var wires = try await fill(server)
            #expect(try figures.descriptorCount() <= limit - DescriptorBudget.margin)
            let end = ContinuousClock.now + .seconds(seconds)
            while ContinuousClock.now < end {
                for wire in wires.prefix(wires.count / 4) { await wire.close() }
                wires.removeFirst(wires.count / 4)
                wires += try await fill(server)
                #expect(try figures.descriptorCount() <= limit - DescriptorBudget.margin)
            }
            try await starve(server, figures, limit)
            for wire in wires { await wire.close() }
            try await within("each delivery", limit: .seconds(300)) { await receiver.waitUntilComplete() }
            // An attempt without a descriptor is given back, and does not count.
            let failed = try await stage.database.withConnection { connection in
                try await connection.query(
                    "SELECT count(*) FROM attempts WHERE detail LIKE '%descriptor%'"
                )[0].decode(0, Int64.self)
            }
            #expect(failed == 0)
            try await within("an answer") {
                while try await Curl("\(server.url)/livez").status != 200 {}
            }
            #expect(try await Metric.read("connections_refused_total{limit=\"server\"}", from: server) >= 1)
            #expect(await server.stop() == .exited(0))
        }
    }

    /// Opens connections until the server refuses some; returns those that it has taken.
    private static func fill(_ server: ServerProcess) async throws -> [Wire] {
        var wires: [Wire] = []
        var refusals: [String] = []
        while refusals.count < 10 {
            let wire = try await Wire.connect(port: server.port)
            await wire.write("GET /livez HTTP/1.1\r\nHost: h\r\n\r\n")
            let answer = String(decoding: try await wire.read() ?? [], as: UTF8.self)
            if answer.hasPrefix("HTTP/1.1 200") {
                wires.append(wire)
            } else {
                refusals.append(answer)
                await wire.close()
            }
        }
        // Beyond the descriptors for refusals a connection is closed without an answer.
        #expect(refusals.allSatisfy { $0.isEmpty || $0.hasPrefix("HTTP/1.1 503") }, "\(refusals)")
        return wires
    }

    /// Takes the server's last descriptors away for a while.
    private static func starve(_ server: ServerProcess, _ figures: ProcessFigures, _ limit: Int) async throws
    {
        var wires: [Wire] = []
        func isStarved() -> Bool { server.child.output(.standardError).contains("descriptors ran out") }
        // Deliveries that end between the count and the new limit leave some free: again then.
        for _ in 0..<20 where !isStarved() {
            try await lower(server, to: "\(try figures.descriptorCount() + DescriptorBudget.margin):")
            for _ in 0..<200 { wires.append(try await Wire.connect(port: server.port)) }
            let end = ContinuousClock.now + .seconds(2)
            while !isStarved(), ContinuousClock.now < end { try await Task.sleep(for: .milliseconds(20)) }
        }
        try #require(isStarved())
        try await lower(server, to: "\(limit):")
        #expect(await server.child.hasPrinted("descriptors are free again", on: .standardError))
        for wire in wires { await wire.close() }
    }

    private static func lower(_ server: ServerProcess, to limit: String) async throws {
        let changed = try await Finished.run(
            "prlimit", ["--pid", "\(server.child.processID)", "--nofile=\(limit)"])
        #expect(changed.status == 0, "\(changed)")
    }

    private static func setting(_ name: String, or usual: Int) -> Int {
        ProcessEnvironment.current()[name].flatMap { Int($0) } ?? usual
    }
}

/// A receiver of webhooks at all loopback addresses, which answers each after a while.
private final class HoldingReceiver: Sendable {
    private static let answer = Array(
        "HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n".utf8)

    private let server: AnsweringServer
    /// A stream that ends as soon as each of the expected paths has been asked for.
    private let completion: AsyncStream<Void>

    init(paths: Int, holding time: Duration) async throws {
        let (completion, continuation) = AsyncStream<Void>.makeStream()
        self.completion = completion
        let seen = Lock<Set<String>>([])
        guard let anywhere = SocketAddress(numeric: "0.0.0.0", port: 0) else { throw CancellationError() }
        server = try await AnsweringServer(at: anywhere) { received, stream in
            guard received.last == UInt8(ascii: "}"),
                let path = String(decoding: received, as: UTF8.self).split(separator: " ").dropFirst().first
            else { return }
            let count = seen.withLock { seen in
                seen.insert(String(path))
                return seen.count
            }
            if count == paths { continuation.finish() }
            _ = stream.loop.schedule(after: time) { stream.write(Self.answer) }
        }
    }

    var port: UInt16 { server.port }

    /// Returns when each expected path was asked for, or the task is cancelled.
    func waitUntilComplete() async { for await _ in completion {} }
}
