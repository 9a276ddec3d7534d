import CLinux
import Glibc
import Reactor
import Testing

@testable import Settings

@Suite("Configuration")
struct ServerConfigurationTests {
    private func configuration(
        _ arguments: [String] = [], _ environment: [String: String] = [:], files: [String: String] = [:]
    ) throws(ConfigurationError) -> ServerConfiguration {
        try ServerConfiguration(arguments: arguments, environment: environment) { path in
            guard let text = files[path] else { throw SystemError.failed(call: "open", errno: ENOENT) }
            return text
        }
    }

    private func message(_ arguments: [String] = [], _ environment: [String: String] = [:]) -> String? {
        do throws(ConfigurationError) {
            _ = try configuration(arguments, environment)
            return nil
        } catch {
            return error.description
        }
    }

    @Test("nothing given is the documented defaults")
    func defaults() throws {
        let standard = try configuration()
        #expect(standard == ServerConfiguration())
        #expect(standard.host == "127.0.0.1" && standard.port == 8080 && standard.databaseURL == nil)
        #expect(standard.slotSeconds == 1800 && standard.leadSeconds == 60 && standard.lateSeconds == 300)
        #expect(standard.headerTimeoutSeconds == 10 && standard.bodyTimeoutSeconds == 30)
        #expect(standard.idleTimeoutSeconds == 75)
        #expect(standard.explicitBufferMiB == nil && standard.bufferBytes >= 64 << 20)
        #expect(try configuration([], ["BUFFER_MIB": "9"]).bufferBytes == 9 << 20)
        #expect(standard.maxConnections == 100_000 && standard.maxConnectionsPerAddress == 0)
        #expect(standard.signUpsPerMinute == 60 && standard.requestsPerSecond == 100)
        #expect(standard.accountRequestsPerSecond == 20 && standard.accountRegistrations == 500)
        #expect(standard.accountRegistrationsPerDay == 500 && standard.registrationsPerHour == 3000)
        #expect(standard.accountStreams == 16 && standard.trustedProxies.isEmpty)
        #expect(standard.publicURL(boundTo: 8080) == "http://127.0.0.1:8080")
        #expect((1...256).contains(standard.workers))
    }

    @Test("a flag comes before the environment, and the last flag counts")
    func precedence() throws {
        let environment = ["PORT": "1", "PORT_FILE": "missing", "ROOM_SIZE": "3"]
        let mixed = try configuration(["--port", "2", "--port=3"], environment)
        #expect(mixed.port == 3)
        #expect(mixed.roomSize == 3)
    }

    @Test("proxies are a list of addresses and networks, and each has to be one")
    func proxies() throws {
        let networks = try configuration([], ["TRUSTED_PROXIES": "10.0.0.7, fd00::/8 192.168.0.0/16"])
            .trustedProxies
        #expect(networks == ["10.0.0.7", "fd00::/8", "192.168.0.0/16"].compactMap { IPNetwork($0) })
        let message = message(["--trusted-proxies", "10.0.0.7,proxy.example.org"])
        #expect(message?.contains("TRUSTED_PROXIES") == true)
        #expect(message?.contains("proxy.example.org, which is no address") == true)
    }

    @Test("push services are hosts, or all hosts below one, and what is none stops the start")
    func pushServices() throws {
        #expect(try configuration().pushServices == ServerConfiguration.knownPushServices)
        let given = ["PUSH_SERVICES": "push.example.org, *.example.net"]
        let services = try configuration([], given).pushServices
        #expect(services == ["push.example.org", "*.example.net"])
        for wrong in ["https://push.example.org", "push.example.org:443", "push.*.org", "*", "-a.example"] {
            #expect(throws: ConfigurationError.self, "\(wrong)") {
                try configuration([], ["PUSH_SERVICES": wrong])
            }
        }
    }

    @Test("origins are exact, each once, and what is none stops the start with a line that names it")
    func origins() throws {
        #expect(try configuration().allowedOrigins.isEmpty)
        let origins = try configuration(
            [], ["ALLOWED_ORIGINS": "https://app.example.org, http://localhost:5173 https://app.example.org"]
        ).allowedOrigins
        #expect(origins == ["https://app.example.org", "http://localhost:5173"])
        let apps = [
            "capacitor://localhost", "ionic://localhost", "tauri://localhost",
            "chrome-extension://abcdefghijklmnopabcdefghijklmnop", "moz-extension://0b-1c",
        ]
        #expect(
            try configuration([], ["ALLOWED_ORIGINS": apps.joined(separator: ",")]).allowedOrigins == apps)
        for wrong in [
            "Capacitor://localhost", "capacitor://", "capacitor://localhost/", "capacitor://a@b", "file://x",
            "capacitor:localhost", "://localhost", "1a://localhost", "wss://app.example.org", "capacitor://*",
            "*", "null", "app.example.org", "https://app.example.org/", "https://app.example.org/path",
            "https://app.example.org:443", "https://App.example.org", "ftp://app.example.org", "https://",
            "https://*.example.org", "https://a@example.org", "https://example.org?x",
        ] {
            let message = message(["--allowed-origins", "https://fine.example.org,\(wrong)"])
            #expect(message?.contains("ALLOWED_ORIGINS") == true, "\(wrong)")
            #expect(message?.contains("\(wrong), which is no origin") == true, "\(wrong)")
            #expect(message?.contains("\n") == false)
        }
    }

    @Test("the operators' listener answers for further hosts that the operator names")
    func adminHosts() throws {
        #expect(try configuration().adminHosts.isEmpty)
        let some = try configuration(
            [], ["ADMIN_HOSTS": "Desk.example.org, server-1 10.0.0.7,2001:db8::7,[::2]"])
        #expect(some.adminHosts == ["desk.example.org", "server-1", "10.0.0.7", "2001:db8::7", "::2"])
        for wrong in ["https://desk", "desk:8081", "desk/", "*", "a_b@c"] {
            let said = message([], ["ADMIN_HOSTS": "localhost \(wrong)"])
            #expect(said?.contains("has \(wrong), which is no host") == true, "\(wrong): \(said ?? "")")
        }
    }

    @Test("browsers get the page unless the operator says otherwise")
    func web() throws {
        #expect(try configuration().web == .on)
        #expect(try configuration([], ["WEB": "off"]).web == .off)
        #expect(try configuration(["--web=on"], ["WEB": "off"]).web == .on)
        #expect(message([], ["WEB": "no"]) == "WEB=no is not one of these: use on, off.")
    }

    @Test("MISPLACED=x-accel of the release before is accepted")
    func misplaced() throws {
        #expect(try configuration().misplaced == .off)
        #expect(try configuration([], ["MISPLACED": "x-accel"]).misplaced == .xAccel)
        #expect(try configuration(["--misplaced=off"], ["MISPLACED": "x-accel"]).misplaced == .off)
    }

    @Test("the access log is off unless the operator wants it, and its share is a percentage")
    func accessLog() throws {
        #expect(try configuration().accessLog == .off)
        let some = try configuration(["--access-log", "all"], ["ACCESS_LOG_PERCENT": "5"])
        #expect(some.accessLog == .all && some.accessLogPercent == 5)
        #expect(
            message([], ["ACCESS_LOG": "yes"]) == "ACCESS_LOG=yes is not one of these: use off, errors, all.")
        for percent in ["0", "101"] {
            #expect(
                message([], ["ACCESS_LOG_PERCENT": percent])
                    == "ACCESS_LOG_PERCENT=\(percent) is out of range: use 1 to 100.")
        }
    }

    @Test("traces are sent only where the operator names a collector")
    func traces() throws {
        #expect(try configuration().otlpEndpoint == nil)
        let some = try configuration(["--otlp-endpoint", "http://collector:4318/"], ["TRACE_PERCENT": "7"])
        #expect(some.otlpEndpoint == "http://collector:4318" && some.tracePercent == 7)
        for text in ["collector:4318", "ftp://collector", "http://collector/?key=x"] {
            #expect(
                message([], ["OTLP_ENDPOINT": text])?.hasPrefix("OTLP_ENDPOINT=\(text) cannot be used")
                    == true)
        }
        let fields = try configuration([], ["OTLP_HEADERS": "Authorization=Basic eDp5Cg==, X-Tenant = 7"])
        #expect(fields.otlpHeaders == ["authorization": "Basic eDp5Cg==", "x-tenant": "7"])
        #expect(try configuration().otlpHeaders.isEmpty)
        for text in ["hush", "=hush", "a b=hush", "a=hush,", "a=hush,A=hush", "Host=hush", "a=hush\nb: c"] {
            let said = message([], ["OTLP_HEADERS": text])
            #expect(said?.hasPrefix("OTLP_HEADERS") == true && said?.contains("hush") == false, "\(text)")
        }
        #expect(message([], ["TRACE_PERCENT": "0"]) == "TRACE_PERCENT=0 is out of range: use 1 to 100.")
    }

    @Test("registering late and cancelling late are allowed unless the operator says otherwise")
    func commitment() throws {
        let standard = try configuration()
        #expect(standard.registrationCloses == .late && standard.cancelUntil == .end)
        let strict = try configuration(
            ["--registration-closes", "lead"], ["CANCEL_UNTIL": "opening"])
        #expect(strict.registrationCloses == .lead && strict.cancelUntil == .opening)
        #expect(
            message([], ["REGISTRATION_CLOSES": "early"])
                == "REGISTRATION_CLOSES=early is not one of these: use late, lead.")
        #expect(
            message([], ["CANCEL_UNTIL": "never"])
                == "CANCEL_UNTIL=never is not one of these: use end, opening.")
    }

    @Test("lengths of slots are minutes on a grid, and what makes no sense says why")
    func lengths() throws {
        #expect(try configuration().slotLengths.isEmpty)
        let set = try configuration([], ["SLOT_LENGTHS": "50, 25", "SLOT_GRID": "15"])
        #expect(set.slotLengths == [50, 25] && set.slotGridMinutes == 15)
        #expect(set.leadSeconds == 60 && set.lateSeconds == 300)
        #expect(try configuration(["--slot-lengths", "5"], ["LATE_SECONDS": "300"]).slotGridMinutes == 30)
        for (settings, words) in [
            (["SLOT_LENGTHS": "25,x"], "x, which is no length"),
            (["SLOT_LENGTHS": "4"], "4, which is no length"),
            (["SLOT_LENGTHS": "241"], "241, which is no length"), (["SLOT_LENGTHS": "25 25"], "25 twice"),
            (["SLOT_LENGTHS": "5,6,7,8,9,10,11,12,13"], "has 9 lengths"),
            (["SLOT_LENGTHS": "25", "SLOT_GRID": "7"], "does not divide a day"),
            (["SLOT_LENGTHS": "25", "SLOT_GRID": "0"], "out of range"),
            (["SLOT_LENGTHS": "25", "SLOT_GRID": "480"], "out of range"),
            (["SLOT_GRID": "15"], "no effect without SLOT_LENGTHS"),
            (["SLOT_LENGTHS": "50,25", "LATE_SECONDS": "1501"], "(SLOT_LENGTHS=50,25): use 0 to 1500"),
            (["SLOT_LENGTHS": "5", "LEAD_SECONDS": "301"], "(SLOT_LENGTHS=5): use 0 to 300"),
        ] {
            let message = message([], settings)
            #expect(message?.contains(words) == true, "\(settings): \(message ?? "")")
            #expect(message?.contains("\n") == false)
        }
    }

    @Test("an empty variable is an unset one")
    func emptyVariable() throws {
        let empty = ["PORT": "", "DATABASE_URL": "", "SSL_CERT_FILE": ""]
        #expect(try configuration([], empty) == ServerConfiguration())
    }

    @Test("trusted authorities can be set by the variable that other programs read too")
    func authorities() throws {
        #expect(try configuration([], ["SSL_CERT_FILE": "/etc/own.pem"]).authoritiesFile == "/etc/own.pem")
    }

    @Test("a value may come from a file, without its last line's end", arguments: [true, false])
    func files(asFlag: Bool) throws {
        let files = ["/run/url": "postgresql://db/x\n"]
        let read = try configuration(
            asFlag ? ["--database-url-file", "/run/url"] : [],
            asFlag ? [:] : ["DATABASE_URL_FILE": "/run/url"], files: files)
        #expect(read.databaseURL == "postgresql://db/x")
    }

    @Test("a value and its file together, and a file that is not there, stop the start")
    func fileErrors() {
        #expect(throws: ConfigurationError.givenTwice("PORT", "PORT_FILE")) {
            try configuration([], ["PORT": "1", "PORT_FILE": "/f"])
        }
        #expect(throws: ConfigurationError.givenTwice("--port", "--port-file")) {
            try configuration(["--port=1", "--port-file=/f"])
        }
        #expect(
            message([], ["PORT_FILE": "/f"]) == "PORT_FILE=/f cannot be read: No such file or directory.")
    }

    @Test(
        "a value that makes no sense is named in one line, with the reason",
        arguments: [
            (
                "LEAD_SECONDS", "1801",
                "LEAD_SECONDS=1801 is beyond the slot (SLOT_SECONDS=1800): use 0 to 1800."
            ),
            ("LATE_SECONDS", "86401", "LATE_SECONDS=86401 is out of range: use 0 to 86400."),
            ("WORKERS", "0", "WORKERS=0 is out of range: use 1 to 256."),
            ("WORKERS", "257", "WORKERS=257 is out of range: use 1 to 256."),
            ("PORT", "65536", "PORT=65536 is out of range: use 0 to 65535."),
            ("PORT", "+80", "PORT=+80 is not a whole number: use 0 to 65535."),
            ("PORT", "-1", "PORT=-1 is out of range: use 0 to 65535."),
            ("PORT", "-", "PORT=- is not a whole number: use 0 to 65535."),
            ("ROOM_SIZE", "1", "ROOM_SIZE=1 is out of range: use 2 to 64."),
            ("ROOM_SIZE", "65", "ROOM_SIZE=65 is out of range: use 2 to 64."),
            ("MAX_DAYS_AHEAD", "367", "MAX_DAYS_AHEAD=367 is out of range: use 1 to 366."),
            ("PING_SECONDS", "3601", "PING_SECONDS=3601 is out of range: use 1 to 3600."),
            ("HEADER_TIMEOUT_SECONDS", "0", "HEADER_TIMEOUT_SECONDS=0 is out of range: use 1 to 300."),
            ("HEADER_TIMEOUT_SECONDS", "301", "HEADER_TIMEOUT_SECONDS=301 is out of range: use 1 to 300."),
            ("BODY_TIMEOUT_SECONDS", "0", "BODY_TIMEOUT_SECONDS=0 is out of range: use 1 to 3600."),
            ("IDLE_TIMEOUT_SECONDS", "3601", "IDLE_TIMEOUT_SECONDS=3601 is out of range: use 1 to 3600."),
            ("MAX_CONNECTIONS", "0", "MAX_CONNECTIONS=0 is out of range: use 1 to 1000000."),
            ("MAX_CONNECTIONS", "many", "MAX_CONNECTIONS=many is not a whole number: use 1 to 1000000."),
            (
                "BUFFER_MIB", "7", "BUFFER_MIB=7 is out of range: use 8 to 1048576."
            ),
            (
                "MAX_CONNECTIONS_PER_ADDRESS", "-1",
                "MAX_CONNECTIONS_PER_ADDRESS=-1 is out of range: use 0 to 1000000."
            ),
            ("ALES_PER_SECOND", "x\ny", "ALES_PER_SECOND=x\\ny is not a whole number: use 0 to 1000000."),
            ("MISPLACED", "on", "MISPLACED=on is not one of these: use off, x-accel."),
            ("LOG_LEVEL", "loud", "LOG_LEVEL=loud is not one of these: use debug, info, warning, error."),
            (
                "SLOT_SECONDS", "7000",
                "SLOT_SECONDS=7000 does not divide a day: use a divisor of 86400, such as 900, 1800 or 3600."
            ),
        ])
    func nonsense(name: String, value: String, line: String) {
        #expect(message([], [name: value]) == line)
        let flag = "--" + name.lowercased().split(separator: "_").joined(separator: "-")
        #expect(message(["\(flag)=\(value)"]) == line)
    }

    @Test("secrets do not show in messages", arguments: ["DATABASE_URL", "TICKET_KEY", "CLUSTER_KEY"])
    func secrets(name: String) throws {
        let line = try #require(message([], [name: "hunter2"]))
        #expect(line.hasPrefix("\(name) ") && !line.contains("hunter2"))
    }

    @Test("a short slot takes the default lead and lateness with it, explicit ones must fit")
    func shortSlot() throws {
        let short = try configuration(["--slot-seconds", "20"])
        #expect(short.leadSeconds == 20 && short.lateSeconds == 20)
        #expect(try configuration(["--slot-seconds=60", "--lead-seconds=60"]).leadSeconds == 60)
        #expect(
            message(["--slot-seconds=60", "--lead-seconds=90"])
                == "LEAD_SECONDS=90 is beyond the slot (SLOT_SECONDS=60): use 0 to 60.")
    }

    @Test("a mistyped flag is refused, with what was meant")
    func typo() {
        #expect(message(["--prot", "1"]) == "unknown flag --prot: did you mean --port?")
        #expect(message(["--frobnicate", "1"]) == "unknown flag --frobnicate. See --help.")
        #expect(message(["--port"]) == "--port needs a value.")
        #expect(message(["--port", "--host", "x"]) == "--port needs a value.")
        #expect(message(["stray"]) == "unexpected argument stray. See --help.")
    }

    @Test("a key that signs needs 32 characters", arguments: [31, 32])
    func keys(length: Int) {
        let key = String(repeating: "k", count: length)
        #expect((try? configuration([], ["TICKET_KEY": key]))?.ticketKey == (length < 32 ? nil : key))
        #expect((try? configuration([], ["CLUSTER_KEY": key]))?.clusterKey == (length < 32 ? nil : key))
    }

    @Test(
        "other servers reach this one by plain http at a host and a port",
        arguments: [
            ("http://10.0.0.7:8080", "http://10.0.0.7:8080"), ("http://[fd00::1]:80/", "http://[fd00::1]:80"),
            ("http://letsswitch-0.letsswitch", "http://letsswitch-0.letsswitch"),
            ("https://10.0.0.7", nil), ("http://10.0.0.7/path", nil), ("10.0.0.7:8080", nil),
        ])
    func internalURL(given: String, kept: String?) {
        #expect((try? configuration([], ["INTERNAL_URL": given]))?.explicitInternalURL == kept)
    }

    @Test("a port of its own for other servers is left out, or one of all")
    func internalPort() throws {
        #expect(try configuration().internalPort == nil)
        #expect(try configuration(["--internal-port", "0"]).internalPort == 0)
        #expect(
            message(["--internal-port", "65536"])
                == "INTERNAL_PORT=65536 is out of range: use 0 to 65535.")
    }

    @Test(
        "the balancer's name of a server has few characters, since it stands in URLs",
        arguments: [
            ("server-1", true), ("A_b.9", true), (String(repeating: "n", count: 63), true),
            (String(repeating: "n", count: 64), false), ("one two", false), ("a&b", false), ("é", false),
        ])
    func serverName(given: String, isKept: Bool) {
        #expect((try? configuration([], ["SERVER_NAME": given]))?.serverName == (isKept ? given : nil))
    }
}

@Suite("The memory of a server")
struct ServerMemoryTests {
    private func memory(_ files: [String: String]) -> Int {
        ServerConfiguration.memory { path throws(SystemError) in
            guard let text = files[path] else { throw .failed(call: "open", errno: ENOENT) }
            return text
        }
    }

    @Test("is that of the machine, or the least limit of the control groups around the process")
    func limits() {
        let machine = memory([:])
        #expect(machine > 64 << 20)
        let own = ["/proc/self/cgroup": "0::/system.slice/letsswitch.service\n"]
        let root = "/sys/fs/cgroup"
        let service = root + "/system.slice/letsswitch.service/memory.max"
        #expect(memory(own) == machine)
        #expect(memory(own.merging([service: "33554432\n"]) { $1 }) == 32 << 20)
        #expect(memory(own.merging([service: "max\n"]) { $1 }) == machine)
        let outer = [service: "33554432\n", root + "/system.slice/memory.max": "16777216\n"]
        #expect(memory(own.merging(outer) { $1 }) == 16 << 20)
        #expect(memory(["/proc/self/cgroup": "0::/\n", root + "/memory.max": "8388608\n"]) == 8 << 20)
    }
}
