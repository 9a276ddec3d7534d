/// The requests that get a line in the access log.
package enum AccessLogChoice: String, CaseIterable, Sendable {
    /// No request gets a line.
    case off
    /// Requests that were answered with a status of 400 or more get a line.
    case errors
    /// Requests that were answered with a status of 400 or more get a line, and a share of all others.
    case all
}
