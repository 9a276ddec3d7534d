import HTTPServer
import Logging

/// The log messages for limits of the server that are reached; `/metrics` has the counts.
enum LimitNotice {
    /// Logs that a limit was reached. It is called at most once a minute for each limit; for untrusted
    /// proxies, once for each of the first ones.
    static func log(_ event: LimitEvent, _ detail: String) {
        switch event {
        case .full:
            Log.warning("connections are refused: there are as many as there may be", ["limit": detail])
        case .addressFull:
            Log.warning(
                "connections are refused: one address has as many as it may have", ["address": detail])
        case .addressRate:
            Log.warning("requests are refused: one address sends more than it may", ["address": detail])
        case .memory:
            Log.warning(
                "connections are cut: the server holds as many bytes as BUFFER_MIB allows",
                ["address": detail])
        case .untrustedProxy:
            Log.warning(
                "Forwarded or X-Forwarded-For is ignored; if this address is your proxy, name it in "
                    + "TRUSTED_PROXIES",
                ["address": detail])
        case .exhausted:
            Log.warning("connections have to wait: the server is out of resources", ["error": detail])
        case .handlerTimeout:
            Log.warning("requests took too long and were cancelled", ["route": detail])
        case .headTimeout, .bodyTimeout, .hungUp, .slowConsumer, .silent:
            break  // One client is at fault.
        }
    }
}
