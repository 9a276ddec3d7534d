/// Every setting of the server: the one table behind parsing, `--help` and docs/settings.md.
package enum Setting: String, CaseIterable, Sendable {
    case host = "HOST"
    case port = "PORT"
    case databaseURL = "DATABASE_URL"
    case databaseConnections = "DATABASE_CONNECTIONS"
    case publicURL = "PUBLIC_URL"
    case web = "WEB"
    case allowedOrigins = "ALLOWED_ORIGINS"
    case internalURL = "INTERNAL_URL"
    case internalPort = "INTERNAL_PORT"
    case internalPublic = "INTERNAL_PUBLIC"
    case serverName = "SERVER_NAME"
    case adminPort = "ADMIN_PORT"
    case adminHost = "ADMIN_HOST"
    case adminHosts = "ADMIN_HOSTS"
    case dataDirectory = "DATA_DIR"
    case workers = "WORKERS"
    case reactor = "REACTOR"
    case slotSeconds = "SLOT_SECONDS"
    case slotLengths = "SLOT_LENGTHS"
    case slotGrid = "SLOT_GRID"
    case leadSeconds = "LEAD_SECONDS"
    case lateSeconds = "LATE_SECONDS"
    case registrationCloses = "REGISTRATION_CLOSES"
    case cancelUntil = "CANCEL_UNTIL"
    case roomSize = "ROOM_SIZE"
    case trios = "TRIOS"
    case noShowSeconds = "NO_SHOW_SECONDS"
    case maxDaysAhead = "MAX_DAYS_AHEAD"
    case attendanceLimit = "ATTENDANCE_LIMIT"
    case openRegistrations = "OPEN_REGISTRATIONS"
    case retentionDays = "RETENTION_DAYS"
    case auditDays = "AUDIT_DAYS"
    case reportDays = "REPORT_DAYS"
    case pingSeconds = "PING_SECONDS"
    case alesPerSecond = "ALES_PER_SECOND"
    case signUpsPerMinute = "SIGNUPS_PER_MINUTE"
    case requestsPerSecond = "REQUESTS_PER_SECOND"
    case accountRequestsPerSecond = "ACCOUNT_REQUESTS_PER_SECOND"
    case registrationsPerHour = "REGISTRATIONS_PER_HOUR"
    case accountRegistrations = "ACCOUNT_REGISTRATIONS"
    case accountRegistrationsPerDay = "ACCOUNT_REGISTRATIONS_PER_DAY"
    case accountStreams = "ACCOUNT_STREAMS"
    case trustedProxies = "TRUSTED_PROXIES"
    case misplaced = "MISPLACED"
    case headerTimeoutSeconds = "HEADER_TIMEOUT_SECONDS"
    case bodyTimeoutSeconds = "BODY_TIMEOUT_SECONDS"
    case idleTimeoutSeconds = "IDLE_TIMEOUT_SECONDS"
    case maxConnections = "MAX_CONNECTIONS"
    case maxConnectionsPerAddress = "MAX_CONNECTIONS_PER_ADDRESS"
    case bufferMiB = "BUFFER_MIB"
    case allowPrivateWebhooks = "ALLOW_PRIVATE_WEBHOOKS"
    case verifyWebhooks = "VERIFY_WEBHOOKS"
    case pushServices = "PUSH_SERVICES"
    case webhooksPerSecond = "WEBHOOKS_PER_SECOND"
    case apnsKey = "APNS_KEY"
    case apnsKeyID = "APNS_KEY_ID"
    case apnsTeamID = "APNS_TEAM_ID"
    case apnsTopic = "APNS_TOPIC"
    case apnsURL = "APNS_URL"
    case vapidPrivateKey = "VAPID_PRIVATE_KEY"
    case vapidSubject = "VAPID_SUBJECT"
    case ticketKey = "TICKET_KEY"
    case clusterKey = "CLUSTER_KEY"
    case auditKey = "AUDIT_KEY"
    case logLevel = "LOG_LEVEL"
    case logFormat = "LOG_FORMAT"
    case accessLog = "ACCESS_LOG"
    case accessLogPercent = "ACCESS_LOG_PERCENT"
    case otlpEndpoint = "OTLP_ENDPOINT"
    case otlpHeaders = "OTLP_HEADERS"
    case tracePercent = "TRACE_PERCENT"

    /// The name in the environment.
    package var name: String { rawValue }

    /// The name of the file's variant in the environment.
    package var fileName: String { "\(rawValue)_FILE" }

    /// The name in `--kebab-case`.
    package var flag: String {
        "--" + String(rawValue.map { $0 == "_" ? "-" : Character($0.lowercased()) })
    }

    package var fileFlag: String { "\(flag)-file" }

    /// Whether the value must not appear in a message or a log.
    package var isSecret: Bool {
        [
            .databaseURL, .ticketKey, .clusterKey, .auditKey, .apnsKey, .vapidPrivateKey, .otlpHeaders,
        ].contains(self)
    }

    /// The row of the setting: its default, its meaning for people, and where its value goes.
    package var row: SettingRow {
        switch self {
        case .host: .kept(\.host, SettingReader.host, "address to listen on")
        case .port: .kept(\.port, SettingReader.port, "port to listen on, 0 to 65535; 0 takes any free one")
        case .databaseURL:
            .given(
                \.databaseURL, "none", SettingReader.databaseURL,
                "PostgreSQL to use; without it the server keeps a private cluster under DATA_DIR")
        case .databaseConnections:
            .kept(
                \.databaseConnections, SettingReader.databaseConnections,
                "connections to PostgreSQL that the server may open, 10, or 12 with ADMIN_PORT, to 10000")
        case .publicURL:
            .given(
                \.explicitPublicURL, "http://HOST:PORT", SettingReader.webURL,
                "the URL at which clients reach the server; the URLs of sockets, invites and calendars "
                    + "are made from it")
        case .web: .choice(\.web, "on or off: whether browsers get the page, or the API alone")
        case .allowedOrigins:
            .given(
                \.allowedOrigins, "none", SettingReader.origins,
                "origins, with commas, whose pages may call the API, such as https://app.example.org or "
                    + "capacitor://localhost")
        case .internalURL:
            .given(
                \.explicitInternalURL, "the bound address", SettingReader.internalURL,
                "how other servers of the same database reach this one: http://host:port")
        case .internalPort:
            .given(
                \.internalPort, "PORT", SettingReader.port,
                "port of its own for other servers, 0 to 65535; 0 takes any free one")
        case .internalPublic:
            .choice(
                \.internalPublic,
                "on or off: whether INTERNAL_URL may be a public address without a warning")
        case .serverName:
            .given(
                \.serverName, "none", SettingReader.serverName,
                "the name by which the balancer knows this server: up to 63 of A-Z a-z 0-9 _ . -")
        case .adminPort:
            .given(
                \.adminPort, "none", SettingReader.port,
                "port of operators and /metrics, 0 to 65535; 0 takes any free one; none: no desk")
        case .adminHost: .kept(\.adminHost, SettingReader.host, "address that ADMIN_PORT listens on")
        case .adminHosts:
            .given(
                \.adminHosts, "none", SettingReader.hosts,
                "names, with commas, for which ADMIN_PORT answers, as for ADMIN_HOST and localhost")
        case .dataDirectory:
            .kept(\.dataDirectory, SettingReader.path, "folder of the private cluster and of open rooms")
        case .workers: .integer(\.workers, 1...256, standard: "number of cores", "event loops, {bounds}")
        case .reactor:
            .choice(
                \.reactor,
                "auto, epoll or uring: how sockets are waited for; auto takes io_uring if permitted")
        case .slotSeconds:
            .kept(\.slotSeconds, SettingReader.slotSeconds, "length of a slot; a divisor of 86400, one day")
        case .slotLengths:
            .given(
                \.slotLengths, "none", SettingReader.slotLengths,
                "lengths to choose from instead, in minutes, 5 to 240, the usual one first: 25,50")
        case .slotGrid:
            .kept(
                \.slotGridMinutes, SettingReader.slotGrid,
                "minutes between starts, with SLOT_LENGTHS; a divisor of 1440, up to 240")
        case .leadSeconds:
            .kept(
                \.leadSeconds, SettingReader.withinSlot,
                "how long before its slot a room opens, 0 to the slot (the default too ends there)")
        case .lateSeconds:
            .kept(
                \.lateSeconds, SettingReader.withinSlot,
                "how late one may still register, 0 to the slot (the default too ends there)")
        case .registrationCloses:
            .choice(
                \.registrationCloses,
                "late or lead: whether one may register until LATE_SECONDS, or until the rooms open")
        case .cancelUntil:
            .choice(
                \.cancelUntil,
                "end or opening: whether one may cancel until the slot ends, or until the rooms open")
        case .roomSize: .integer(\.roomSize, 2...64, "people to a room, {bounds}")
        case .trios:
            .choice(\.trios, "on or off: whether the odd one joins a pair; else one is left alone, in turn")
        case .noShowSeconds:
            .integer(
                \.noShowSeconds, 0...86_400,
                "Seconds after the start at which members whose partners have not entered are matched "
                    + "again. Longer than the slot: never")
        case .maxDaysAhead:
            .integer(\.maxDaysAhead, 1...366, "how many days ahead one may register, {bounds}")
        case .attendanceLimit:
            .integer(
                \.attendanceLimit, 0...100,
                "per cent of sessions to attend; who is below has OPEN_REGISTRATIONS; 0 is no limit")
        case .openRegistrations:
            .integer(
                \.openRegistrations, 1...1000,
                "registrations at once for those below ATTENDANCE_LIMIT, {bounds}")
        case .retentionDays:
            .kept(
                \.retentionDays, SettingReader.retentionDays,
                "slots that closed so many days ago are removed, 45 to 36500; 0 keeps all")
        case .auditDays:
            .integer(
                \.auditDays, 0...36_500,
                "words of the audit log that are so many days old are erased, 1 to {most}; 0 keeps all")
        case .reportDays:
            .integer(
                \.reportDays, 0...36_500,
                "reports that are so many days old are removed, 1 to {most}; 0 keeps all")
        case .pingSeconds: .integer(\.pingSeconds, 1...3600, "seconds between pings on a socket, {bounds}")
        case .alesPerSecond:
            .integer(
                \.alesPerSecond, 0...1_000_000,
                "ales per second and connection, up to {most}; 0 is no limit")
        case .signUpsPerMinute:
            .integer(
                \.signUpsPerMinute, 0...1_000_000,
                "accounts per minute and address, all at once if need be; up to {most}; 0 is no limit")
        case .requestsPerSecond:
            .integer(
                \.requestsPerSecond, 0...1_000_000,
                "requests per second and address, twice as many at once; up to {most}; 0 is no limit")
        case .accountRequestsPerSecond:
            .integer(
                \.accountRequestsPerSecond, 0...1_000_000,
                "requests per second and account, three times as many at once; up to {most}; 0 is no limit")
        case .registrationsPerHour:
            .integer(
                \.registrationsPerHour, 0...1_000_000,
                "registrations per hour and address, all at once if need be; up to {most}; 0 is no limit")
        case .accountRegistrations:
            .integer(
                \.accountRegistrations, 0...1_000_000,
                "registrations of one account that are not over, up to {most}; 0 is no limit")
        case .accountRegistrationsPerDay:
            .integer(
                \.accountRegistrationsPerDay, 0...1_000_000,
                "registrations that one account makes in a day (UTC), up to {most}; a new account has "
                    + "150 more each day; 0 is no limit")
        case .accountStreams:
            .integer(
                \.accountStreams, 0...1_000_000,
                "event streams of one account, up to {most}; 0 is no limit")
        case .trustedProxies:
            .given(
                \.trustedProxies, "none", SettingReader.networks,
                "addresses or networks, with commas, whose Forwarded or X-Forwarded-For says who is asking")
        case .misplaced:
            .choice(\.misplaced, "off or x-accel, which does nothing and will be refused: remove it")
        case .headerTimeoutSeconds:
            .integer(
                \.headerTimeoutSeconds, 1...300,
                "seconds that the header of a request may take, {bounds}")
        case .bodyTimeoutSeconds:
            .integer(\.bodyTimeoutSeconds, 1...3600, "seconds that the body of a request may take, {bounds}")
        case .idleTimeoutSeconds:
            .integer(
                \.idleTimeoutSeconds, 1...3600,
                "seconds that a connection may wait between requests, {bounds}")
        case .maxConnections:
            .integer(
                \.maxConnections, 1...1_000_000,
                "open connections, {bounds}; fewer where the limit of open files is lower")
        case .maxConnectionsPerAddress:
            .integer(
                \.maxConnectionsPerAddress, 0...1_000_000,
                "open connections from one address (IPv6: one /64), up to {most}; 0 is no limit")
        case .bufferMiB:
            .integer(
                \.explicitBufferMiB, 8...1_048_576, standard: "a quarter of the memory",
                "MiB of request heads, bodies and output of all connections, {bounds}")
        case .allowPrivateWebhooks:
            .kept(
                \.allowPrivateWebhooks, SettingReader.flag,
                "true lets webhooks go to private and loopback addresses: for intranets and tests")
        case .verifyWebhooks:
            .choice(
                \.verifyWebhooks,
                "on sends a webhook nothing but a signed challenge until its receiver has echoed it")
        case .pushServices:
            .given(
                \.pushServices, ServerConfiguration.knownPushServices.joined(separator: ","),
                SettingReader.pushServices,
                "hosts of browsers' push services, with commas, *. for all hosts below; with "
                    + "VERIFY_WEBHOOKS=on others get one empty push, and no more until they answer 201")
        case .webhooksPerSecond:
            .integer(
                \.webhooksPerSecond, 0...1_000_000,
                "deliveries per second to one host, for all users, in bursts of ten times as many; 0 is "
                    + "no limit")
        case .apnsKey:
            .given(
                \.apns, "none", SettingReader.apns,
                "Apple's .p8 key for pushes (APNS_KEY_FILE); without it there are none to the app")
        case .apnsKeyID: .part("none", "the key's id, ten characters")
        case .apnsTeamID: .part("none", "the developer team's id, ten characters")
        case .apnsTopic: .part("none", "the app's bundle identifier")
        case .apnsURL: .part("Apple's", "another push service instead, for tests")
        case .vapidPrivateKey:
            .given(
                \.vapidPrivateKey, "kept in the database", SettingReader.vapidPrivateKey,
                "key for pushes to browsers: P-256, in PEM or 32 bytes in base64url")
        case .vapidSubject:
            .given(
                \.vapidSubject, "PUBLIC_URL, if it is https", SettingReader.vapidSubject,
                "how push services reach the operator: mailto:… or https://…")
        case .ticketKey:
            .given(
                \.ticketKey, "kept in the database", SettingReader.key,
                "key that signs socket tickets, 32 characters or more; the same on every server")
        case .clusterKey:
            .given(
                \.clusterKey, "kept in the database", SettingReader.key,
                "key that signs what servers say to each other, 32 characters or more; the same on all")
        case .auditKey:
            .given(
                \.auditKey, "kept in the database", SettingReader.key,
                "key that signs the audit log, 32 characters or more; the same on every server")
        case .logLevel: .choice(\.logLevel, "debug, info, warning or error")
        case .logFormat: .choice(\.logFormat, "text or json")
        case .accessLog:
            .choice(\.accessLog, "off, errors or all: the answered requests that get a line in the log")
        case .accessLogPercent:
            .integer(
                \.accessLogPercent, 1...100,
                "per cent of the requests without an error that ACCESS_LOG=all tells, {bounds}")
        case .otlpEndpoint:
            .given(
                \.otlpEndpoint, "none", SettingReader.webURL,
                "collector that traces are sent to, by OTLP over HTTP: http://collector:4318")
        case .otlpHeaders:
            .given(
                \.otlpHeaders, "none", SettingReader.fields,
                "fields that the collector is sent, such as Authorization=Bearer x, with commas between")
        case .tracePercent:
            .integer(
                \.tracePercent, 1...100,
                "per cent of requests and deliveries that are traced with OTLP_ENDPOINT, {bounds}")
        }
    }

    /// The table of docs/settings.md, in Markdown.
    package static var markdownTable: String {
        let head = ["| environment | flag | default | meaning |", "|---|---|---|---|"]
        let rows = allCases.map { setting in
            let about = setting.row
            return "| `\(setting.name)` | `\(setting.flag)` | \(about.standard) | \(about.meaning) |"
        }
        return (head + rows).joined(separator: "\n")
    }
}
