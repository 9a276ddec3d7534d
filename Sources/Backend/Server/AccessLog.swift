import HTTP1
import HTTPServer
import Logging
import Settings

/// The access log: one line for each answered request, where the operator wants it.
///
/// A line names the route by its pattern, so that no secret of a path or a query gets into it.
struct AccessLog: Sendable {
    let choice: AccessLogChoice
    /// The share of the requests without an error that get a line, in per cent.
    var percent = 100

    /// Writes the line of a request, if it gets one.
    func write(_ request: AnsweredRequest) {
        guard isWritten(status: request.status, lot: request.lot) else { return }
        Log.always(
            "access",
            [
                "request": request.id, "method": request.method?.rawValue ?? "-",
                "route": request.route?.pattern ?? "-", "status": request.status,
                "microseconds": Int((request.seconds * 1e6).rounded()), "bytes": request.bytes,
                "account": request.account.map { "\($0)" } ?? "-",
                "client": "\(request.client)",
            ])
    }

    /// Whether a request gets a line. `lot` is a random number from 0 to 99.
    func isWritten(status: Int, lot: Int) -> Bool {
        switch choice {
        case .off: false
        case .errors: status >= 400
        case .all: status >= 400 || lot < percent
        }
    }
}
