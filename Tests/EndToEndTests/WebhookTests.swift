import Contract
import Reactor
import SocketTesting
import TestKit
import Testing

@Suite("A webhook by hand", .timeLimit(.minutes(5)))
struct WebhookTests {
    @Test("is added, tested, checked, rotated and removed from the command line")
    func story() async throws {
        let (requests, continuation) = AsyncStream<String>.makeStream()
        let status = Lock("200 OK")
        let receiver = try await AnsweringServer { received, stream in
            guard received.last == UInt8(ascii: "}") else { return }
            continuation.yield(String(decoding: received, as: UTF8.self))
            let line = status.withLock { $0 }
            stream.write(
                Array("HTTP/1.1 \(line)\r\nContent-Length: 0\r\nConnection: close\r\n\r\n".utf8))
        }
        let url = "http://127.0.0.1:\(receiver.port)/hook"
        try await Stage.withServer(.openNow, ["ALLOW_PRIVATE_WEBHOOKS": "true"]) { _, server in
            let user = try CommandLineUser(server)
            let files = TemporaryFolder()
            var iterator = requests.makeAsyncIterator()
            #expect(try await user.run("signup", "Ada").status == 0)
            let added = try await user.run("endpoints", "add", "webhook", url, "--json")
            let endpoint = try JSON.decode(Endpoint.self, from: Array(added.output.utf8))
            let id = endpoint.id.description
            let old = try files.file("old", try #require(endpoint.secret))

            let tested = try await user.run("endpoints", "test", id)
            #expect(tested.status == 0 && tested.output.contains("delivered: 200"), "\(tested)")
            let first = try #require(await iterator.next())
            let right = try await user.run("webhook", "verify", "--secret-file", old, input: first)
            #expect(right.status == 0 && right.output.contains("right: test, msg_"), "\(right)")
            let changed = String(first.dropLast()) + "]"
            let wrong = try await user.run("webhook", "verify", "--secret-file", old, input: changed)
            #expect(wrong.status == 1 && wrong.errors.contains("The signature is wrong"), "\(wrong)")

            let new = try files.file("new", try await user.run("endpoints", "rotate", id, "-q").output)
            status.withLock { $0 = "503 Service Unavailable" }
            let failed = try await user.run("endpoints", "test", id)
            #expect(failed.status == 1 && failed.errors.contains("503"), "\(failed)")
            let second = try #require(await iterator.next())
            for secret in [old, new] {
                let verified = try await user.run("webhook", "verify", "--secret-file", secret, input: second)
                #expect(verified.status == 0, "\(verified)")
            }
            #expect(
                try await user.run("webhook", "verify", "--secret-file", new, input: first).status == 1)

            let listed = try await user.run("endpoints")
            #expect(listed.output.contains(url) && listed.output.contains("exhausted: 503"), "\(listed)")
            #expect(try await user.run("endpoints", "remove", id).status == 0)
            #expect(try await user.run("endpoints", "show", id).status == 4)
            #expect(try await user.run("endpoints").output.contains("There are none."))
            try await Self.checkMetrics(server)
        }
    }

    private static func checkMetrics(_ server: ServerProcess) async throws {
        let figures = [
            #"delivery_attempts_total{channel="webhook",outcome="delivered"}"#: 1,
            #"delivery_attempts_total{channel="webhook",outcome="failed"}"#: 1,
            #"delivery_lateness_seconds_count{channel="webhook"}"#: 1,
            "deliveries_in_flight": 0, "deliveries_waiting": 0, "deliveries_oldest_seconds": 0,
            "delivery_circuits_open": 0, "endpoints_disabled": 0,
        ]
        for (name, value) in figures {
            #expect(try await Metric.read(name, from: server) == value, "\(name)")
        }
    }
}
