import Glibc
import Reactor

/// Pushes to Apple's service, of which nghttpd is the double.
struct PushesMeasurement: PunctualMeasurement {
    let people: Int

    func measure(_ run: PunctualRun, _ database: BenchDatabase) async throws {
        let port = try Loopback.freePort()
        let folder = run.testbed.folder
        let apple = try await Self.startApple(on: run.testbed, port: port)
        // The body is as long as a push.
        let bare = try await Curl.postAll(
            "https://127.0.0.1:\(port)/3/device/[10000-\(9_999 + people)]",
            body: #"{"aps":{"alert":{"title":"\#(String(repeating: "0", count: 600))"}}}"#, parallel: 300,
            ["--http2", "--cacert", "\(folder)/tls.pem"])
        try await addPeople(to: database)
        var slots = MeasuredSlots(hourAfter: 90)
        try await database.register(people, for: slots)
        slots.open(after: 30)
        let server = try await MeasuredServer.start(
            on: run.testbed, database, slots,
            .init(
                arguments: [
                    "--apns-key-id", "KEYKEYKEY1", "--apns-team-id", "TEAMTEAM12", "--apns-topic",
                    "org.example.app", "--apns-url", "https://127.0.0.1:\(port)",
                ],
                environment: ["SSL_CERT_FILE": "\(folder)/tls.pem", "APNS_KEY_FILE": "\(folder)/apns.p8"]))
        // By then the server has its first connection.
        try await MeasuredSlots.wait(until: slots.due + 1)
        let before = try Self.connections(to: port)
        // The query loads the database, so it does not run often.
        let isOver = try await Patience.wait(.seconds(120), looking: .seconds(1)) {
            try await database.number("SELECT count(*) FROM deliveries WHERE settled_at IS NOT NULL")
                == Double(people)
        }
        if !isOver { run.fault("\(people.grouped) pushes: not over in two minutes.") }
        let delivered = try await database.run("SELECT count(*) FROM attempts WHERE outcome = 'delivered'")
        if delivered != "\(people)" { run.fault("\(delivered) pushes were delivered.") }
        let last = try await database.number(
            "SELECT round(extract(epoch FROM max(at))::numeric - \(slots.due), 3) FROM attempts")
        let connections = try Self.connections(to: port) - before + 1
        run.add(
            TableLine(
                figure: "\(people.grouped) pushes to Apple's service, of which nghttpd is the double: "
                    + "the last one answered",
                measured:
                    "\(last?.text(digits: 3) ?? "–") s after the instant, over \(connections) connection",
                bound: "\(people.grouped) POSTs by `curl --parallel --http2`: \(bare.text(digits: 3)) s",
                target: "≤ 5 s", value: last ?? TableLine.missing, limit: 5))
        await server.stop()
        apple.signal(SIGTERM)
        _ = await apple.ending()
    }

    /// Makes a certificate and the key of an app, and starts the double of Apple's service.
    private static func startApple(on testbed: Testbed, port: UInt16) async throws -> ChildProcess {
        let (key, certificate) = ("\(testbed.folder)/tls.key", "\(testbed.folder)/tls.pem")
        let commands = [
            "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 1 -subj /CN=127.0.0.1 "
                + "-addext subjectAltName=IP:127.0.0.1 -keyout \(key) -out \(certificate)",
            "genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256 -out \(testbed.folder)/apns.p8",
        ]
        for command in commands {
            let words = command.split(separator: " ").map(String.init)
            let openssl = try testbed.start(.init("openssl", words), log: "openssl")
            guard await openssl.ending() == .exited(0) else { throw BenchError.failed("openssl fails.") }
        }
        // Debian has nghttpd in a folder that is not in every PATH.
        let program = access("/usr/sbin/nghttpd", X_OK) == 0 ? "/usr/sbin/nghttpd" : "nghttpd"
        let apple = try testbed.start(
            .init(program, ["--address=127.0.0.1", "--echo-upload", "\(port)", key, certificate]),
            log: "nghttpd")
        let isListening = try await Patience.wait(.seconds(10), looking: .milliseconds(100)) {
            try await Curl.run(
                ["--http2", "--cacert", certificate, "--output", "/dev/null", "https://127.0.0.1:\(port)/"])
                != nil
        }
        guard isListening else { throw BenchError.failed("nghttpd does not start.") }
        return apple
    }

    /// Writes the people, and one app of each.
    private func addPeople(to database: BenchDatabase) async throws {
        try await database.addPeople(people)
        try await database.run(
            """
            INSERT INTO endpoints (id, user_id, kind, address, host, types, environment, created_at)
            SELECT key(2, i), key(1, i), 'apns', encode(sha256(i::text::bytea), 'hex'), 'apns production',
                ARRAY['room.opened'], 'production', now()
            FROM generate_series(1, \(people)) AS i;
            """)
    }

    /// Returns how many connections to the port there are, or were a moment ago.
    private static func connections(to port: UInt16) throws -> Int {
        let digits = String(port, radix: 16, uppercase: true)
        let suffix = ":" + String(repeating: "0", count: 4 - digits.count) + digits
        // proc(5): the third field is the remote address, as ADDRESS:PORT in hexadecimal digits.
        return try TextFile.read("/proc/net/tcp").split(separator: "\n").count { line in
            let fields = line.split(separator: " ")
            return fields.count > 2 && fields[2].hasSuffix(suffix)
        }
    }
}
