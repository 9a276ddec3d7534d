import Codecs
import TestKit
import Testing

@testable import Postgres

struct ConfigurationTests {
    @Test("a URL and key=value pairs are read alike")
    func forms() throws {
        for url in [
            "postgresql://ann:secret@db.example:5433/app", "postgres://ann:secret@db.example:5433/app",
            "host=db.example port=5433 user=ann password=secret dbname=app",
        ] {
            let configuration = try PostgresConfiguration(url: url)
            #expect(configuration.description == "ann@db.example:5433/app")
            let target = ConnectionTarget(host: "db.example", address: nil, port: 5433)
            #expect(try configuration.targets() == [target])
            #expect(configuration.parameters(for: target)["password"] == "secret")
        }
    }

    @Test(
        "nonsense is refused, and no error quotes the password",
        arguments: [
            "postgresql://ann:secret%zz@host/app", "secret", "host=a port=secret", "host=a port=0",
            "host=a,b,c port=1,2",
            "postgresql://ann:secret@host/app?nonsense=1", "service=x password=secret",
        ])
    func nonsense(url: String) throws {
        let error = try #require(throws: PostgresError.self) { try PostgresConfiguration(url: url) }
        guard case .configuration(let message) = error else { throw TestError("\(error)") }
        #expect(url.contains("port=secret") || !message.contains("secret"))
    }

    @Test("what the connection string sets goes before our limits, and is no parameter of the connection")
    func options() throws {
        let configuration = try PostgresConfiguration(
            url: "host=/tmp options='-c Lock_Timeout=1 --search-path=a\\\\ b -cjit=on -c x.y=p=q -e'")
        let settings = configuration.settingsOfSession()
        #expect(settings["statement_timeout"] == "10000" && settings["lock_timeout"] == "1")
        #expect(settings["search_path"] == "a b" && settings["jit"] == "on" && settings["x.y"] == "p=q")
        #expect(settings["client_connection_check_interval"] == "1s")
        #expect(Set(settings.names).count == settings.names.count)
        let target = try configuration.targets()[0]
        #expect(configuration.parameters(for: target)["options"] == "-e")
        let plain = try PostgresConfiguration(url: "host=/tmp options='-c lock_timeout=1'")
        #expect(plain.parameters(for: target)["options"] == nil)
    }

    @Test("flags that are no settings stay as they were")
    func flags() {
        for (options, rest) in [
            ("", ""), ("  ", ""), ("-e", "-e"), ("-S 64 -c a=b -O", "-S 64 -O"), ("-c", "-c"),
            ("-c a", "-c a"),
            ("-B a\\ b", "-B a\\ b"), ("--x", "--x"), ("--x=", ""), ("-cx=1\\\\", ""),
        ] {
            var settings = SessionSettings()
            #expect(settings.take(options: options) == rest, "\(options)")
        }
    }

    @Test("programs of PostgreSQL get everything in their environment, the password too")
    func environment() throws {
        let configuration = try PostgresConfiguration(
            url: "postgresql://aiko:secret@one.example,two.example:5433/switch?sslmode=require")
        let environment = try configuration.programEnvironment()
        #expect(environment["PGHOST"] == "one.example,two.example")
        #expect(environment["PGPORT"] == ",5433")
        #expect(environment["PGUSER"] == "aiko")
        #expect(environment["PGPASSWORD"] == "secret")
        #expect(environment["PGDATABASE"] == "switch")
        #expect(environment["PGSSLMODE"] == "require")
        #expect(try PostgresConfiguration(url: "user=ben").programEnvironment()["PGDATABASE"] == "ben")
        #expect(throws: PostgresError.self) {
            try PostgresConfiguration(url: "sslpassword=hidden").programEnvironment()
        }
    }

    @Test("several hosts make several targets, in order")
    func severalHosts() throws {
        let targets = try ConnectionTarget.list(hosts: "a,/run,b", addresses: ",,10.0.0.1", ports: "1,2,3")
        #expect(
            targets == [
                ConnectionTarget(host: "a", address: nil, port: 1),
                ConnectionTarget(host: "/run", address: nil, port: 2),
                ConnectionTarget(host: "b", address: "10.0.0.1", port: 3),
            ])
        #expect(targets.map(\.isResolved) == [false, true, true])
    }

    @Test("waiting between attempts doubles up to a second")
    func backoff() {
        for (failures, longest) in [(1, 50), (2, 100), (3, 200), (6, 1000), (1_000_000, 1000)] {
            let delay = PostgresConfiguration.reconnecting.delay(afterFailures: failures)
            #expect(delay >= .milliseconds(longest / 2) && delay <= .milliseconds(longest))
        }
    }

    @Test("an identifier is quoted, whatever it contains")
    func quoting() {
        #expect(quoted("plain") == "\"plain\"")
        #expect(quoted("a\"b\0c") == "\"a\"\"bc\"")
    }
}
