import Contract

/// A setting of the server: the one table behind parsing, `--help` and docs/operate/settings.md.
package struct Setting: Hashable, Sendable {
    /// The name in the environment.
    package let name: String
    /// Whether the value must not appear in a message or a log.
    package var isSecret = false
    /// The default, for people.
    package let standard: String
    package let meaning: String
    /// The bounds of a whole number.
    var bounds: ClosedRange<Int>?
    /// Reads the value into the configuration.
    let read: @Sendable (Setting, SettingReader, inout ServerConfiguration) throws(ConfigurationError) -> Void

    package static func == (one: Setting, other: Setting) -> Bool { one.name == other.name }

    package func hash(into hasher: inout Hasher) { hasher.combine(name) }

    /// The name of the file's variant in the environment.
    package var fileName: String { "\(name)_FILE" }

    /// The name in `--kebab-case`.
    package var flag: String {
        "--" + String(name.map { $0 == "_" ? "-" : Character($0.lowercased()) })
    }

    package var fileFlag: String { "\(flag)-file" }

    /// The settings by their subject, in the order of `--help` and of docs/operate/settings.md.
    package static let groups: KeyValuePairs = [
        "Addresses and proxies": [
            host, port, publicURL, trustedProxies, socketMode, socketGroup, web, allowedOrigins,
        ],
        "Database": [databaseURL, databaseConnections, dataDirectory],
        "Several servers": [
            internalURL, internalPort, internalPublic, serverName, ticketKey, clusterKey, misplaced,
        ],
        "Desk and metrics": [adminPort, adminHost, adminHosts, auditKey],
        "Slots and rooms": [
            slotSeconds, slotLengths, slotGrid, leadSeconds, lateSeconds, registrationCloses, cancelUntil,
            maxDaysAhead, roomSize, trios, noShowSeconds, pingSeconds, alesPerSecond,
        ],
        "Accounts and rates": [
            signUps, signUpsPerMinute, requestsPerSecond, registrationsPerHour, accountRequestsPerSecond,
            accountRegistrations, accountRegistrationsPerDay, accountStreams, attendanceLimit,
            openRegistrations,
        ],
        "Connections": [
            workers, reactor, maxConnections, maxConnectionsPerAddress, bufferMiB, headerTimeoutSeconds,
            bodyTimeoutSeconds, idleTimeoutSeconds,
        ],
        "Webhooks and pushes": [
            allowPrivateWebhooks, verifyWebhooks, webhooksPerSecond, pushServices, vapidPrivateKey,
            vapidSubject, apnsKey, apnsKeyID, apnsTeamID, apnsTopic, apnsURL, outboundProxy, noOutboundProxy,
        ],
        "Retention": [retentionDays, auditDays, reportDays],
        "Logs and traces": [
            logLevel, logFormat, accessLog, accessLogPercent, otlpEndpoint, otlpHeaders, tracePercent,
        ],
    ]

    /// All settings in the order of their groups.
    package static let allCases = groups.flatMap(\.value)

    static let host = kept(
        "HOST", \.host, SettingReader.listeningHost,
        "Address to listen on, or unix: and the absolute path of a socket, which needs PUBLIC_URL.")
    static let socketMode = given(
        "SOCKET_MODE", \.socketMode, "0660", SettingReader.fileMode,
        "Permissions of the socket's file in octal. 0 to 0777.")
    static let socketGroup = given(
        "SOCKET_GROUP", \.socketGroup, "that of the process", SettingReader.group,
        "Group of the socket's file: a name or a number.")
    static let port = kept(
        "PORT", \.port, SettingReader.port, "Port to listen on. 0 to 65535; 0 takes any free port.")
    package static let databaseURL = given(
        "DATABASE_URL", isSecret: true, \.databaseURL, "none", SettingReader.databaseURL,
        "PostgreSQL as a URL or key=value pairs. Without it the server runs a private cluster in DATA_DIR.")
    static let databaseConnections = kept(
        "DATABASE_CONNECTIONS", \.databaseConnections, SettingReader.databaseConnections,
        "Connections to PostgreSQL that the server may open. 10, or 12 with ADMIN_PORT, to 10000.")
    static let publicURL = given(
        "PUBLIC_URL", \.explicitPublicURL, "http://HOST:PORT", SettingReader.publicURL,
        "URL at which clients reach the server, with a path if any. Sockets, invites and calendars use it.")
    static let web = choice("WEB", \.web, "Whether the server has the page for browsers: on or off.")
    static let allowedOrigins = given(
        "ALLOWED_ORIGINS", \.allowedOrigins, "none", SettingReader.origins,
        "Origins whose pages may call the API, such as https://app.example.org,capacitor://localhost.")
    static let internalURL = given(
        "INTERNAL_URL", \.explicitInternalURL, "the bound address", SettingReader.internalURL,
        "URL at which other servers of the same database reach this one, as http://host:port.")
    static let internalPort = given(
        "INTERNAL_PORT", \.internalPort, "PORT", SettingReader.port,
        "Port for other servers only. 0 to 65535; 0 takes any free port.")
    static let internalPublic = choice(
        "INTERNAL_PUBLIC", \.internalPublic,
        "Whether INTERNAL_URL may be a public address without a warning: on or off.")
    static let serverName = given(
        "SERVER_NAME", \.serverName, "none", SettingReader.serverName,
        "Name of this server for the balancer: up to 63 letters, digits, underscores, dots and hyphens.")
    static let adminPort = given(
        "ADMIN_PORT", \.adminPort, "none", SettingReader.port,
        "Port of the desk and of /metrics. 0 to 65535; 0 takes any free port. Without it there is no desk.")
    static let adminHost = kept(
        "ADMIN_HOST", \.adminHost, SettingReader.host, "Address at which ADMIN_PORT listens.")
    static let adminHosts = given(
        "ADMIN_HOSTS", \.adminHosts, "none", SettingReader.hosts,
        "Host names for which ADMIN_PORT answers, in addition to ADMIN_HOST and localhost.")
    static let dataDirectory = kept(
        "DATA_DIR", \.dataDirectory, SettingReader.path, "Folder of the private cluster and of open rooms.")
    static let workers = integer(
        "WORKERS", \.workers, 1...256, standard: "number of cores",
        "Event loops that serve clients. {bounds}.")
    static let reactor = choice(
        "REACTOR", \.reactor,
        "How event loops wait for sockets: epoll, uring, or auto (uring if the kernel permits it).")
    static let slotSeconds = kept(
        "SLOT_SECONDS", \.slotSeconds, SettingReader.slotSeconds,
        "Length of a slot in seconds. A divisor of 86400, one day.")
    static let slotLengths = given(
        "SLOT_LENGTHS", \.slotLengths, "none", SettingReader.slotLengths,
        "Lengths of slots in minutes from which users choose, the usual one first, such as 25,50. Up to 8, "
            + "each 5 to 240. Replaces SLOT_SECONDS.")
    static let slotGrid = kept(
        "SLOT_GRID", \.slotGridMinutes, SettingReader.slotGrid,
        "Minutes between the starts of slots if SLOT_LENGTHS is set. A divisor of 1440, up to 240.")
    static let leadSeconds = kept(
        "LEAD_SECONDS", \.leadSeconds, SettingReader.withinSlot,
        "Seconds before the slot starts at which its room opens. 0 to the length of the shortest slot.")
    static let lateSeconds = kept(
        "LATE_SECONDS", \.lateSeconds, SettingReader.withinSlot,
        "Seconds after the start in which users can still register. 0 to the length of the shortest slot.")
    static let registrationCloses = choice(
        "REGISTRATION_CLOSES", \.registrationCloses,
        "When registration ends: late (LATE_SECONDS after the start) or lead (when the rooms open).")
    static let cancelUntil = choice(
        "CANCEL_UNTIL", \.cancelUntil, "When cancelling ends: end (of the slot) or opening (of its rooms).")
    static let roomSize = integer(
        "ROOM_SIZE", \.roomSize, 2...64, "Usual number of people in a room. {bounds}.")
    static let trios = choice(
        "TRIOS", \.trios,
        "Whether the last person of an odd number joins a pair: on, or off (one stays alone, in turn).")
    static let noShowSeconds = integer(
        "NO_SHOW_SECONDS", \.noShowSeconds, 0...86_400,
        "Seconds after the start at which members without a present partner are rematched. {bounds}. Longer "
            + "than the slot: never.")
    static let maxDaysAhead = integer(
        "MAX_DAYS_AHEAD", \.maxDaysAhead, 1...366, "Days ahead for which users can register. {bounds}.")
    static let attendanceLimit = integer(
        "ATTENDANCE_LIMIT", \.attendanceLimit, 0...100,
        "Minimum attendance in percent. Accounts below it may hold at most OPEN_REGISTRATIONS "
            + "registrations. {bounds}; 0 disables the rule.")
    static let openRegistrations = integer(
        "OPEN_REGISTRATIONS", \.openRegistrations, 1...1000,
        "Registrations that an account below ATTENDANCE_LIMIT may hold. {bounds}.")
    static let retentionDays = kept(
        "RETENTION_DAYS", \.retentionDays, SettingReader.retentionDays,
        "Age in days at which closed slots are removed, counted from their start. 45 to 36500; 0 keeps all.")
    static let auditDays = integer(
        "AUDIT_DAYS", \.auditDays, 0...36_500,
        "Days after which personal texts of the audit log are erased. 1 to {most}; 0 keeps all.")
    static let reportDays = integer(
        "REPORT_DAYS", \.reportDays, 0...36_500,
        "Days after which reports are removed. 1 to {most}; 0 keeps all.")
    static let pingSeconds = integer(
        "PING_SECONDS", \.pingSeconds, 1...3600, "Seconds between pings on a socket. {bounds}.")
    static let alesPerSecond = integer(
        "ALES_PER_SECOND", \.alesPerSecond, 0...1_000_000,
        "Ales and statuses per second and connection, twice as many at once. {bounds}; 0 means no limit.")
    static let signUps = given(
        "SIGNUPS", \.signUps, SignUpWay.open.rawValue, SettingReader.signUps,
        "How accounts are created: open, closed (only operators create them), code (with a code from an "
            + "operator), invite (with an invite), or code,invite.")
    static let signUpsPerMinute = integer(
        "SIGNUPS_PER_MINUTE", \.signUpsPerMinute, 0...1_000_000,
        "New accounts per minute and address, in bursts of as many. {bounds}; 0 means no limit.")
    static let requestsPerSecond = integer(
        "REQUESTS_PER_SECOND", \.requestsPerSecond, 0...1_000_000,
        "Requests per second and address, in bursts of twice as many. {bounds}; 0 means no limit.")
    static let accountRequestsPerSecond = integer(
        "ACCOUNT_REQUESTS_PER_SECOND", \.accountRequestsPerSecond, 0...1_000_000,
        "Requests per second and account, in bursts of three times as many. {bounds}; 0 means no limit.")
    static let registrationsPerHour = integer(
        "REGISTRATIONS_PER_HOUR", \.registrationsPerHour, 0...1_000_000,
        "Registrations per hour and address, in bursts of as many. {bounds}; 0 means no limit.")
    static let accountRegistrations = integer(
        "ACCOUNT_REGISTRATIONS", \.accountRegistrations, 0...1_000_000,
        "Registrations of one account whose slots have not ended. {bounds}; 0 means no limit.")
    static let accountRegistrationsPerDay = integer(
        "ACCOUNT_REGISTRATIONS_PER_DAY", \.accountRegistrationsPerDay, 0...1_000_000,
        "Registrations that one account makes in a day (UTC). A new account has 150, and 150 more each day. "
            + "{bounds}; 0 means no limit.")
    static let accountStreams = integer(
        "ACCOUNT_STREAMS", \.accountStreams, 0...1_000_000,
        "Event streams of one account. {bounds}; 0 means no limit.")
    static let trustedProxies = given(
        "TRUSTED_PROXIES", \.trustedProxies, "none", SettingReader.networks,
        "Addresses or networks of the proxies whose Forwarded or X-Forwarded-For header names the client.")
    static let misplaced = choice(
        "MISPLACED", \.misplaced,
        "Obsolete: off, or x-accel, which has no effect. Remove it; a later version refuses it.")
    static let headerTimeoutSeconds = integer(
        "HEADER_TIMEOUT_SECONDS", \.headerTimeoutSeconds, 1...300,
        "Seconds within which the header of a request must arrive. {bounds}.")
    static let bodyTimeoutSeconds = integer(
        "BODY_TIMEOUT_SECONDS", \.bodyTimeoutSeconds, 1...3600,
        "Seconds within which the body of a request must arrive. {bounds}.")
    static let idleTimeoutSeconds = integer(
        "IDLE_TIMEOUT_SECONDS", \.idleTimeoutSeconds, 1...3600,
        "Seconds that a connection may be idle between requests. {bounds}.")
    static let maxConnections = integer(
        "MAX_CONNECTIONS", \.maxConnections, 1...1_000_000,
        "Open connections. {bounds}; fewer if the limit of open files is lower.")
    static let maxConnectionsPerAddress = integer(
        "MAX_CONNECTIONS_PER_ADDRESS", \.maxConnectionsPerAddress, 0...1_000_000,
        "Open connections of one address. {bounds}; 0 means no limit.")
    static let bufferMiB = integer(
        "BUFFER_MIB", \.explicitBufferMiB, 8...1_048_576, standard: "a quarter of the memory",
        "MiB that request heads, bodies and output of all connections may hold. {bounds}.")
    static let allowPrivateWebhooks = choice(
        "ALLOW_PRIVATE_WEBHOOKS", \.allowPrivateWebhooks,
        "Whether webhooks may go to private and loopback addresses, for intranets and tests: on or off.")
    static let verifyWebhooks = choice(
        "VERIFY_WEBHOOKS", \.verifyWebhooks,
        "Whether a webhook gets only a signed challenge until its receiver has echoed it: on or off.")
    static let pushServices = given(
        "PUSH_SERVICES", \.pushServices, ServerConfiguration.knownPushServices.joined(separator: ","),
        SettingReader.pushServices,
        "Hosts of browsers' push services; *. stands for all hosts below a name. With VERIFY_WEBHOOKS=on "
            + "other hosts get one empty push, and no more until they answer 201.")
    static let webhooksPerSecond = integer(
        "WEBHOOKS_PER_SECOND", \.webhooksPerSecond, 0...1_000_000,
        "Deliveries per second to one host, ten times as many at once. {bounds}; 0 means no limit.")
    static let apnsKey = given(
        "APNS_KEY", isSecret: true, \.apns, "none", SettingReader.apns,
        "Apple's .p8 key for pushes to the app, usually as APNS_KEY_FILE. Without it this server sends none.")
    static let apnsKeyID = part("APNS_KEY_ID", "none", "Id of APNS_KEY: ten letters and digits.")
    static let apnsTeamID = part(
        "APNS_TEAM_ID", "none", "Id of the developer team at Apple: ten letters and digits.")
    static let apnsTopic = part(
        "APNS_TOPIC", "none", "Bundle identifier of the app, such as org.example.app.")
    static let apnsURL = part(
        "APNS_URL", "Apple's", "URL of another push service instead of Apple's, for tests.")
    static let vapidPrivateKey = given(
        "VAPID_PRIVATE_KEY", isSecret: true, \.vapidPrivateKey, "kept in the database",
        SettingReader.vapidPrivateKey,
        "Private key for pushes to browsers: P-256, in PEM or as 32 bytes in base64url.")
    static let vapidSubject = given(
        "VAPID_SUBJECT", \.vapidSubject, "PUBLIC_URL if it is https", SettingReader.vapidSubject,
        "Address at which push services reach the operator, beginning with mailto: or https://.")
    package static let ticketKey = given(
        "TICKET_KEY", isSecret: true, \.ticketKey, "kept in the database", SettingReader.key,
        "Key that signs socket tickets. 32 characters or more, the same on all servers.")
    package static let clusterKey = given(
        "CLUSTER_KEY", isSecret: true, \.clusterKey, "kept in the database", SettingReader.key,
        "Key that signs requests between servers. 32 characters or more, the same on all servers.")
    package static let auditKey = given(
        "AUDIT_KEY", isSecret: true, \.auditKey, "kept in the database", SettingReader.key,
        "Key that signs the audit log. 32 characters or more, the same on all servers.")
    static let logLevel = choice(
        "LOG_LEVEL", \.logLevel, "Lowest level of the lines in the log: debug, info, warning or error.")
    static let logFormat = choice("LOG_FORMAT", \.logFormat, "Format of the log: text or json.")
    static let accessLog = choice(
        "ACCESS_LOG", \.accessLog,
        "Answered requests that get a line in the log: off (none), errors (from status 400 on) or all.")
    static let accessLogPercent = integer(
        "ACCESS_LOG_PERCENT", \.accessLogPercent, 1...100,
        "Percentage of the requests without an error that ACCESS_LOG=all logs. {bounds}.")
    static let otlpEndpoint = given(
        "OTLP_ENDPOINT", \.otlpEndpoint, "none", SettingReader.webURL,
        "Collector of traces (OTLP over HTTP), such as http://collector:4318. Without it nothing is traced.")
    static let otlpHeaders = given(
        "OTLP_HEADERS", isSecret: true, \.otlpHeaders, "none", SettingReader.fields,
        "Headers for the collector, such as Authorization=Bearer x. Up to 16.")
    static let outboundProxy = given(
        "OUTBOUND_PROXY", isSecret: true, \.outboundProxy, "none", SettingReader.proxy,
        "HTTP proxy for webhooks, pushes and traces: http://host:port or http://user:password@host:port.")
    static let noOutboundProxy = given(
        "NO_OUTBOUND_PROXY", \.noOutboundProxy, "none", SettingReader.hostList,
        "Hosts reached without OUTBOUND_PROXY: names and all below them, addresses, networks; * for all.")
    static let tracePercent = integer(
        "TRACE_PERCENT", \.tracePercent, 1...100,
        "Percentage of the requests and deliveries that are traced. {bounds}.")
}
