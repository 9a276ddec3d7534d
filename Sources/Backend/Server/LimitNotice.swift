import HTTPServer
import Logging

/// What the log says when a limit of the server is reached; `/metrics` has how often.
enum LimitNotice {
    /// Called once a minute for each limit at most; for untrusted proxies, once for each of the first.
    static func log(_ event: LimitEvent, _ detail: String) {
        switch event {
        case .full:
            Log.warning("connections are refused: there are as many as there may be", ["limit": detail])
        case .addressFull:
            Log.warning(
                "connections are refused: one address has as many as it may have", ["address": detail])
        case .addressRate:
            Log.warning("requests are refused: one address sends more than it may", ["address": detail])
        case .untrustedProxy:
            Log.warning(
                "Forwarded or X-Forwarded-For is ignored; if this address is your proxy, name it in "
                    + "TRUSTED_PROXIES",
                ["address": detail])
        case .exhausted:
            Log.warning("connections have to wait: the server is out of resources", ["error": detail])
        case .headTimeout, .bodyTimeout, .slowConsumer, .silent:
            break  // The fault of one client, which is told.
        }
    }
}
