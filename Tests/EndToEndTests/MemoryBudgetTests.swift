import CLinux
import Glibc
import Reactor
import Synchronization
import TestKit
import Testing

@Suite("The memory of connections", .timeLimit(.minutes(10)))
struct MemoryBudgetTests {
    /// The bytes of the body that each connection has sent, but for the last one.
    private static let bodyBytes = 24_000
    private static let connections = 3_000
    private static let budget = 8 << 20
    /// The memory that a server may take beyond the budget: 4 KiB a connection, and 32 MiB.
    private static let slack = connections * 4096 + (32 << 20)

    @Test("stays within the budget while one address has 3,000 bodies under way, and others are answered")
    func bodies() async throws {
        let settings = ["BUFFER_MIB": "8", "WORKERS": "2"]
        try await Stage.with(.openNow, settings) { stage in
            let server = try await stage.startOne()
            let figures = ProcessFigures(processID: server.child.processID)
            _ = try await Curl.post("\(server.url)/v1/users", "{\"name\":\"Ada\"}")
            let before = try figures.memory()
            let crowd = Crowd(
                of: Self.connections, at: server.port, sending: Self.bodyBytes, from: "127.0.0.2")
            defer { crowd.close() }
            async let peak = blocking { try crowd.send(sampling: { try figures.memory() }) }
            var answered = 0
            while !crowd.isDone || answered < 10 {
                let answer = try await Curl(
                    "--interface", "127.0.0.3", "\(server.url)/v1/users", "-H",
                    "Content-Type: application/json", "-d", "{\"name\":\"Bea\"}")
                #expect(answer.status == 201, "\(answer.body)")
                answered += 1
            }
            let growth = try await peak - before
            #expect(growth < Self.budget + Self.slack, "\(growth) bytes")
            #expect(try await Metric.read("memory_budget_bytes", from: server) == Self.budget)
            #expect(try await Metric.read("memory_held_bytes", from: server) <= Self.budget)
            #expect(try await Metric.read("connections_cut_total", from: server) > 1000)
            #expect(crowd.answer.hasPrefix("HTTP/1.1 503 "), "\(crowd.answer)")
            #expect(server.log.contains("connections cut"), "\(server.log)")
        }
    }

    @Test("takes from the address that holds most, and leaves smaller holders and a single request alone")
    func choice() async throws {
        try await Stage.with(.openNow, ["BUFFER_MIB": "8", "WORKERS": "2"]) { stage in
            let server = try await stage.startOne()
            let single = Crowd(of: 1, at: server.port, sending: 2_000, from: "127.0.0.4")
            let office = Crowd(of: 60, at: server.port, sending: Self.bodyBytes, from: "127.0.0.3")
            let large = Crowd(of: 400, at: server.port, sending: Self.bodyBytes, from: "127.0.0.2")
            defer { for crowd in [single, office, large] { crowd.close() } }
            for crowd in [single, office, large] {
                _ = try await blocking { try crowd.send(sampling: { 0 }) }
            }
            try await eventually(atLeast: 1) {
                try await Metric.read("connections_cut_total", from: server)
            }
            // Their bodies are complete with the last byte, and they get the answers to their requests.
            for crowd in [single, office] {
                let answers = try await blocking { try crowd.finish() }
                #expect(answers.allSatisfy { $0.hasPrefix("HTTP/1.1 401 ") }, "\(answers)")
            }
            #expect(large.answer.hasPrefix("HTTP/1.1 503 "), "\(large.answer)")
        }
    }
}

/// Connections from a loopback address that send all of a body but its last byte. One thread uses it at a
/// time.
private final class Crowd: @unchecked Sendable {
    private let port: UInt16
    private let host: String
    private let request: [UInt8]
    private let count: Int
    private let done = Atomic<Bool>(false)
    private var sockets: [CInt] = []

    var isDone: Bool { done.load(ordering: .acquiring) }

    init(of count: Int, at port: UInt16, sending bytes: Int, from host: String) {
        self.host = host
        var limit = rlimit()
        getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        limit.rlim_cur = limit.rlim_max
        setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        self.port = port
        self.count = count
        request =
            Array(
                ("POST /v1/routines HTTP/1.1\r\nHost: h\r\nContent-Type: application/json\r\n"
                    + "Content-Length: \(bytes)\r\n\r\n").utf8) + [UInt8](repeating: 0x20, count: bytes - 1)
    }

    /// Connects and sends; returns the most that was sampled.
    func send(sampling: () throws -> Int) throws -> Int {
        defer { done.store(true, ordering: .releasing) }
        var peak = 0
        for index in 0..<count {
            sockets.append(try connect())
            // A connection that was cut takes no more.
            _ = request.withUnsafeBytes {
                Glibc.send(sockets[index], $0.baseAddress, $0.count, CInt(MSG_NOSIGNAL))
            }
            if index.isMultiple(of: 50) { peak = max(peak, try sampling()) }
        }
        return max(peak, try sampling())
    }

    /// Sends the last byte of each body, and returns the beginnings of the answers.
    func finish() throws -> [String] {
        try sockets.map { socket in
            guard Glibc.send(socket, " ", 1, CInt(MSG_NOSIGNAL)) == 1 else {
                throw TestError("send: \(errno)")
            }
            var buffer = [UInt8](repeating: 0, count: 512)
            let count = recv(socket, &buffer, buffer.count, 0)
            return String(decoding: buffer.prefix(max(0, count)), as: UTF8.self)
        }
    }

    /// The first answer that came; empty if there is none.
    var answer: String {
        for socket in sockets {
            var buffer = [UInt8](repeating: 0, count: 512)
            let count = recv(socket, &buffer, buffer.count, CInt(MSG_DONTWAIT))
            if count > 0 { return String(decoding: buffer.prefix(count), as: UTF8.self) }
        }
        return ""
    }

    func close() {
        for socket in sockets { _ = Glibc.close(socket) }
        sockets = []
    }

    private func connect() throws -> CInt {
        let socket = Glibc.socket(AF_INET, CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue), 0)
        guard socket >= 0 else { throw TestError("socket: \(errno)") }
        try call("bind", from: host, 0) { bind(socket, $0, $1) }
        try call("connect", from: "127.0.0.1", port) { Glibc.connect(socket, $0, $1) }
        return socket
    }

    private func call(
        _ name: String, from host: String, _ port: UInt16,
        _ body: (UnsafePointer<sockaddr>, socklen_t) -> CInt
    ) throws {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = inet_addr(host)
        let result = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard result == 0 else { throw TestError("\(name): \(errno)") }
    }
}
