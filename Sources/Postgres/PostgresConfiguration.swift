import CPostgres
import Codecs
package import Reactor

/// The address of the database, and the limits for connections, waits and statements.
package struct PostgresConfiguration: Sendable, CustomStringConvertible {
    /// The pauses between attempts to connect that have failed.
    static let reconnecting = Backoff(first: .milliseconds(50), longest: .seconds(1), jitter: 0.5...1)

    /// The number of connections in one pool; every loop has a pool.
    package var poolSize = 4
    /// The callers that may wait for a connection; more are refused at once.
    package var waiters = WaiterBudget.process
    /// The longest time that a caller waits for a connection. It is shorter than the time of a request, so
    /// that the last caller to get a connection can use it.
    package var acquireTimeout = Duration.seconds(2)
    /// The time after which an unused connection is closed, or a little later; each pool keeps one.
    package var idleTimeout = Duration.seconds(60)
    /// The time limit for resolving the host names and trying all addresses.
    package var connectTimeout = Duration.seconds(3)
    /// The time after which the server cancels a statement. A second later the connection is given up; the
    /// statements of a pipeline have their times together for that.
    package var statementTimeout = Duration.seconds(10)
    /// The time after which the server gives up waiting for a lock.
    package var lockTimeout = Duration.seconds(5)
    /// The time after which the server ends a session that is idle in an open transaction, which may hold
    /// locks.
    package var idleInTransactionTimeout = Duration.seconds(60)
    /// Further settings of each session, unless the connection string says otherwise. Of a name that comes
    /// twice the last value counts.
    package var sessionSettings: [(name: String, value: String)] = [
        // An acknowledged write is durable, whatever the default of the database is.
        (name: "synchronous_commit", value: "on"),
        // The session of a statement that was given up would keep its locks, and a place at the server, until
        // the statement ends.
        (name: "client_connection_check_interval", value: "1s"),
        // A pool keeps idle sessions, and a listener only waits.
        (name: "idle_session_timeout", value: "0"),
        // Statements are short: compiling one takes longer than running it. Where the system forbids memory
        // that is writable and executable, it fails.
        (name: "jit", value: "off"),
        // The SQL of this program is written for these values, which are PostgreSQL's own defaults.
        (name: "standard_conforming_strings", value: "on"),
        (name: "array_nulls", value: "on"),
        (name: "transform_null_equals", value: "off"),
        (name: "default_transaction_isolation", value: "read committed"),
    ]
    /// The number of statements that a connection keeps prepared; further ones are parsed each time.
    package var maximumPreparedStatements = 200
    /// The texts of the statements that may be kept prepared; nil for all.
    package var preparedStatements: Set<String>?
    /// The name that the server shows in `pg_stat_activity`, unless the connection string says otherwise.
    package var applicationName = "letsswitch"

    /// libpq's parameters as given.
    private let settings: [String: String]
    /// The parameters as given, completed by libpq's environment variables and defaults.
    private let effective: [String: String]
    /// Whether PGOPTIONS is set.
    private let hasOptionsOfEnvironment: Bool

    /// Reads `postgresql://…` or `key=value …`; missing parameters come from libpq's environment variables.
    package init(url: String) throws(PostgresError) {
        var message: UnsafeMutablePointer<CChar>?
        guard let parsed = PQconninfoParse(url, &message) else {
            PQfreemem(message)  // It may quote the password.
            throw .configuration("the database's address is neither a postgresql:// URL nor key=value pairs")
        }
        defer { PQconninfoFree(parsed) }
        settings = Self.values(of: parsed)
        guard settings["service"] == nil else { throw .configuration("service= is not supported") }
        var effective: [String: String] = [:]
        if let defaults = PQconndefaults() {
            effective = Self.values(of: defaults)
            PQconninfoFree(defaults)
        }
        hasOptionsOfEnvironment = effective["options"] != nil
        self.effective = effective.merging(settings) { _, given in given }
        _ = try targets()
    }

    /// Returns the hosts to try, in order.
    func targets() throws(PostgresError) -> [ConnectionTarget] {
        try ConnectionTarget.list(
            hosts: effective["host"] ?? "", addresses: effective["hostaddr"] ?? "",
            ports: effective["port"] ?? "")
    }

    /// Returns the parameters for one address of one host.
    func parameters(for target: ConnectionTarget) -> [String: String] {
        var parameters = settings
        parameters["host"] = target.host
        parameters["hostaddr"] = target.address
        parameters["port"] = String(target.port)
        parameters["client_encoding"] = "UTF8"
        parameters["application_name"] = effective["application_name"] ?? applicationName
        // Looking for Kerberos credentials may use the network, and libpq blocks the loop meanwhile.
        parameters["gssencmode"] = effective["gssencmode"].flatMap { $0 == "prefer" ? nil : $0 } ?? "disable"
        // PgBouncer refuses `options`. libpq takes those of the environment unless it is given others.
        var settings = SessionSettings()
        let flags = settings.take(options: effective["options"] ?? "")
        parameters["options"] = hasOptionsOfEnvironment ? effective["options"] : flags.isEmpty ? nil : flags
        return parameters
    }

    /// Returns the settings that each session makes. Those of the connection string go before all others.
    func settingsOfSession() -> SessionSettings {
        var settings = SessionSettings()
        for (name, limit) in [
            ("statement_timeout", statementTimeout), ("lock_timeout", lockTimeout),
            ("idle_in_transaction_session_timeout", idleInTransactionTimeout),
        ] { settings.set(name, "\(limit.wholeMilliseconds)") }
        for (name, value) in sessionSettings { settings.set(name, value) }
        _ = settings.take(options: effective["options"] ?? "")
        return settings
    }

    /// Returns the variables of the environment by which libpq's programs, such as `pg_dump`, connect to the
    /// same database. The password is among them: it belongs in no command line and in no log.
    package func programEnvironment() throws(PostgresError) -> [String: String] {
        guard settings["sslpassword"] == nil else {
            throw .configuration(
                "sslpassword cannot be handed to PostgreSQL's programs: name a key without one")
        }
        var environment = ["PGAPPNAME": applicationName]
        guard let options = PQconndefaults() else {
            throw .configuration("there is no memory for the parameters of the connection")
        }
        defer { PQconninfoFree(options) }
        var option = options
        while let keyword = option.pointee.keyword {
            // A parameter without a variable tunes the connection, which matters to no program.
            if let name = option.pointee.envvar, let value = effective[String(cString: keyword)] {
                environment[String(cString: name)] = value
            }
            option += 1
        }
        // Without a name of its own a database is called as its user.
        environment["PGDATABASE"] = effective["dbname"] ?? effective["user"]
        return environment
    }

    /// The user, host, port and database, without the password.
    package var description: String {
        let user = effective["user"] ?? ""
        let host = effective["host"] ?? effective["hostaddr"] ?? "local"
        return "\(user)@\(host):\(effective["port"] ?? "")/\(effective["dbname"] ?? user)"
    }

    private static func values(of options: UnsafeMutablePointer<PQconninfoOption>) -> [String: String] {
        var values: [String: String] = [:]
        var option = options
        while let keyword = option.pointee.keyword {
            if let value = option.pointee.val, value.pointee != 0 {
                values[String(cString: keyword)] = String(cString: value)
            }
            option += 1
        }
        return values
    }
}

extension Duration {
    package var wholeMilliseconds: Int64 {
        let (seconds, attoseconds) = components
        return seconds * 1000 + attoseconds / 1_000_000_000_000_000
    }
}
