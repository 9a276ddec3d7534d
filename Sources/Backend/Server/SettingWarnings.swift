import Cluster
import Contract
import Reactor
import Settings

/// Finds settings that an operator should know of.
enum SettingWarnings {
    /// The warning of `MISPLACED=x-accel`; nil without it.
    static func misplaced(_ configuration: ServerConfiguration) -> String? {
        guard configuration.misplaced == .xAccel else { return nil }
        return "MISPLACED=x-accel does nothing, and the next release refuses it. Remove the setting, and the "
            + "location of /owner/ from nginx."
    }

    static func find(_ configuration: ServerConfiguration, publicURL: String) -> [String] {
        var warnings = Self.misplaced(configuration).map { [$0] } ?? []
        for (key, name) in [
            (configuration.ticketKey, Setting.ticketKey), (configuration.clusterKey, .clusterKey),
            (configuration.auditKey, .auditKey),
        ] where key == nil {
            warnings.append("\(name.name) is stored in the database: all who can read the database have it.")
        }
        if !ClusterNotices.isLoopback(host: configuration.adminHost) {
            warnings.append("ADMIN_HOST is no loopback address, and this listener has no TLS.")
        }
        if publicURL.hasPrefix("http:") { warnings.append("PUBLIC_URL is not https.") }
        if isWildcard(publicURL) {
            warnings.append(
                "PUBLIC_URL is \(publicURL), which no client can reach. Set it to the address that people "
                    + "use: invites, calendars and sockets have it.")
        }
        if configuration.databaseURL == nil {
            warnings.append("The database is a private one under DATA_DIR: back it up.")
        }
        if configuration.allowPrivateWebhooks == .on {
            warnings.append("ALLOW_PRIVATE_WEBHOOKS lets webhooks reach private addresses.")
        }
        return warnings
    }

    /// Whether a URL has the address of a server that listens everywhere, such as 0.0.0.0.
    static func isWildcard(_ url: String) -> Bool {
        guard let host = (try? WebURL(url))?.host else { return false }
        return SocketAddress(numeric: host, port: 0)?.isWildcard ?? false
    }
}
