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

    /// The description of a setting for people.
    package struct Description: Sendable {
        package let standard: String
        package let meaning: String
    }

    package var description: Description {
        switch self {
        case .host: .init(standard: "127.0.0.1", meaning: "address to listen on")
        case .port: .init(standard: "8080", meaning: "port to listen on, 0 to 65535; 0 takes any free one")
        case .databaseURL:
            .init(
                standard: "none",
                meaning: "PostgreSQL to use; without it the server keeps a private cluster under DATA_DIR")
        case .databaseConnections:
            .init(
                standard: "40",
                meaning: "connections to PostgreSQL that the server may open, "
                    + "10, or 12 with ADMIN_PORT, to 10000")
        case .publicURL:
            .init(
                standard: "http://HOST:PORT",
                meaning: "the URL at which clients reach the server; the URLs of sockets, invites "
                    + "and calendars are made from it")
        case .web:
            .init(standard: "on", meaning: "on or off: whether browsers get the page, or the API alone")
        case .allowedOrigins:
            .init(
                standard: "none",
                meaning:
                    "origins, with commas, whose pages may call the API, such as https://app.example.org or "
                    + "capacitor://localhost"
            )
        case .internalURL:
            .init(
                standard: "the bound address",
                meaning: "how other servers of the same database reach this one: http://host:port")
        case .internalPort:
            .init(
                standard: "PORT",
                meaning: "port of its own for other servers, 0 to 65535; 0 takes any free one")
        case .internalPublic:
            .init(
                standard: "off",
                meaning: "on or off: whether INTERNAL_URL may be a public address without a warning")
        case .serverName:
            .init(
                standard: "none",
                meaning: "the name by which the balancer knows this server: up to 63 of A-Z a-z 0-9 _ . -")
        case .adminPort:
            .init(
                standard: "none",
                meaning: "port of operators and /metrics, 0 to 65535; 0 takes any free one; none: no desk")
        case .adminHost: .init(standard: "127.0.0.1", meaning: "address that ADMIN_PORT listens on")
        case .adminHosts:
            .init(
                standard: "none",
                meaning: "names, with commas, for which ADMIN_PORT answers, as for ADMIN_HOST and localhost")
        case .dataDirectory:
            .init(standard: ".letsswitch", meaning: "folder of the private cluster and of open rooms")
        case .workers: .init(standard: "number of cores", meaning: "event loops, 1 to 256")
        case .reactor:
            .init(
                standard: "epoll",
                meaning:
                    "auto, epoll or uring: how sockets are waited for; auto takes io_uring if permitted"
            )
        case .slotSeconds:
            .init(standard: "1800", meaning: "length of a slot; a divisor of 86400, one day")
        case .slotLengths:
            .init(
                standard: "none",
                meaning: "lengths to choose from instead, in minutes, 5 to 240, the usual one first: 25,50")
        case .slotGrid:
            .init(
                standard: "30",
                meaning: "minutes between starts, with SLOT_LENGTHS; a divisor of 1440, up to 240")
        case .leadSeconds:
            .init(
                standard: "60",
                meaning: "how long before its slot a room opens, 0 to the slot (the default too ends there)")
        case .lateSeconds:
            .init(
                standard: "300",
                meaning: "how late one may still register, 0 to the slot (the default too ends there)")
        case .registrationCloses:
            .init(
                standard: "late",
                meaning: "late or lead: whether one may register until LATE_SECONDS, or until the rooms open")
        case .cancelUntil:
            .init(
                standard: "end",
                meaning: "end or opening: whether one may cancel until the slot ends, or until the rooms open"
            )
        case .roomSize: .init(standard: "2", meaning: "people to a room, 2 to 64")
        case .trios:
            .init(
                standard: "on",
                meaning: "on or off: whether the odd one joins a pair; else one is left alone, in turn")
        case .noShowSeconds:
            .init(
                standard: "120",
                meaning:
                    "Seconds after the start at which members whose partners have not entered are matched "
                    + "again. Longer than the slot: never")
        case .maxDaysAhead: .init(standard: "60", meaning: "how many days ahead one may register, 1 to 366")
        case .attendanceLimit:
            .init(
                standard: "0",
                meaning: "per cent of sessions to attend; who is below has OPEN_REGISTRATIONS; 0 is no limit")
        case .openRegistrations:
            .init(
                standard: "3",
                meaning: "registrations at once for those below ATTENDANCE_LIMIT, 1 to 1000")
        case .retentionDays:
            .init(
                standard: "400",
                meaning: "slots that closed so many days ago are removed, 45 to 36500; 0 keeps all")
        case .auditDays:
            .init(
                standard: "400",
                meaning:
                    "words of the audit log that are so many days old are erased, 1 to 36500; 0 keeps all")
        case .reportDays:
            .init(
                standard: "365",
                meaning: "reports that are so many days old are removed, 1 to 36500; 0 keeps all")
        case .pingSeconds: .init(standard: "20", meaning: "seconds between pings on a socket, 1 to 3600")
        case .alesPerSecond:
            .init(standard: "20", meaning: "ales per second and connection, up to 1000000; 0 is no limit")
        case .signUpsPerMinute:
            .init(
                standard: "60",
                meaning:
                    "accounts per minute and address, all at once if need be; up to 1000000; 0 is no limit")
        case .requestsPerSecond:
            .init(
                standard: "100",
                meaning:
                    "requests per second and address, twice as many at once; up to 1000000; 0 is no limit")
        case .accountRequestsPerSecond:
            .init(
                standard: "20",
                meaning:
                    "requests per second and account, three times as many at once; up to 1000000; 0 is "
                    + "no limit"
            )
        case .registrationsPerHour:
            .init(
                standard: "3000",
                meaning:
                    "registrations per hour and address, all at once if need be; up to 1000000; 0 is no "
                    + "limit")
        case .accountRegistrations:
            .init(
                standard: "500",
                meaning: "registrations of one account that are not over, up to 1000000; 0 is no limit")
        case .accountRegistrationsPerDay:
            .init(
                standard: "500",
                meaning:
                    "registrations that one account makes in a day (UTC), up to 1000000; a new account has "
                    + "150 more each day; 0 is no limit")
        case .accountStreams:
            .init(standard: "16", meaning: "event streams of one account, up to 1000000; 0 is no limit")
        case .trustedProxies:
            .init(
                standard: "none",
                meaning:
                    "addresses or networks, with commas, whose Forwarded or X-Forwarded-For says who is "
                    + "asking"
            )
        case .misplaced:
            .init(
                standard: "off",
                meaning:
                    "off or x-accel: how a socket of another server's room gets there, by this server or by "
                    + "X-Accel-Redirect"
            )
        case .headerTimeoutSeconds:
            .init(standard: "10", meaning: "seconds that the header of a request may take, 1 to 300")
        case .bodyTimeoutSeconds:
            .init(standard: "30", meaning: "seconds that the body of a request may take, 1 to 3600")
        case .idleTimeoutSeconds:
            .init(standard: "75", meaning: "seconds that a connection may wait between requests, 1 to 3600")
        case .maxConnections:
            .init(
                standard: "100000",
                meaning: "open connections, 1 to 1000000; fewer where the limit of open files is lower")
        case .maxConnectionsPerAddress:
            .init(
                standard: "0",
                meaning: "open connections from one address (IPv6: one /64), up to 1000000; 0 is no limit")
        case .bufferMiB:
            .init(
                standard: "a quarter of the memory",
                meaning: "MiB of request heads, bodies and output of all connections, 8 to 1048576")
        case .allowPrivateWebhooks:
            .init(
                standard: "false",
                meaning: "true lets webhooks go to private and loopback addresses: for intranets and tests")
        case .verifyWebhooks:
            .init(
                standard: "off",
                meaning: "on sends a webhook nothing but a signed challenge until its receiver has echoed it")
        case .pushServices:
            .init(
                standard: ServerConfiguration.knownPushServices.joined(separator: ","),
                meaning: "hosts of browsers' push services, with commas, *. for all hosts below; with "
                    + "VERIFY_WEBHOOKS=on others get one empty push, and no more until they answer 201"
            )
        case .webhooksPerSecond:
            .init(
                standard: "100",
                meaning:
                    "deliveries per second to one host, for all users, in bursts of ten times as many; "
                    + "0 is no limit"
            )
        case .apnsKey:
            .init(
                standard: "none",
                meaning: "Apple's .p8 key for pushes (APNS_KEY_FILE); without it there are none to the app")
        case .apnsKeyID: .init(standard: "none", meaning: "the key's id, ten characters")
        case .apnsTeamID: .init(standard: "none", meaning: "the developer team's id, ten characters")
        case .apnsTopic: .init(standard: "none", meaning: "the app's bundle identifier")
        case .apnsURL:
            .init(standard: "Apple's", meaning: "another push service instead, for tests")
        case .vapidPrivateKey:
            .init(
                standard: "kept in the database",
                meaning: "key for pushes to browsers: P-256, in PEM or 32 bytes in base64url")
        case .vapidSubject:
            .init(
                standard: "PUBLIC_URL, if it is https",
                meaning: "how push services reach the operator: mailto:… or https://…")
        case .ticketKey:
            .init(
                standard: "kept in the database",
                meaning: "key that signs socket tickets, 32 characters or more; the same on every server")
        case .clusterKey:
            .init(
                standard: "kept in the database",
                meaning:
                    "key that signs what servers say to each other, 32 characters or more; the same on all")
        case .auditKey:
            .init(
                standard: "kept in the database",
                meaning: "key that signs the audit log, 32 characters or more; the same on every server")
        case .logLevel: .init(standard: "info", meaning: "debug, info, warning or error")
        case .logFormat: .init(standard: "text", meaning: "text or json")
        case .accessLog:
            .init(
                standard: "off",
                meaning: "off, errors or all: the answered requests that get a line in the log")
        case .accessLogPercent:
            .init(
                standard: "100",
                meaning: "per cent of the requests without an error that ACCESS_LOG=all tells, 1 to 100")
        case .otlpEndpoint:
            .init(
                standard: "none",
                meaning: "collector that traces are sent to, by OTLP over HTTP: http://collector:4318")
        case .otlpHeaders:
            .init(
                standard: "none",
                meaning:
                    "fields that the collector is sent, such as Authorization=Bearer x, with commas between")
        case .tracePercent:
            .init(
                standard: "1",
                meaning: "per cent of requests and deliveries that are traced with OTLP_ENDPOINT, 1 to 100")
        }
    }

    /// The table of docs/settings.md, in Markdown.
    package static var markdownTable: String {
        let head = ["| environment | flag | default | meaning |", "|---|---|---|---|"]
        let rows = allCases.map { setting in
            let about = setting.description
            return "| `\(setting.name)` | `\(setting.flag)` | \(about.standard) | \(about.meaning) |"
        }
        return (head + rows).joined(separator: "\n")
    }
}
