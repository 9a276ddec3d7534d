import HTTPServer
import Logging

/// The log messages for limits of the server that are reached; `/metrics` has the counts.
enum LimitNotice {
    /// Logs that a limit was reached. It is called at most once a minute for each limit; for untrusted
    /// proxies, once for each of the first ones.
    static func log(_ event: LimitEvent, _ detail: String) {
        let notice: (message: String, field: String)? =
            switch event {
            case .full: ("connections refused: limit reached", "limit")
            case .addressFull: ("connections refused: limit of an address reached", "address")
            case .addressRate: ("requests refused: rate limit of an address reached", "address")
            case .memory: ("connections cut: BUFFER_MIB reached", "address")
            case .untrustedProxy:
                (
                    "Forwarded or X-Forwarded-For is ignored; if this address is your proxy, name it in "
                        + "TRUSTED_PROXIES", "address"
                )
            case .exhausted: ("connections delayed: out of resources", "error")
            case .handlerTimeout: ("requests cancelled: time limit reached", "route")
            // One client is at fault.
            case .headTimeout, .bodyTimeout, .hungUp, .slowConsumer, .silent: nil
            }
        if let notice { Log.warning(notice.message, [notice.field: detail]) }
    }
}
