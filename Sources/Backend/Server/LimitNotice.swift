import HTTPServer
import Logging

/// The log messages for limits of the server that are reached; `/metrics` has the counts.
enum LimitNotice {
    /// Logs that a limit was reached. It is called at most once a minute for each limit; for untrusted
    /// proxies, once for each of the first ones.
    static func log(_ event: LimitEvent, _ detail: String) {
        switch event {
        case .full:
            Log.warning("connections refused: limit reached", ["limit": detail])
        case .addressFull:
            Log.warning(
                "connections refused: limit of an address reached", ["address": detail])
        case .addressRate:
            Log.warning("requests refused: rate limit of an address reached", ["address": detail])
        case .memory:
            Log.warning(
                "connections cut: BUFFER_MIB reached",
                ["address": detail])
        case .untrustedProxy:
            Log.warning(
                "Forwarded or X-Forwarded-For is ignored; if this address is your proxy, name it in "
                    + "TRUSTED_PROXIES",
                ["address": detail])
        case .exhausted:
            Log.warning("connections delayed: out of resources", ["error": detail])
        case .handlerTimeout:
            Log.warning("requests cancelled: time limit reached", ["route": detail])
        case .headTimeout, .bodyTimeout, .hungUp, .slowConsumer, .silent:
            break  // One client is at fault.
        }
    }
}
