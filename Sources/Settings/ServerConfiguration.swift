package import Contract
package import Logging
package import Reactor

/// The checked settings of an operator (contract §5). `Setting` has the row of each.
package struct ServerConfiguration: Equatable, Sendable {
    /// The address to listen at, or `unix:` and the path of a socket.
    package var host = "127.0.0.1"
    package var socketMode: UInt32 = 0o660
    /// The group that may connect to the Unix socket; nil for that of the process.
    package var socketGroup: UInt32?
    /// The port; 0 for any free port.
    package var port: UInt16 = 8080
    /// The address of the database; nil for a private cluster under `dataDirectory`.
    package var databaseURL: String?
    /// The least number of connections to PostgreSQL that works.
    package static let leastDatabaseConnections = 10
    /// The number of connections to PostgreSQL that the desk has, of all of them.
    package static let deskConnections = 2
    /// The number of connections to PostgreSQL, of which two servers fit into PostgreSQL's default limit of
    /// 100.
    package var databaseConnections = 40
    /// The public URL that was set; nil for `http://HOST:PORT`, which needs the port that was bound: see
    /// `publicURL(boundTo:)`.
    package var explicitPublicURL: String?
    package var web = Switch.on
    /// The origins of the pages elsewhere that may call the API.
    package var allowedOrigins: [String] = []
    /// The URL at which other servers reach this one; nil for the address that was bound.
    package var explicitInternalURL: String?
    /// The port that only other servers use, 0 for any free one; nil for the public port.
    package var internalPort: UInt16?
    /// Whether `explicitInternalURL` may be a public address without a warning.
    package var internalPublic = Switch.off
    /// The name by which the balancer knows this server; nil if it knows none.
    package var serverName: String?
    /// The port of operators, 0 for any free one; nil for none.
    package var adminPort: UInt16?
    package var adminHost = "127.0.0.1"
    /// The further hosts for which the operators' listener answers.
    package var adminHosts: [String] = []
    package var dataDirectory = ".letsswitch"
    package var workers: Int
    /// How the loops wait for sockets.
    package var reactor = EventLoop.Mechanism.epoll
    package var slotSeconds = 1800
    /// The lengths of slots in minutes that people may choose from, the usual one first; empty where every
    /// slot is `slotSeconds` long.
    package var slotLengths: [Int] = []
    /// The minutes between the starts of slots whose length is chosen.
    package var slotGridMinutes = 30
    /// The seconds before a slot's start at which its room opens. The defaults of this and `lateSeconds` are
    /// limited to the length of a slot; explicit values must fit.
    package var leadSeconds = 60
    package var lateSeconds = 300
    package var registrationCloses = RegistrationClosing.late
    package var cancelUntil = CancellingEnd.end
    package var roomSize = 2
    package var trios = Switch.on
    /// The seconds after a slot's start from which a member who is alone is matched again; beyond the slot,
    /// never.
    package var noShowSeconds = 120
    package var maxDaysAhead = 60
    /// The attendance limit in per cent; 0 for no limit.
    package var attendanceLimit = 0
    /// The number of open registrations of a user below the attendance limit.
    package var openRegistrations = 3
    /// The days for which data are kept; 0 for ever.
    package var retentionDays = 400
    /// The days after which the words of the audit log are erased; 0 for never.
    package var auditDays = 400
    /// The days for which reports are kept; 0 for ever.
    package var reportDays = 365
    package var pingSeconds = 20
    /// The ales per second of one connection; 0 for no limit.
    package var alesPerSecond = 20
    /// How people may make accounts themselves; empty where operators alone make them.
    package var signUps = [SignUpWay.open]
    /// The sign-ups per minute of one address; 0 for no limit, here and for all limits below.
    package var signUpsPerMinute = 60
    /// The requests per second of one address.
    package var requestsPerSecond = 100
    /// The registrations per hour of one address.
    package var registrationsPerHour = 3_000
    package var accountRequestsPerSecond = 20
    package var accountRegistrations = 500
    package var accountRegistrationsPerDay = 500
    package var accountStreams = 16
    package var trustedProxies: [IPNetwork] = []
    package var misplaced = Misplaced.off
    package var headerTimeoutSeconds = 10
    package var bodyTimeoutSeconds = 30
    package var idleTimeoutSeconds = 75
    /// The most connections, as far as the limit of open files allows.
    package var maxConnections = 100_000
    /// The most connections of one address; 0 for no limit.
    package var maxConnectionsPerAddress = 0
    /// The MiB that connections may hold; nil for a share of the memory of the machine.
    package var explicitBufferMiB: Int?
    package var allowPrivateWebhooks = Switch.off
    package var verifyWebhooks = Switch.off
    /// The hosts of browsers' push services; `*.` stands for all hosts below one.
    package var pushServices = knownPushServices
    /// The webhooks per second to one host; 0 for no limit.
    package var webhooksPerSecond = 100
    /// The access to Apple's push service; nil to send nothing to Apple's devices.
    package var apns: APNsConfiguration?
    /// The key for pushes to browsers; nil for one that is created once and stored in the database.
    package var vapidPrivateKey: String?
    /// The subject of VAPID tokens; nil for the public URL.
    package var vapidSubject: String?
    /// The file with the authorities, in PEM, that outbound connections trust; nil for the system's.
    package var authoritiesFile: String?
    /// The key that signs tickets; nil for one that is created once and stored in the database.
    package var ticketKey: String?
    /// The key that signs what servers say to each other; nil for one that is created once and stored in the
    /// database.
    package var clusterKey: String?
    /// The key that signs the audit log; nil for one that is created once and stored in the database.
    package var auditKey: String?
    package var logLevel = Log.Level.info
    package var logFormat = Log.Format.text
    package var accessLog = AccessLogChoice.off
    /// The share of the requests without an error that the access log has, in per cent.
    package var accessLogPercent = 100
    /// The collector of traces; nil to trace nothing.
    package var otlpEndpoint: String?
    /// The fields that are sent to the collector besides, such as its credentials, by name.
    package var otlpHeaders: [String: String] = [:]
    /// The share of requests and deliveries that are traced, in per cent.
    package var tracePercent = 1

    /// The proxy of webhooks, pushes and traces; nil for none.
    package var outboundProxy: ProxyURL?
    /// The hosts that are reached without the proxy.
    package var noOutboundProxy = HostList()

    /// The settings that were given, and where; the rest are defaults.
    package var given = GivenSettings()

    /// The defaults.
    static let standard = ServerConfiguration(cores: 1)

    /// Creates a configuration of defaults.
    package init(cores: Int = ServerConfiguration.cores) { workers = min(max(cores, 1), 256) }

    /// Reads flags, then the environment. Empty variables count as unset, and unknown ones are ignored.
    package init(
        arguments: [String], environment: [String: String],
        readFile: (String) throws -> String = { try SmallFile.read($0) }
    ) throws(ConfigurationError) {
        self.init()
        let values = try SettingValues(
            arguments: arguments, environment: environment, readFile: readFile)
        let reader = SettingReader(values: values)
        given = GivenSettings(values: values.given)
        for setting in Setting.allCases { try setting.read(setting, reader, &self) }
        // This variable is not one of our settings: OpenSSL and most programs that use it read it.
        authoritiesFile = environment["SSL_CERT_FILE"].flatMap { $0.isEmpty ? nil : $0 }
    }

    /// Whether the server listens at a Unix socket.
    package var isAtSocket: Bool { host.hasPrefix("unix:") }

    /// Returns the configuration if a server can start with it.
    func checkedForServing() throws(ConfigurationError) -> ServerConfiguration {
        if isAtSocket, explicitPublicURL == nil {
            throw .invalid(
                name: Setting.host.name, value: host,
                reason: "needs PUBLIC_URL, the URL of the proxy by which clients reach the socket")
        }
        return self
    }

    /// The path of the public URL, below which clients reach the server, such as `/switch`; empty without
    /// one.
    package var basePath: String {
        explicitPublicURL.flatMap { try? WebURL($0) }?.address.path ?? ""
    }

    /// Returns the public URL of a server that has bound the port, without a slash at the end.
    package func publicURL(boundTo port: UInt16) -> String {
        if let explicitPublicURL { return explicitPublicURL }
        return "http://\(WebAddress.authority(host: host, port: port))"
    }
}
