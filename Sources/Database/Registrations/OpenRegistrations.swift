package import Contract

/// The registrations of a user that are neither over nor cancelled, for a user who has as many as are
/// allowed.
package struct OpenRegistrations: Equatable, Sendable {
    package var count: Int64
    package var allowed: Int
    /// The instant at which the first of them is over.
    package var firstEnd: Timestamp?
}

/// The registrations that a user has made today (UTC), cancelled ones included, for a user who has made as
/// many as are allowed.
package struct MadeRegistrations: Equatable, Sendable {
    package var count: Int64
    package var allowed: Int
}
