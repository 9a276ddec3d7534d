import CPostgres

/// Where the database is, and how patient we are with it.
package struct PostgresConfiguration: Sendable, CustomStringConvertible {
    /// Connections of one pool; every loop has a pool.
    package var poolSize = 4
    /// Callers that may wait for a connection of one pool; more are refused at once.
    package var maximumWaiters = 256
    /// How long a caller waits for a connection.
    package var acquireTimeout = Duration.milliseconds(2500)
    /// A connection that nobody has used for that long is closed, or a little later; one of a pool is kept.
    package var idleTimeout = Duration.seconds(60)
    /// For finding the addresses and trying them all.
    package var connectTimeout = Duration.seconds(3)
    /// After that the server cancels a statement; a second later the connection is given up.
    package var statementTimeout = Duration.seconds(10)
    /// After that the server gives up waiting for a lock.
    package var lockTimeout = Duration.seconds(5)
    /// After that the server ends a session that sits in an open transaction, which may hold locks.
    package var idleInTransactionTimeout = Duration.seconds(60)
    /// What else the server's sessions begin with, unless the connection string says otherwise: names and
    /// values, without spaces.
    package var sessionSettings: [(name: String, value: String)] = [
        // What was answered as stored is stored, whatever the database's own default is.
        (name: "synchronous_commit", value: "on")
    ]
    /// Statements that a connection keeps prepared; further ones are parsed each time.
    package var maximumPreparedStatements = 200
    /// What the server shows in `pg_stat_activity`, unless the connection string says otherwise.
    package var applicationName = "letsswitch"

    /// libpq's parameters as given.
    private let settings: [String: String]
    /// The same, with libpq's environment variables and defaults for what was not given.
    private let effective: [String: String]

    /// Takes `postgresql://…` and `key=value …`; what is left out comes from libpq's environment variables.
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
        self.effective = effective.merging(settings) { _, given in given }
        _ = try targets()
    }

    /// The hosts to try, in order.
    func targets() throws(PostgresError) -> [ConnectionTarget] {
        try ConnectionTarget.list(
            hosts: effective["host"] ?? "", addresses: effective["hostaddr"] ?? "",
            ports: effective["port"] ?? "")
    }

    /// The parameters for one address of one host.
    func parameters(for target: ConnectionTarget) -> [String: String] {
        var parameters = settings
        parameters["host"] = target.host
        parameters["hostaddr"] = target.address
        parameters["port"] = String(target.port)
        parameters["client_encoding"] = "UTF8"
        parameters["application_name"] = effective["application_name"] ?? applicationName
        // A look for Kerberos credentials may ask the network, and libpq does it while everybody waits.
        parameters["gssencmode"] = effective["gssencmode"].flatMap { $0 == "prefer" ? nil : $0 } ?? "disable"
        let limits = [
            ("statement_timeout", statementTimeout), ("lock_timeout", lockTimeout),
            ("idle_in_transaction_session_timeout", idleInTransactionTimeout),
        ]
        // The last one counts, so what the connection string says goes before our limits.
        let options =
            limits.map { "-c \($0)=\($1.wholeMilliseconds)" }
            + sessionSettings.map { "-c \($0.name)=\($0.value)" }
        parameters["options"] = (options + [effective["options"] ?? ""]).joined(separator: " ")
        return parameters
    }

    /// Without the password.
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
    var wholeMilliseconds: Int64 {
        let (seconds, attoseconds) = components
        return seconds * 1000 + attoseconds / 1_000_000_000_000_000
    }
}
