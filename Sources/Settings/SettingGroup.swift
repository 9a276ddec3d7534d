/// A subject of settings: a heading of `--help` and of docs/operate/settings.md.
package struct SettingGroup: Sendable {
    package let title: String
    package let settings: [Setting]

    private init(_ title: String, _ settings: [Setting]) {
        self.title = title
        self.settings = settings
    }

    /// All groups in the order of their documents.
    package static let all = [
        SettingGroup(
            "Addresses and proxies",
            [.host, .port, .publicURL, .trustedProxies, .socketMode, .socketGroup, .web, .allowedOrigins]),
        SettingGroup("Database", [.databaseURL, .databaseConnections, .dataDirectory]),
        SettingGroup(
            "Several servers",
            [
                .internalURL, .internalPort, .internalPublic, .serverName, .ticketKey, .clusterKey,
                .misplaced,
            ]),
        SettingGroup("Desk and metrics", [.adminPort, .adminHost, .adminHosts, .auditKey]),
        SettingGroup(
            "Slots and rooms",
            [
                .slotSeconds, .slotLengths, .slotGrid, .leadSeconds, .lateSeconds, .registrationCloses,
                .cancelUntil, .maxDaysAhead, .roomSize, .trios, .noShowSeconds, .pingSeconds, .alesPerSecond,
            ]),
        SettingGroup(
            "Accounts and rates",
            [
                .signUps, .signUpsPerMinute, .requestsPerSecond, .registrationsPerHour,
                .accountRequestsPerSecond, .accountRegistrations, .accountRegistrationsPerDay,
                .accountStreams, .attendanceLimit, .openRegistrations,
            ]),
        SettingGroup(
            "Connections",
            [
                .workers, .reactor, .maxConnections, .maxConnectionsPerAddress, .bufferMiB,
                .headerTimeoutSeconds, .bodyTimeoutSeconds, .idleTimeoutSeconds,
            ]),
        SettingGroup(
            "Webhooks and pushes",
            [
                .allowPrivateWebhooks, .verifyWebhooks, .webhooksPerSecond, .pushServices, .vapidPrivateKey,
                .vapidSubject, .apnsKey, .apnsKeyID, .apnsTeamID, .apnsTopic, .apnsURL, .outboundProxy,
                .noOutboundProxy,
            ]),
        SettingGroup("Retention", [.retentionDays, .auditDays, .reportDays]),
        SettingGroup(
            "Logs and traces",
            [
                .logLevel, .logFormat, .accessLog, .accessLogPercent, .otlpEndpoint, .otlpHeaders,
                .tracePercent,
            ]),
    ]
}

extension Setting {
    /// All settings in the order of their groups.
    package static let allCases = SettingGroup.all.flatMap(\.settings)
}
