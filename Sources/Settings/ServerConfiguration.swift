package import Logging
package import Reactor

/// All that an operator can set, checked. Contract §5; the defaults are in `Setting`.
package struct ServerConfiguration: Equatable, Sendable {
    package var host = "127.0.0.1"
    /// 0: any free port.
    package var port: UInt16 = 8080
    /// Nil: a private cluster under `dataDirectory`.
    package var databaseURL: String?
    /// Fewer connections to PostgreSQL do not work.
    package static let leastDatabaseConnections = 10
    /// Two servers fit into PostgreSQL's own limit of 100.
    package var databaseConnections = 40
    /// Nil: `http://HOST:PORT`, which needs the port that was bound; see `publicURL(boundTo:)`.
    package var explicitPublicURL: String?
    package var dataDirectory = ".letsswitch"
    package var workers: Int
    package var slotSeconds = 1800
    /// The defaults of this one and the next end at the slot where that is shorter; explicit values must fit.
    package var leadSeconds = 60
    package var lateSeconds = 300
    package var roomSize = 2
    package var trios = Switch.on
    /// Beyond the slot: never.
    package var noShowSeconds = 120
    package var maxDaysAhead = 60
    /// Per cent; 0: no limit.
    package var attendanceLimit = 0
    /// How many open registrations somebody may have who is below the attendance limit.
    package var openRegistrations = 3
    /// 0: for ever.
    package var retentionDays = 400
    package var pingSeconds = 20
    /// 0: no limit.
    package var alesPerSecond = 20
    /// The limit of one address. 0 is no limit, here and for all limits below.
    package var signUpsPerMinute = 60
    /// The limit of one address.
    package var requestsPerSecond = 100
    package var accountRequestsPerSecond = 20
    package var accountRegistrations = 500
    package var accountStreams = 16
    package var trustedProxies: [IPNetwork] = []
    package var headerTimeoutSeconds = 10
    package var bodyTimeoutSeconds = 30
    package var idleTimeoutSeconds = 75
    /// As far as the limit of open files allows.
    package var maxConnections = 100_000
    /// 0: no limit.
    package var maxConnectionsPerAddress = 0
    package var allowPrivateWebhooks = false
    package var verifyWebhooks = Switch.off
    /// To one host; 0: no limit.
    package var webhooksPerSecond = 100
    /// Nil: nothing goes to Apple's devices.
    package var apns: APNsConfiguration?
    /// Nil: made once and kept in the database.
    package var vapidPrivateKey: String?
    /// Nil: the public URL.
    package var vapidSubject: String?
    /// Whom to trust about those that notifications go to, in PEM; nil: the system's authorities.
    package var authoritiesFile: String?
    /// Nil: made once and kept in the database.
    package var ticketKey: String?
    package var logLevel = Log.Level.info
    package var logFormat = Log.Format.text

    /// The defaults.
    package init(cores: Int = ServerConfiguration.cores) { workers = min(max(cores, 1), 256) }

    /// Reads flags, then the environment. Empty variables count as unset, unknown ones are not ours.
    package init(
        arguments: [String], environment: [String: String],
        readFile: (String) throws -> String = { try SmallFile.read($0) }
    ) throws(ConfigurationError) {
        self.init()
        let values = try SettingValues(
            arguments: arguments, environment: environment, readFile: readFile)
        let reader = SettingReader(values: values)
        host = try reader.host() ?? host
        port = UInt16(try reader.integer(.port, 0...65_535, or: Int(port)))
        databaseURL = try reader.databaseURL()
        databaseConnections = try reader.integer(
            .databaseConnections, Self.leastDatabaseConnections...10_000, or: databaseConnections)
        explicitPublicURL = try reader.publicURL()
        dataDirectory = try reader.path(.dataDirectory) ?? dataDirectory
        workers = try reader.integer(.workers, 1...256, or: workers)
        slotSeconds = try reader.slotSeconds(or: slotSeconds)
        leadSeconds = try reader.withinSlot(.leadSeconds, slotSeconds, or: leadSeconds)
        lateSeconds = try reader.withinSlot(.lateSeconds, slotSeconds, or: lateSeconds)
        roomSize = try reader.integer(.roomSize, 2...64, or: roomSize)
        trios = try reader.choice(.trios, or: trios)
        noShowSeconds = try reader.integer(.noShowSeconds, 0...86_400, or: noShowSeconds)
        maxDaysAhead = try reader.integer(.maxDaysAhead, 1...366, or: maxDaysAhead)
        attendanceLimit = try reader.integer(.attendanceLimit, 0...100, or: attendanceLimit)
        openRegistrations = try reader.integer(.openRegistrations, 1...1000, or: openRegistrations)
        retentionDays = try reader.retentionDays(or: retentionDays)
        pingSeconds = try reader.integer(.pingSeconds, 1...3600, or: pingSeconds)
        alesPerSecond = try reader.integer(.alesPerSecond, 0...1_000_000, or: alesPerSecond)
        signUpsPerMinute = try reader.integer(.signUpsPerMinute, 0...1_000_000, or: signUpsPerMinute)
        requestsPerSecond = try reader.integer(.requestsPerSecond, 0...1_000_000, or: requestsPerSecond)
        accountRequestsPerSecond = try reader.integer(
            .accountRequestsPerSecond, 0...1_000_000, or: accountRequestsPerSecond)
        accountRegistrations = try reader.integer(
            .accountRegistrations, 0...1_000_000, or: accountRegistrations)
        accountStreams = try reader.integer(.accountStreams, 0...1_000_000, or: accountStreams)
        trustedProxies = try reader.networks(.trustedProxies)
        headerTimeoutSeconds = try reader.integer(.headerTimeoutSeconds, 1...300, or: headerTimeoutSeconds)
        bodyTimeoutSeconds = try reader.integer(.bodyTimeoutSeconds, 1...3600, or: bodyTimeoutSeconds)
        idleTimeoutSeconds = try reader.integer(.idleTimeoutSeconds, 1...3600, or: idleTimeoutSeconds)
        maxConnections = try reader.integer(.maxConnections, 1...1_000_000, or: maxConnections)
        maxConnectionsPerAddress = try reader.integer(
            .maxConnectionsPerAddress, 0...1_000_000, or: maxConnectionsPerAddress)
        allowPrivateWebhooks = try reader.flag(.allowPrivateWebhooks)
        verifyWebhooks = try reader.choice(.verifyWebhooks, or: verifyWebhooks)
        webhooksPerSecond = try reader.integer(.webhooksPerSecond, 0...1_000_000, or: webhooksPerSecond)
        apns = try reader.apns()
        vapidPrivateKey = try reader.vapidPrivateKey()
        vapidSubject = try reader.vapidSubject(publicURL: explicitPublicURL)
        // No setting of ours: OpenSSL and most programs that use it read this variable.
        authoritiesFile = environment["SSL_CERT_FILE"].flatMap { $0.isEmpty ? nil : $0 }
        ticketKey = try reader.ticketKey()
        logLevel = try reader.choice(.logLevel, or: logLevel)
        logFormat = try reader.choice(.logFormat, or: logFormat)
    }

    /// How clients reach the server that has bound the port, without a slash at the end.
    package func publicURL(boundTo port: UInt16) -> String {
        if let explicitPublicURL { return explicitPublicURL }
        return host.contains(":") ? "http://[\(host)]:\(port)" : "http://\(host):\(port)"
    }
}
