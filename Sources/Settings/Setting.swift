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

    static let host = kept(
        "HOST", \.host, SettingReader.listeningHost,
        "address to listen on, or unix: and the path of a socket, such as unix:/run/letsswitch/server.sock; "
            + "then PUBLIC_URL is required, every client of the socket counts as one of TRUSTED_PROXIES, "
            + "and other servers need INTERNAL_PORT, which is bound at 0.0.0.0")
    static let socketMode = given(
        "SOCKET_MODE", \.socketMode, "0660", SettingReader.fileMode,
        "permissions of the socket's file, in octal, 0 to 0777")
    static let socketGroup = given(
        "SOCKET_GROUP", \.socketGroup, "that of the process", SettingReader.group,
        "group of the socket's file: a name or a number")
    static let port = kept(
        "PORT", \.port, SettingReader.port, "port to listen on, 0 to 65535; 0 takes any free one")
    package static let databaseURL = given(
        "DATABASE_URL", isSecret: true, \.databaseURL, "none", SettingReader.databaseURL,
        "PostgreSQL to use; without it the server keeps a private cluster under DATA_DIR")
    static let databaseConnections = kept(
        "DATABASE_CONNECTIONS", \.databaseConnections, SettingReader.databaseConnections,
        "connections to PostgreSQL that the server may open, 10, or 12 with ADMIN_PORT, to 10000")
    static let publicURL = given(
        "PUBLIC_URL", \.explicitPublicURL, "http://HOST:PORT", SettingReader.publicURL,
        "the URL at which clients reach the server, with the path if it has one; the URLs of sockets, "
            + "invites and calendars are made from it")
    static let web = choice("WEB", \.web, "on or off: whether browsers get the page, or the API alone")
    static let allowedOrigins = given(
        "ALLOWED_ORIGINS", \.allowedOrigins, "none", SettingReader.origins,
        "origins, with commas, whose pages may call the API, such as https://app.example.org or "
            + "capacitor://localhost")
    static let internalURL = given(
        "INTERNAL_URL", \.explicitInternalURL, "the bound address", SettingReader.internalURL,
        "how other servers of the same database reach this one: http://host:port")
    static let internalPort = given(
        "INTERNAL_PORT", \.internalPort, "PORT", SettingReader.port,
        "port of its own for other servers, 0 to 65535; 0 takes any free one")
    static let internalPublic = choice(
        "INTERNAL_PUBLIC", \.internalPublic,
        "on or off: whether INTERNAL_URL may be a public address without a warning")
    static let serverName = given(
        "SERVER_NAME", \.serverName, "none", SettingReader.serverName,
        "the name by which the balancer knows this server: up to 63 of A-Z a-z 0-9 _ . -")
    static let adminPort = given(
        "ADMIN_PORT", \.adminPort, "none", SettingReader.port,
        "port of operators and /metrics, 0 to 65535; 0 takes any free one; none: no desk")
    static let adminHost = kept(
        "ADMIN_HOST", \.adminHost, SettingReader.host, "address that ADMIN_PORT listens on")
    static let adminHosts = given(
        "ADMIN_HOSTS", \.adminHosts, "none", SettingReader.hosts,
        "names, with commas, for which ADMIN_PORT answers, as for ADMIN_HOST and localhost")
    static let dataDirectory = kept(
        "DATA_DIR", \.dataDirectory, SettingReader.path, "folder of the private cluster and of open rooms")
    static let workers = integer(
        "WORKERS", \.workers, 1...256, standard: "number of cores", "event loops, {bounds}")
    static let reactor = choice(
        "REACTOR", \.reactor,
        "auto, epoll or uring: how sockets are waited for; auto takes io_uring if permitted")
    static let slotSeconds = kept(
        "SLOT_SECONDS", \.slotSeconds, SettingReader.slotSeconds,
        "length of a slot; a divisor of 86400, one day")
    static let slotLengths = given(
        "SLOT_LENGTHS", \.slotLengths, "none", SettingReader.slotLengths,
        "lengths to choose from instead, in minutes, 5 to 240, the usual one first: 25,50")
    static let slotGrid = kept(
        "SLOT_GRID", \.slotGridMinutes, SettingReader.slotGrid,
        "minutes between starts, with SLOT_LENGTHS; a divisor of 1440, up to 240")
    static let leadSeconds = kept(
        "LEAD_SECONDS", \.leadSeconds, SettingReader.withinSlot,
        "how long before its slot a room opens, 0 to the slot (the default too ends there)")
    static let lateSeconds = kept(
        "LATE_SECONDS", \.lateSeconds, SettingReader.withinSlot,
        "how late one may still register, 0 to the slot (the default too ends there)")
    static let registrationCloses = choice(
        "REGISTRATION_CLOSES", \.registrationCloses,
        "late or lead: whether one may register until LATE_SECONDS, or until the rooms open")
    static let cancelUntil = choice(
        "CANCEL_UNTIL", \.cancelUntil,
        "end or opening: whether one may cancel until the slot ends, or until the rooms open")
    static let roomSize = integer("ROOM_SIZE", \.roomSize, 2...64, "people to a room, {bounds}")
    static let trios = choice(
        "TRIOS", \.trios, "on or off: whether the odd one joins a pair; else one is left alone, in turn")
    static let noShowSeconds = integer(
        "NO_SHOW_SECONDS", \.noShowSeconds, 0...86_400,
        "Seconds after the start at which members whose partners have not entered are matched "
            + "again. Longer than the slot: never")
    static let maxDaysAhead = integer(
        "MAX_DAYS_AHEAD", \.maxDaysAhead, 1...366, "how many days ahead one may register, {bounds}")
    static let attendanceLimit = integer(
        "ATTENDANCE_LIMIT", \.attendanceLimit, 0...100,
        "per cent of sessions to attend; who is below has OPEN_REGISTRATIONS; 0 is no limit")
    static let openRegistrations = integer(
        "OPEN_REGISTRATIONS", \.openRegistrations, 1...1000,
        "registrations at once for those below ATTENDANCE_LIMIT, {bounds}")
    static let retentionDays = kept(
        "RETENTION_DAYS", \.retentionDays, SettingReader.retentionDays,
        "slots that closed so many days ago are removed, 45 to 36500; 0 keeps all")
    static let auditDays = integer(
        "AUDIT_DAYS", \.auditDays, 0...36_500,
        "words of the audit log that are so many days old are erased, 1 to {most}; 0 keeps all")
    static let reportDays = integer(
        "REPORT_DAYS", \.reportDays, 0...36_500,
        "reports that are so many days old are removed, 1 to {most}; 0 keeps all")
    static let pingSeconds = integer(
        "PING_SECONDS", \.pingSeconds, 1...3600, "seconds between pings on a socket, {bounds}")
    static let alesPerSecond = integer(
        "ALES_PER_SECOND", \.alesPerSecond, 0...1_000_000,
        "ales per second and connection, up to {most}; 0 is no limit")
    static let signUps = given(
        "SIGNUPS", \.signUps, SignUpWay.open.rawValue, SettingReader.signUps,
        "how people make accounts: open, closed (operators make them), code (by a code of an operator), "
            + "invite (by an invite), or code,invite")
    static let signUpsPerMinute = integer(
        "SIGNUPS_PER_MINUTE", \.signUpsPerMinute, 0...1_000_000,
        "accounts per minute and address, all at once if need be; up to {most}; 0 is no limit")
    static let requestsPerSecond = integer(
        "REQUESTS_PER_SECOND", \.requestsPerSecond, 0...1_000_000,
        "requests per second and address, twice as many at once; up to {most}; 0 is no limit")
    static let accountRequestsPerSecond = integer(
        "ACCOUNT_REQUESTS_PER_SECOND", \.accountRequestsPerSecond, 0...1_000_000,
        "requests per second and account, three times as many at once; up to {most}; 0 is no limit")
    static let registrationsPerHour = integer(
        "REGISTRATIONS_PER_HOUR", \.registrationsPerHour, 0...1_000_000,
        "registrations per hour and address, all at once if need be; up to {most}; 0 is no limit")
    static let accountRegistrations = integer(
        "ACCOUNT_REGISTRATIONS", \.accountRegistrations, 0...1_000_000,
        "registrations of one account that are not over, up to {most}; 0 is no limit")
    static let accountRegistrationsPerDay = integer(
        "ACCOUNT_REGISTRATIONS_PER_DAY", \.accountRegistrationsPerDay, 0...1_000_000,
        "registrations that one account makes in a day (UTC), up to {most}; a new account has "
            + "150 more each day; 0 is no limit")
    static let accountStreams = integer(
        "ACCOUNT_STREAMS", \.accountStreams, 0...1_000_000,
        "event streams of one account, up to {most}; 0 is no limit")
    static let trustedProxies = given(
        "TRUSTED_PROXIES", \.trustedProxies, "none", SettingReader.networks,
        "addresses or networks, with commas, whose Forwarded or X-Forwarded-For says who is asking")
    static let misplaced = choice(
        "MISPLACED", \.misplaced, "off or x-accel, which does nothing and will be refused: remove it")
    static let headerTimeoutSeconds = integer(
        "HEADER_TIMEOUT_SECONDS", \.headerTimeoutSeconds, 1...300,
        "seconds that the header of a request may take, {bounds}")
    static let bodyTimeoutSeconds = integer(
        "BODY_TIMEOUT_SECONDS", \.bodyTimeoutSeconds, 1...3600,
        "seconds that the body of a request may take, {bounds}")
    static let idleTimeoutSeconds = integer(
        "IDLE_TIMEOUT_SECONDS", \.idleTimeoutSeconds, 1...3600,
        "seconds that a connection may wait between requests, {bounds}")
    static let maxConnections = integer(
        "MAX_CONNECTIONS", \.maxConnections, 1...1_000_000,
        "open connections, {bounds}; fewer where the limit of open files is lower")
    static let maxConnectionsPerAddress = integer(
        "MAX_CONNECTIONS_PER_ADDRESS", \.maxConnectionsPerAddress, 0...1_000_000,
        "open connections from one address (IPv6: one /64), up to {most}; 0 is no limit")
    static let bufferMiB = integer(
        "BUFFER_MIB", \.explicitBufferMiB, 8...1_048_576, standard: "a quarter of the memory",
        "MiB of request heads, bodies and output of all connections, {bounds}")
    static let allowPrivateWebhooks = choice(
        "ALLOW_PRIVATE_WEBHOOKS", \.allowPrivateWebhooks,
        "on lets webhooks go to private and loopback addresses: for intranets and tests")
    static let verifyWebhooks = choice(
        "VERIFY_WEBHOOKS", \.verifyWebhooks,
        "on sends a webhook nothing but a signed challenge until its receiver has echoed it")
    static let pushServices = given(
        "PUSH_SERVICES", \.pushServices, ServerConfiguration.knownPushServices.joined(separator: ","),
        SettingReader.pushServices,
        "hosts of browsers' push services, with commas, *. for all hosts below; with "
            + "VERIFY_WEBHOOKS=on others get one empty push, and no more until they answer 201")
    static let webhooksPerSecond = integer(
        "WEBHOOKS_PER_SECOND", \.webhooksPerSecond, 0...1_000_000,
        "deliveries per second to one host, for all users, in bursts of ten times as many; 0 is "
            + "no limit")
    static let apnsKey = given(
        "APNS_KEY", isSecret: true, \.apns, "none", SettingReader.apns,
        "Apple's .p8 key for pushes (APNS_KEY_FILE); without it there are none to the app")
    static let apnsKeyID = part("APNS_KEY_ID", "none", "the key's id, ten characters")
    static let apnsTeamID = part("APNS_TEAM_ID", "none", "the developer team's id, ten characters")
    static let apnsTopic = part("APNS_TOPIC", "none", "the app's bundle identifier")
    static let apnsURL = part("APNS_URL", "Apple's", "another push service instead, for tests")
    static let vapidPrivateKey = given(
        "VAPID_PRIVATE_KEY", isSecret: true, \.vapidPrivateKey, "kept in the database",
        SettingReader.vapidPrivateKey,
        "key for pushes to browsers: P-256, in PEM or 32 bytes in base64url")
    static let vapidSubject = given(
        "VAPID_SUBJECT", \.vapidSubject, "PUBLIC_URL, if it is https", SettingReader.vapidSubject,
        "how push services reach the operator: mailto:… or https://…")
    package static let ticketKey = given(
        "TICKET_KEY", isSecret: true, \.ticketKey, "kept in the database", SettingReader.key,
        "key that signs socket tickets, 32 characters or more; the same on every server")
    package static let clusterKey = given(
        "CLUSTER_KEY", isSecret: true, \.clusterKey, "kept in the database", SettingReader.key,
        "key that signs what servers say to each other, 32 characters or more; the same on all")
    package static let auditKey = given(
        "AUDIT_KEY", isSecret: true, \.auditKey, "kept in the database", SettingReader.key,
        "key that signs the audit log, 32 characters or more; the same on every server")
    static let logLevel = choice("LOG_LEVEL", \.logLevel, "debug, info, warning or error")
    static let logFormat = choice("LOG_FORMAT", \.logFormat, "text or json")
    static let accessLog = choice(
        "ACCESS_LOG", \.accessLog, "off, errors or all: the answered requests that get a line in the log")
    static let accessLogPercent = integer(
        "ACCESS_LOG_PERCENT", \.accessLogPercent, 1...100,
        "per cent of the requests without an error that ACCESS_LOG=all tells, {bounds}")
    static let otlpEndpoint = given(
        "OTLP_ENDPOINT", \.otlpEndpoint, "none", SettingReader.webURL,
        "collector that traces are sent to, by OTLP over HTTP: http://collector:4318")
    static let otlpHeaders = given(
        "OTLP_HEADERS", isSecret: true, \.otlpHeaders, "none", SettingReader.fields,
        "fields that the collector is sent, such as Authorization=Bearer x, with commas between")
    static let outboundProxy = given(
        "OUTBOUND_PROXY", isSecret: true, \.outboundProxy, "none", SettingReader.proxy,
        "HTTP proxy for webhooks, pushes and traces: http://host:port or "
            + "http://user:password@host:port")
    static let noOutboundProxy = given(
        "NO_OUTBOUND_PROXY", \.noOutboundProxy, "none", SettingReader.hostList,
        "Hosts that are reached without OUTBOUND_PROXY, with commas: names with all names below "
            + "them, addresses, networks; * for all")
    static let tracePercent = integer(
        "TRACE_PERCENT", \.tracePercent, 1...100,
        "per cent of requests and deliveries that are traced with OTLP_ENDPOINT, {bounds}")
}
